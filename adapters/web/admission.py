"""Decides which requests and sockets of the page are let in."""

import asyncio
import base64
import hashlib
import hmac
import secrets
from html import escape
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from adapters.serving import SlowClients
from adapters.watching import WATCHED_PATHS
from router.errors import SettingsError
from router.memory.draft import User

# Connections, as uvicorn holds them, with a deadline for what does not come.


IDLE_REQUEST_SECONDS: Final = 15
"""Seconds for the head of a further request; uvicorn itself hangs up after five of silence."""


class PageConnection(HttpToolsProtocol):
    """A connection of the page, with time limits for the browser; a web socket is handed on, without limits."""

    def __init__(self, slow: SlowClients, **options: Any) -> None:
        super().__init__(**options)
        self._slow = slow

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._slow.wait(transport, self._slow.patience.head)

    def on_headers_complete(self) -> None:
        """Wait for the body, unless an earlier request is still being answered."""
        answering = self._answering()
        super().on_headers_complete()
        if not answering:
            self._slow.wait(self.transport, self._slow.patience.body)

    def on_message_complete(self) -> None:
        """Let the browser wait for us, unless it has its answer already."""
        super().on_message_complete()
        if self._answering():
            self._slow.thank(self.transport)

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the rest of a body that nobody needs."""
        super().on_response_complete()
        if not self._answering():
            self._slow.wait(self.transport, min(IDLE_REQUEST_SECONDS, self._slow.patience.idle))
        elif self.cycle.more_body:
            self._slow.wait(self.transport, self._slow.patience.body)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection on."""
        self._slow.thank(self.transport)
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._slow.thank(self.transport)
        super().connection_lost(exc)

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete


# The token. Loopback is open to every account of a machine, so it takes a token there, too. The token and the
# signatures of cookies are both made from one secret, kept in a file that its owner alone can read. So the link that
# was printed holds after a restart, and open tabs go on; who deletes the file takes back the token and all the cookies.
# A guest's token lets nobody in on loopback: a guest may have an account there.


COOKIE = "icc_identity"
COOKIE_LIFETIME_SECONDS = 90 * 24 * 3600
"""Seconds for which a browser stays let in."""


class WebAccess:
    """Checks the origin of requests; `token` is one of the person's own, "" for none, by default a new one."""

    def __init__(self, host: str, user: User, secret: bytes, public: bool, token: str | None = None) -> None:
        self._host, self._user, self._secret, self.public = host, user, secret, public
        made = self._made("token" if public else "loopback token")[:24]
        self.token = base64.urlsafe_b64encode(made).decode() if token is None else token
        # Browsers give a cookie to every port of a host: two bots of one person must not take it from each other.
        self.cookie = COOKIE if public else f"{COOKIE}_{self._made('cookie name').hex()[:8]}"

    def refusal(self, request: HTTPConnection) -> str:
        """Return why nobody is answered here, as a sentence; empty if there is nothing against it.

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
        if not name or not _is_equal(signature, self._signature(name)):
            return None
        return User(f"web:{name}", "Guest") if self.public else self._user

    def knows(self, token: str) -> bool:
        """Return whether this is the token that was printed at start."""
        return bool(self.token) and _is_equal(token, self.token)

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
    """Return whether the browser came by HTTPS, to this process or to a proxy in front of it."""
    return request.scope.get("scheme") in ("https", "wss") or _first(request, "x-forwarded-proto") == "https"


def require_loopback(host: str) -> None:
    """Raise SettingsError if the page would be reachable from other machines."""
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
    """Return host and port; None if the URL is none or has no host."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname else None


def _first(request: HTTPConnection, header: str) -> str:
    """Return what the proxy next to the browser wrote, if several did."""
    return request.headers.get(header, "").partition(",")[0].strip().lower()


def _is_equal(given: str, right: str) -> bool:
    return hmac.compare_digest(_bytes(given), _bytes(right))


def _bytes(text: str) -> bytes:
    return text.encode(errors="backslashreplace")


# Everything comes from this address. Vue compiles templates in the browser, which needs the unsafe words for scripts.
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_NOT_CACHED = {"Cache-Control": "no-store"}
_DOOR = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Token needed</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 32rem; margin: 15vh auto; padding: 0 1rem }
  input { font: inherit; width: 100%; box-sizing: border-box; margin: .25rem 0 .75rem; padding: .5rem }
  button { font: inherit; padding: .4rem 1.2rem }
</style>
<h1>This page needs its token</h1>
<p>{}</p>
<form method="get">
  <label>The link, or the token at its end: <input type="password" name="token" autocomplete="off" autofocus></label>
  <button>Open</button>
</form>
</html>
"""
_ASKED = "Open the link with the token that was printed where the bot was started, or put it in here."
_WRONG = "This token is not known here. The right one is in the link that was printed where the bot was started."


class AdmissionMiddleware:
    """Lets through who has access, as `scope["user"]`, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, access: WebAccess) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        refusal = self._refusal(HTTPConnection(scope), scope)
        if refusal is None:
            await self._app(scope, receive, send_safely)
        elif scope["type"] == "http":
            await refusal(scope, receive, send_safely)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    def _refusal(self, request: HTTPConnection, scope: Scope) -> Response | None:
        """Return what is answered instead of the page; None to let the request through."""
        if sentence := self._access.refusal(request):
            return PlainTextResponse(sentence, 403)
        scope["user"] = self._access.user_of(request)
        given = request.query_params.get("token", "").rpartition("token=")[2].strip()
        if self._access.knows(given):
            return self._let_in(request, known=scope["user"] is not None)
        if scope["user"] is None and scope["path"] not in WATCHED_PATHS:
            return HTMLResponse(_DOOR.replace("{}", _WRONG if given else _ASKED), 401, _NOT_CACHED)
        return None

    def _let_in(self, request: HTTPConnection, known: bool) -> Response:
        """Return the way to the same address without the token, with a cookie in its place."""
        others = [(name, value) for name, value in request.query_params.multi_items() if name != "token"]
        path = "/" + quote(request.scope["path"].lstrip("/"))  # "//name" would be another site
        response = _led(request, path + (f"?{urlencode(others)}" if others else ""))
        if not known:
            response.set_cookie(
                self._access.cookie,
                self._access.new_cookie(),
                max_age=COOKIE_LIFETIME_SECONDS if self._access.public else None,
                httponly=True,
                samesite="lax" if self._access.public else "strict",
                secure=is_https(request),
            )
        return response


def _led(request: HTTPConnection, address: str) -> Response:
    """Return what leads the browser on.

    A strict cookie does not come along if another site, or a file, began what is still being redirected: then a page
    of our own begins again.
    """
    if request.headers.get("sec-fetch-site") != "cross-site":
        return RedirectResponse(address, 303, _NOT_CACHED)
    again = f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(address)}"><title>Opening…</title>'
    return HTMLResponse(again, headers=_NOT_CACHED)
