"""The page: where its parts are put together and served."""

import asyncio
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from functools import partial
from html import escape
from pathlib import Path
from threading import Thread
from urllib.parse import quote

from nicegui import Client, app, ui
from nicegui.server import Server
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from adapters.secret import load_secret
from adapters.serving import DEFAULT_CLIENT_LIMITS, SlowClients
from adapters.watching import METRICS_TYPE, Watched, exposition
from adapters.web.admission import AdmissionMiddleware, PageConnection, WebAccess, require_loopback
from adapters.web.mailbox import add_files, draw_letter, draw_list, latest, read
from adapters.web.sidebar import Sidebar, add_list
from adapters.web.talks import Talks
from adapters.web.theme import draw_switch
from adapters.web.view import ChatView, WebInfo
from router.cards import File, Text
from router.errors import SettingsError
from router.memory.draft import User
from router.storage.database import Database

# The browser is told the page's address without telling the token to other accounts.


_PAGE_HEAD = (
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={}"><title>Opening…</title>'
)


def open_browser(address: str, file: Path) -> None:
    """Have the browser open the file, which leads to the address; nobody else can read it.

    What a program is started with can be seen by every account of a machine, so the address itself is no argument.
    """
    file.touch(0o600)
    file.chmod(0o600)
    file.write_text(_PAGE_HEAD.replace("{}", escape(address)), encoding="utf-8")
    Thread(target=webbrowser.open, args=(file.absolute().as_uri(),), daemon=True, name="browser").start()


@contextmanager
def remove_at_end(file: Path) -> Iterator[None]:
    """Remove the file at the end of the block, if there is one."""
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


# Addresses beside the page: style and script, health, and the files of one's talks.


PAGE_FOLDER = Path(__file__).parent


def add_routes(talks: Talks) -> None:
    """Serve the style and the script, /health, and each file to the person who was shown it and may still have it."""
    log, router = talks.log, talks.router
    for name in ("page.css", "page.js"):
        app.add_static_file(local_file=PAGE_FOLDER / name, url_path=f"/page/{name}", max_cache_age=0)

    @app.get("/health")
    def health() -> Response:
        return JSONResponse({"status": "ok"})

    @app.get("/files/{thread}/{number}/{index}")
    async def file(request: Request, thread: str, number: int, index: int) -> Response:
        user: User = request.scope["user"]
        mine = await asyncio.to_thread(log.thread, thread, user.id)
        entry = await asyncio.to_thread(log.entry, thread, number) if mine else None
        card = entry.reply.cards[index] if entry and 0 <= index < len(entry.reply.cards) else None
        if not isinstance(card, File):
            return PlainTextResponse("There is no such file in your conversations.", 404)
        allowed = await asyncio.to_thread(router.history.file, user, card)
        if isinstance(allowed, Text):
            return PlainTextResponse(allowed.body, 403)
        if not allowed.path.is_file():
            return PlainTextResponse("This file was cleared away. Ask for it again in the conversation.", 404)
        named = {"Content-Disposition": f"attachment; filename*=utf-8''{quote(card.name)}"}
        return FileResponse(allowed.path, media_type=card.mime, headers=named)


def _watch(watched: Watched) -> None:
    """Answer those who watch the process."""

    @app.get("/health/live")
    def live() -> Response:
        return JSONResponse({"status": "ok"})

    @app.get("/health/ready")
    async def ready() -> Response:
        said, status = await watched.readiness()
        return JSONResponse({"status": said}, status)

    @app.get("/metrics")
    async def metrics(request: Request) -> Response:
        if not watched.token:
            return PlainTextResponse("Not found", 404)
        if not watched.may_read(request.headers.get("Authorization", "")):
            return PlainTextResponse("Bring the token.", 401, {"WWW-Authenticate": "Bearer"})
        return Response(await asyncio.to_thread(exposition, watched.database), media_type=METRICS_TYPE)


# The line at the top.


TITLE = "icc-bot"
LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="28" height="28">'
    '<rect width="32" height="32" rx="8" fill="#2456c6"/>'
    '<path d="M8 10.5a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3h-5.5L11 25v-4.5a3 3 0 0 1-3-3z" fill="#fff"/>'
    '<path d="M12.5 12h7M12.5 16h4.5" stroke="#2456c6" stroke-width="2" stroke-linecap="round"/></svg>'
)


def draw_head(client: Client, info: WebInfo, sidebar: Sidebar, public: bool) -> None:
    """Draw the line, and the box that its info button opens; guests find no list of databases in the line."""
    about = _about(info)
    with ui.header().classes("head"):
        _icon_button("menu", "Conversations").on_click(sidebar.drawer.toggle)
        with ui.element("a").classes("home").props('href="/" title="New conversation"'):
            ui.html(LOGO, sanitize=False).classes("logo").props("aria-hidden=true")
            ui.label(TITLE).classes("name")
        if info.notice:
            ui.label(info.notice).classes("notice")
        ui.space()
        if (databases := info.databases()) and not public:
            ui.label(_short(databases)).classes("databases").props["title"] = ", ".join(databases)
        if info.mail and not public:
            _icon_button("mail_outline", "Mailbox of the demo").on_click(lambda: ui.navigate.to("/mail"))
        draw_switch(client, _icon_button("dark_mode", "Light or dark"))
        _icon_button("info_outline", "About").on_click(about.open)


