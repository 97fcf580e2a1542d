"""Who may come in: on loopback the person at this machine, otherwise everybody who was given the token.

The token and the signatures of cookies are both made from one secret, kept in a file. So the address that was printed
holds after a restart, and nobody has to come in anew; who deletes the file takes back the token and all the cookies.
"""

import base64
import hashlib
import hmac
import secrets
from ipaddress import ip_address
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
        self.token = base64.urlsafe_b64encode(self._made("token")[:24]).decode() if public else ""

    def refusal(self, request: HTTPConnection) -> str:
        """Return why nobody is answered here, as a sentence; empty where there is nothing against it.

        A page of another site must not reach this one: not by a name that it points to this machine (Host tells that),
        and not by a request of its own (Origin tells that). With a token there may be a proxy in front, which speaks
        HTTPS and puts a Host of its own in: then Origin may also be what X-Forwarded-Host says, a header that no
        browser lets another site's page send.
        """
        host = request.headers.get("host", "")
        place = _place(f"http://{host}")
        if place is None or not (self.token or place[0] in ("localhost", "127.0.0.1", "::1", self._host)):
            return "This page answers at its own address only."
        origin = request.headers.get("origin")
        if origin is not None:
            scheme, sender = origin.partition("://")[0], _place(origin)
            ours = [host, _first(request, "x-forwarded-host")] if self.token else [host]
            if sender is None or sender not in [_place(f"{scheme}://{name}") for name in ours]:
                return "This page takes nothing from other sites."
        return ""

    def user_of(self, request: HTTPConnection) -> User | None:
        """Return who asks; None for somebody who has no valid cookie."""
        if not self.token:
            return self._user
        name, _, signature = request.cookies.get(COOKIE, "").partition(".")
        return User(f"web:{name}", "Guest") if name and _equal(signature, self._signature(name)) else None

    def knows(self, token: str) -> bool:
        """Tell whether this is the token that was printed at start."""
        return bool(self.token) and _equal(token, self.token)

    def new_cookie(self) -> str:
        """Return a cookie's value that stands for a person who was not here before."""
        name = secrets.token_hex(12)
        return f"{name}.{self._signature(name)}"

    def _signature(self, name: str) -> str:
        return self._made(f"cookie {name}").hex()

    def _made(self, of: str) -> bytes:
        # Not from the token: every guest knows that, and none may sign as another.
        return hmac.digest(self._secret, _bytes(of), hashlib.sha256)


def is_https(request: HTTPConnection) -> bool:
    """Tell whether the browser came by HTTPS, to this process or to a proxy in front of it."""
    return request.scope.get("scheme") in ("https", "wss") or _first(request, "x-forwarded-proto") == "https"


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


def _place(url: str) -> tuple[str, int] | None:
    """Return host and port; None where the URL is none or has no host."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname else None


def _first(request: HTTPConnection, header: str) -> str:
    """Return what the proxy next to the browser wrote, where several did."""
    return request.headers.get(header, "").partition(",")[0].strip().lower()


def _equal(given: str, right: str) -> bool:
    return hmac.compare_digest(_bytes(given), _bytes(right))


def _bytes(text: str) -> bytes:
    return text.encode(errors="backslashreplace")
