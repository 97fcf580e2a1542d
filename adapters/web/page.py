"""The page: where its parts are put together and served."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nicegui import Client, app, ui
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from adapters.turns import Turns
from adapters.web.access import Access, demand_loopback, kept_secret
from adapters.web.guard import Guard
from adapters.web.head import LOGO, draw_head
from adapters.web.info import WebInfo
from adapters.web.log import Log
from adapters.web.routes import add_routes
from adapters.web.sidebar import Sidebar
from adapters.web.talks import Talks
from adapters.web.view import ChatView
from router.errors import SettingsError
from router.memory import User


def serve(
    turns: Turns,
    *,
    host: str,
    port: int,
    folder: Path,
    user: User,
    title: str = "icc-bot",
    info: WebInfo | None = None,
    public: bool = False,
    open_browser: bool = False,
    announce: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve the page until SIGINT or SIGTERM; the log of all talks lies in `folder`, `announce` is told the address.

    Everybody on loopback is `user`. Another host is refused unless `public`; then the address holds a token, and
    everybody who comes with it is a person of their own. Raises SettingsError where host or port cannot be used.
    """
    if not public:
        demand_loopback(host)
    _demand_free(host, port)
    access = Access(host, user, kept_secret(folder / "page.secret"), public)
    log = Log(folder / "page.sqlite")
    talks = Talks(turns, log)
    start = f"/?token={access.token}" if public else "/"
    app.add_middleware(Guard, access=access)
    add_routes(log)
    _add_pages(talks, title, info or WebInfo())
    app.on_startup(lambda: announce(f"http://{_shown(host)}:{port}{start}"))
    app.on_shutdown(talks.close)
    try:
        with _signals_only_stop():
            ui.run(
                host=host, port=port, title=title, favicon=LOGO, dark=None, language="en-US", reload=False,
                show=start if open_browser else False, show_welcome_message=False, tailwind=False,
                binding_refresh_interval=None, reconnect_timeout=20.0, timeout_graceful_shutdown=3,
            )  # fmt: skip
    finally:
        log.close()


def _add_pages(talks: Talks, title: str, info: WebInfo) -> None:
    def draw(client: Client, request: Request, thread: str) -> None:
        user: User = request.scope["user"]
        ui.add_head_html('<link rel="stylesheet" href="/page/page.css"><script src="/page/page.js"></script>')
        sidebar = Sidebar(talks.log, user)
        draw_head(client, title, info, sidebar)
        sidebar.draw(thread)
        ChatView(client, talks, user, thread, info, sidebar)
        client.on_connect(lambda: client.run_javascript("iccWatch()"))

    @ui.page("/")
    def new(client: Client, request: Request) -> None:
        draw(client, request, "")

    @ui.page("/t/{thread}")
    def old(client: Client, request: Request, thread: str) -> Response | None:
        found = talks.log.thread(thread, request.scope["user"].id)
        if found is None:
            return RedirectResponse("/")
        client.title = f"{found.title} – {title}"
        draw(client, request, thread)
        return None


def _demand_free(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            why = (
                f"The page cannot be served at {host}, port {port}: {error.strerror}. Choose another port with --port."
            )
            raise SettingsError([why]) from error


def _shown(host: str) -> str:
    return "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host  # noqa: S104


@contextmanager
def _signals_only_stop() -> Iterator[None]:
    """Let SIGINT and SIGTERM end the server and nothing else: the server raises them again once it has stopped."""
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
