"""Signatures, as Slack puts them on what it sends over HTTP."""

import hashlib
import hmac
import time


def signed(body: bytes, secret: str, timestamp: float | None = None) -> dict[str, str]:
    """Return the two headers that prove where a body comes from; `timestamp` is now unless it is given."""
    stamp = str(int(time.time() if timestamp is None else timestamp))
    digest = hmac.new(secret.encode(), b"v0:" + stamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={digest}"}
