"""Keeping credentials out of what is shown or written down."""

import re

_IN_URL = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*://)[^\s/@'\"]*@")
_BEARER = re.compile(r"(?i)\b(bearer|api[-_]?key|token|password)(\s*[:=]\s*|\s+)[^\s,;'\"]{6,}")


def redact(text: str) -> str:
    """Return `text` with the credentials of every URL, and every bearer token or named key, replaced by ***."""
    return _BEARER.sub(r"\1\2***", _IN_URL.sub(r"\1***@", text))
