"""The page: where its parts are put together and served."""

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from nicegui import Client, app, ui
from nicegui.server import Server
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from adapters.bridge import Bridge
from adapters.secret import kept_secret
from adapters.slow_clients import PATIENCE, Patience, SlowClients
from adapters.turns import Turns
from adapters.web import opening
from adapters.web.access import Access, demand_loopback
from adapters.web.connection import PageConnection
from adapters.web.guard import Guard
from adapters.web.head import LOGO, draw_head
from adapters.web.herald import PageHerald
from adapters.web.info import WebInfo
from adapters.web.letters import headings, kept
from adapters.web.log import Log
from adapters.web.mail import add_files, draw_letter, draw_list
from adapters.web.repeated import add_list
from adapters.web.routes import add_routes
from adapters.web.sidebar import Sidebar
from adapters.web.talks import Talks
from adapters.web.view import ChatView
from router.errors import SettingsError
from router.memory import User
from router.timer import Timer

__all__ = ["WebInfo", "serve"]


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
    announce: Callable[[str], None] | None = None,
    timer: Timer | None = None,
    patience: Patience = PATIENCE,
    token: str | None = None,
) -> None:
    """Serve the page until SIGINT or SIGTERM; the log of all talks lies in `folder`.

    The address, which holds the token, is told to `announce`, by default on standard output; port 0 takes any free one.
    `token` is one of the person's own; with "" none is asked for. Whoever comes with it on loopback is `user`. Another
    host is refused unless `public`; then everybody who comes with the token is a person of their own, so `info` must
    hold what all of them may know. What is repeated is shown by `timer`. Raises SettingsError where host or port cannot
    be used.
    """
    if not public:
        demand_loopback(host)
    port = _free_port(host, port)
    access = Access(host, user, kept_secret(folder / "page.secret"), public, token)
    log = Log(folder / "page.sqlite")
    talks = Talks(turns, log)
    address = f"http://{_shown(host)}:{port}/" + (f"?token={access.token}" if access.token else "")
    lead = folder / "open-page.html"
    app.add_middleware(Guard, access=access)
    add_routes(talks)
    _add_pages(talks, title, info or WebInfo(), public)
    app.on_startup(partial(_tell, announce or _say, address, lead if open_browser else None))
    if timer:
        app.on_startup(partial(_repeat, timer, talks))
        app.on_shutdown(timer.stop)
    app.on_shutdown(talks.close)
    try:
        with _signals_only_stop(), opening.removed(lead):
            ui.run(
                host=host, port=port, title=title, favicon=LOGO, dark=None, language="en-US", reload=False,
                show=False, access_log=False, show_welcome_message=False, tailwind=False,
                binding_refresh_interval=None, reconnect_timeout=20.0, timeout_graceful_shutdown=3,
                http=partial(PageConnection, SlowClients(patience)),
            )  # fmt: skip
    finally:
        log.close()


def _add_pages(talks: Talks, title: str, info: WebInfo, public: bool) -> None:
    def framed(client: Client, user: User, thread: str) -> Sidebar:
        ui.add_head_html('<link rel="stylesheet" href="/page/page.css"><script src="/page/page.js"></script>')
        sidebar = Sidebar(talks.log, user)
        draw_head(client, title, info, sidebar, public)
        sidebar.draw(thread)
        client.on_connect(lambda: client.run_javascript("iccWatch()"))
        return sidebar

    def drawn(client: Client, request: Request, thread: str) -> ChatView:
        user: User = request.scope["user"]
        sidebar = framed(client, user, thread)
        return ChatView(client, talks, user, thread or "new", info, sidebar)

    @ui.page("/")
    def new(client: Client, request: Request) -> None:
        drawn(client, request, "").greet()

    @ui.page("/t/{thread}")
    async def old(client: Client, request: Request, thread: str) -> Response | None:
        found = talks.log.thread(thread, request.scope["user"].id)
        if found is None:
            return RedirectResponse("/")
        client.title = f"{found.title} – {title}"
        await drawn(client, request, thread).look(thread)
        return None

    add_list(framed, talks.turns.router, title)
    if info.mail is None or public:
        return
    mailbox = info.mail
    add_files(mailbox)

    @ui.page("/mail")
    async def mail(client: Client, request: Request) -> None:
        found = await asyncio.to_thread(headings, mailbox)
        framed(client, request.scope["user"], "")
        draw_list(found)

    @ui.page("/mail/{name}")
    async def letter(client: Client, request: Request, name: str) -> Response | None:
        found = await asyncio.to_thread(kept, mailbox, name)
        if found is None:
            return RedirectResponse("/mail")
        client.title = f"{found.heading.subject} – {title}"
        framed(client, request.scope["user"], "")
        draw_letter(found)
        return None


async def _repeat(timer: Timer, talks: Talks) -> None:
    """Begin to show what is due."""
    timer.open("web", PageHerald(talks, Bridge(asyncio.get_running_loop())))


async def _tell(announce: Callable[[str], None], address: str, lead: Path | None) -> None:
    """Announce the address once it answers, and open it by way of the file, if one is given."""
    while not Server.instance.started:  # noqa: ASYNC110  the server has no event to wait for
        await asyncio.sleep(0.05)
    announce(address)
    if lead:
        opening.open_browser(address, lead)


def _say(address: str) -> None:
    sys.stdout.write(f"The page is at {address} (Ctrl+C ends it).\n")
    sys.stdout.flush()


def _free_port(host: str, port: int) -> int:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            return int(probe.getsockname()[1])
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
