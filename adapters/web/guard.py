"""The gate in front of every request and every socket."""

from urllib.parse import quote, urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.web.access import COOKIE, COOKIE_AGE, Access, is_https

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


class Guard:
    """Lets through who has access, as `scope["user"]`, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
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
        if self._access.knows(request.query_params.get("token", "")):
            return self._let_in(request, known=scope["user"] is not None)
        if scope["user"] is None and scope["path"] != "/health":
            return PlainTextResponse(
                "Open this page by the address with its token, printed where the bot was started.", 401
            )
        return None

    def _let_in(self, request: HTTPConnection, known: bool) -> Response:
        """Return the way to the same address without the token, with a cookie in its place."""
        others = [(name, value) for name, value in request.query_params.multi_items() if name != "token"]
        path = "/" + quote(request.scope["path"].lstrip("/"))  # "//name" would be another site
        response = RedirectResponse(path + (f"?{urlencode(others)}" if others else ""), 303)
        if not known:
            cookie, secure = self._access.new_cookie(), is_https(request)
            response.set_cookie(COOKIE, cookie, max_age=COOKIE_AGE, httponly=True, samesite="lax", secure=secure)
        return response