def _short(databases: tuple[str, ...]) -> str:
    more = len(databases) - 1
    return f"{databases[0]} and {more} more" if more else databases[0]


def _icon_button(icon: str, label: str) -> ui.button:
    button = ui.button(icon=icon, color=None).props("flat round dense").classes("icon")
    button.props.update({"aria-label": label, "title": label})
    return button


def _about(info: WebInfo) -> ui.dialog:
    rows = (
        ("Databases", ", ".join(info.databases())),
        ("Model", info.model),
        ("Version", info.version),
        ("Note", info.notice),
    )
    with ui.dialog().props('aria-label="About"') as dialog, ui.element("div").classes("about"):
        ui.label(f"About {TITLE}").classes("prompt").props("role=heading aria-level=2")
        ui.label("A model writes the SQL, the bot checks that it only reads, and you decide whether it runs.")
        for name, value in rows:
            if value:
                ui.label(name).classes("label")
                ui.label(value)
        ui.button("Close", color=None, on_click=dialog.close).props("no-caps unelevated").classes("press plain")
    return dialog


def serve(
    talks: Talks,
    at_work: Callable[[], AbstractAsyncContextManager[object]],
    *,
    host: str,
    port: int,
    folder: Path,
    database: Database,
    user: User,
    info: WebInfo,
    public: bool = False,
    open_browser: bool = False,
    token: str | None = None,
    metrics_token: str = "",
) -> None:
    """Serve the page until SIGINT or SIGTERM; meanwhile the bot is `at_work`. Secrets lie in `folder`.

    The address, which holds the token, is printed; port 0 takes any free one.
    `token` is one of the person's own; with "" none is asked for. Its bearer on loopback is `user`. Another
    host is refused unless `public`; then everybody who comes with the token is a person of their own, so `info` must
    hold what all of them may know. Raises SettingsError if host or port cannot be used.
    """
    if not public:
        require_loopback(host)
    port = _free_port(host, port)
    access = WebAccess(host, user, load_secret(folder / "page.secret"), public, token)
    address = f"http://{_shown(host)}:{port}/" + (f"?token={access.token}" if access.token else "")
    lead = folder / "open-page.html"
    app.add_middleware(AdmissionMiddleware, access=access)
    add_routes(talks)
    _watch(Watched(database, metrics_token))
    _add_pages(talks, info, public)
    work = AsyncExitStack()

    async def begin() -> None:
        talks.begin_hearing()
        await work.enter_async_context(at_work())

    app.on_startup(begin)
    app.on_startup(partial(_announce, address, lead if open_browser else None))
    app.on_shutdown(work.aclose)
    with _signals_only_stop(), remove_at_end(lead):
        ui.run(
            host=host, port=port, title=TITLE, favicon=LOGO, dark=None, language="en-US", reload=False,
            show=False, access_log=False, show_welcome_message=False, tailwind=False,
            binding_refresh_interval=None, reconnect_timeout=20.0, timeout_graceful_shutdown=3,
            http=partial(PageConnection, SlowClients(DEFAULT_CLIENT_LIMITS)),
        )  # fmt: skip


def _add_pages(talks: Talks, info: WebInfo, public: bool) -> None:
    async def framed(client: Client, user: User, thread: str) -> Sidebar:
        ui.add_head_html('<link rel="stylesheet" href="/page/page.css"><script src="/page/page.js"></script>')
        sidebar = Sidebar(talks, user)
        draw_head(client, info, sidebar, public)
        await sidebar.draw(thread)
        client.on_connect(lambda: client.run_javascript("iccWatch()"))
        return sidebar

    async def drawn(client: Client, request: Request, thread: str) -> ChatView:
        user: User = request.scope["user"]
        sidebar = await framed(client, user, thread)
        return ChatView(client, talks, user, thread or "new", info, sidebar)

    @ui.page("/")
    async def new(client: Client, request: Request) -> None:
        (await drawn(client, request, "")).greet()

    @ui.page("/c/{thread}")  # links to a message are made of this
    @ui.page("/t/{thread}")
    async def old(client: Client, request: Request, thread: str) -> Response | None:
        found = await asyncio.to_thread(talks.log.thread, thread, request.scope["user"].id)
        if found is None:
            return RedirectResponse("/")
        client.title = f"{found.title} – {TITLE}"
        await (await drawn(client, request, thread)).look(thread)
        return None

    add_list(framed, talks.router, TITLE)
    if info.mail is None or public:
        return
    mailbox = info.mail
    add_files(mailbox)

    @ui.page("/mail")
    async def mail(client: Client, request: Request) -> None:
        found = await asyncio.to_thread(latest, mailbox)
        await framed(client, request.scope["user"], "")
        draw_list(found)

    @ui.page("/mail/{name}")
    async def letter(client: Client, request: Request, name: str) -> Response | None:
        found = await asyncio.to_thread(read, mailbox, name)
        if found is None:
            return RedirectResponse("/mail")
        client.title = f"{found['Subject']} – {TITLE}"
        await framed(client, request.scope["user"], "")
        draw_letter(name, found)
        return None


async def _announce(address: str, lead: Path | None) -> None:
    """Print the address once it answers, and open it by way of the file, if one is given."""
    while not Server.instance.started:  # noqa: ASYNC110  the server has no event to wait for
        await asyncio.sleep(0.05)
    sys.stdout.write(f"The page is at {address} (Ctrl-C ends it).\n")
    sys.stdout.flush()
    if lead:
        open_browser(address, lead)


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
