"""The gate in front of every request and every socket."""

from html import escape
from urllib.parse import quote, urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.web.access import COOKIE_AGE, Access, is_https

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

_UNSEEN = {"Cache-Control": "no-store"}
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
        given = request.query_params.get("token", "").rpartition("token=")[2].strip()
        if self._access.knows(given):
            return self._let_in(request, known=scope["user"] is not None)
        if scope["user"] is None and scope["path"] != "/health":
            return HTMLResponse(_DOOR.replace("{}", _WRONG if given else _ASKED), 401, _UNSEEN)
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
                max_age=COOKIE_AGE if self._access.public else None,
                httponly=True,
                samesite="lax" if self._access.public else "strict",
                secure=is_https(request),
            )
        return response


def _led(request: HTTPConnection, address: str) -> Response:
    """Return what leads the browser on.

    A strict cookie does not come along where another site, or a file, began what is still being redirected: then a page
    of our own begins anew.
    """
    if request.headers.get("sec-fetch-site") != "cross-site":
        return RedirectResponse(address, 303, _UNSEEN)
    again = f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(address)}"><title>Opening…</title>'
    return HTMLResponse(again, headers=_UNSEEN)
