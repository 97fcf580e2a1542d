"""Who may come in: whoever was given the token, who is on loopback the person at this machine.

Loopback is open to every account of a machine, so it takes a token there, too. The token and the signatures of cookies
are both made from one secret, kept in a file that its owner alone can read. So the link that was printed holds after a
restart, and open tabs go on; who deletes the file takes back the token and all the cookies. What is made for guests
lets nobody in on loopback: a guest may have an account there.
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
    """Tells who a request comes from; `token` is one of the person's own, "" for none, by default one that is made."""

    def __init__(self, host: str, user: User, secret: bytes, public: bool, token: str | None = None) -> None:
        self._host, self._user, self._secret, self.public = host, user, secret, public
        made = self._made("token" if public else "loopback token")[:24]
        self.token = base64.urlsafe_b64encode(made).decode() if token is None else token
        # Browsers give a cookie to every port of a host: two bots of one person must not take it from each other.
        self.cookie = COOKIE if public else f"{COOKIE}_{self._made('cookie name').hex()[:8]}"

    def refusal(self, request: HTTPConnection) -> str:
        """Return why nobody is answered here, as a sentence; empty where there is nothing against it.

        A page of another site must not reach this one: not by a name that it points to this machine (Host tells that),
        and not by a request of its own (Origin tells that). A public page may have a proxy in front, which speaks
        HTTPS and puts a Host of its own in: then Origin may also be what X-Forwarded-Host says, a header that no
        browser lets another site's page send.
        """
        host = request.headers.get("host", "")
        place = _place(f"http://{host}")
        if place is None or not (self.public or place[0] in ("localhost", "127.0.0.1", "::1", self._host)):
            return "This page answers at its own address only."
        origin = request.headers.get("origin")
        if origin is not None:
            scheme, sender = origin.partition("://")[0], _place(origin)
            ours = [host, _first(request, "x-forwarded-host")] if self.public else [host]
            if sender is None or sender not in [_place(f"{scheme}://{name}") for name in ours]:
                return "This page takes nothing from other sites."
        return ""

    def user_of(self, request: HTTPConnection) -> User | None:
        """Return who asks; None for somebody who has no valid cookie."""
        if not self.token:
            return self._user
        name, _, signature = request.cookies.get(self.cookie, "").partition(".")
        if not name or not _equal(signature, self._signature(name)):
            return None
        return User(f"web:{name}", "Guest") if self.public else self._user

    def knows(self, token: str) -> bool:
        """Tell whether this is the token that was printed at start."""
        return bool(self.token) and _equal(token, self.token)

    def new_cookie(self) -> str:
        """Return a cookie's value, which on a public page stands for a person who was not here before."""
        name = secrets.token_hex(12)
        return f"{name}.{self._signature(name)}"

    def _signature(self, name: str) -> str:
        return self._made(f"cookie {name}" if self.public else f"cookie {name} on loopback for {self.token}").hex()

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
