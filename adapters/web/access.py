"""Who may come in: on loopback the person at this machine, otherwise everybody who was given the token."""

import hashlib
import hmac
import os
import secrets
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from router.errors import SettingsError
from router.memory import User

COOKIE = "icc_identity"
COOKIE_AGE = 90 * 24 * 3600
"""Seconds for which a browser stays let in."""


class Access:
    """Tells who a request comes from; `token` is empty on loopback, where none is asked for."""

    def __init__(self, host: str, user: User, secret: bytes, public: bool) -> None:
        self._host, self._user, self._secret = host, user, secret
        self.token = secrets.token_urlsafe(24) if public else ""

    def refusal(self, request: HTTPConnection) -> str:
        """Return why nobody is answered here, as a sentence; empty where there is nothing against it.

        A page of another site must not reach this one: not by a name that it points to this machine (Host tells that),
        and not by a request of its own (Origin tells that).
        """
        host = request.headers.get("host", "")
        if not self.token and urlsplit(f"//{host}").hostname not in ("localhost", "127.0.0.1", "::1", self._host):
            return "This page answers at its own address only."
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return "This page takes nothing from other sites."
        return ""

    def user_of(self, request: HTTPConnection) -> User | None:
        """Return who asks; None for somebody who has no valid cookie."""
        if not self.token:
            return self._user
        name, _, signature = request.cookies.get(COOKIE, "").partition(".")
        return User(f"web:{name}", "Guest") if name and hmac.compare_digest(signature, self._signature(name)) else None

    def knows(self, token: str) -> bool:
        """Tell whether this is the token that was printed at start."""
        return bool(self.token) and hmac.compare_digest(token.encode(), self.token.encode())

    def new_cookie(self) -> str:
        """Return a cookie's value that stands for a person who was not here before."""
        name = secrets.token_hex(12)
        return f"{name}.{self._signature(name)}"

    def _signature(self, name: str) -> str:
        return hmac.new(self._secret, name.encode(), hashlib.sha256).hexdigest()


def demand_loopback(host: str) -> None:
    """Raise SettingsError where the page would be reachable from other machines."""
    try:
        inside = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        inside = False
    if not inside:
        raise SettingsError(
            [
                f"The page would be open to other machines at {host}. Use 127.0.0.1, or say that you mean it with "
                "--public: then a secret token guards it."
            ]
        )


def kept_secret(path: Path) -> bytes:
    """Return the secret that signs cookies; made at the first call, readable by its owner only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
            new.write(secrets.token_bytes(32))
    except FileExistsError:
        pass
    return path.read_bytes()
