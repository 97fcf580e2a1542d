"""Starts a surface over a built bot, and stops both together."""

import logging
import logging.handlers
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from getpass import getuser
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

from adapters.console import talk
from adapters.turns import Turns
from bot.demo.mailbox import YOU, mailbox
from bot.settings import Settings, read_settings
from bot.wiring import Bot, built
from router.errors import BotError, SettingsError
from router.jobs.mail.office import Office
from router.memory import User
from router.policy import readable

EXAMPLES = (
    "Which five customers brought the most revenue this year?",
    "What was the revenue by store last year?",
    "How many support tickets are open, by priority?",
    "What is the average order value per channel?",
)


def serve_page(*, demo: bool, host: str, port: int | None, public: bool, open_browser: bool) -> int:
    """Serve the page until it is interrupted."""
    if find_spec("nicegui") is None:
        raise SettingsError(["The page needs a further package; install it with: pip install 'icc-bot[web]'."])
    from adapters.web.page import WebInfo, serve

    settings = read_settings()
    if public and settings.page_token == "":
        raise SettingsError(["ICC_BOT_WEB_TOKEN is off, and --public opens the page to others. Unset one of them."])
    log_to(settings.home)
    with _mailbox(settings, demo) as office, built(settings, demo=demo, say=print, office=office) as bot:
        choice = bot.model()
        user = User(f"web:{getuser()}", getuser(), settings.email or (YOU if office else ""))
        anybody = User("") if public else user
        samples = demo or (bot.tools.connections.default is not None and bot.tools.connections.default.name == "sample")
        turns = Turns(bot.router)
        Thread(target=warm, args=(bot,), daemon=True, name="warm").start()
        try:
            serve(
                turns,
                host=host,
                port=settings.port if port is None else port,
                folder=settings.home,
                user=user,
                info=WebInfo(
                    lambda: tuple(connection.label for connection in readable(bot.tools.connections, anybody)),
                    choice.name,
                    choice.why.removeprefix(f"{choice.name}: "),
                    EXAMPLES if samples else (),
                    "All data here is invented." if samples else "",
                    version("icc-bot"),
                    mail_in(settings) if office else None,
                ),
                public=public,
                open_browser=open_browser,
                timer=bot.timer,
                token=settings.page_token,
            )
        finally:
            turns.close()
    return 0


@contextmanager
def _mailbox(settings: Settings, demo: bool) -> Iterator[Office | None]:
    """Take the demo's e-mails, where the package for that is installed; any other page sends them by its settings."""
    if not demo or find_spec("aiosmtpd") is None:
        yield None
        return
    with mailbox(mail_in(settings), settings.results_kept) as office:
        yield office


def mail_in(settings: Settings) -> Path:
    """Return the folder of the demo's e-mails."""
    return settings.home / "mail"


def serve_console(thread: str | None) -> int:
    """Hold one talk in this terminal; the exit status is 0 when it came to its end or the input did."""
    settings = read_settings()
    log_to(settings.home)
    with built(settings, say=lambda text: print(text, file=sys.stderr), repeats=False) as bot:
        user = User(f"console:{getuser()}", getuser(), settings.email)
        talk(bot.router, user, thread or secrets.token_hex(4), _whole_lines(), sys.stdout, sys.stderr)
    return 0


def _whole_lines() -> Iterator[str]:
    """Yield the lines of standard input; bytes that are no text become question marks."""
    for line in sys.stdin.buffer:
        yield line.decode(errors="replace")


def warm(bot: Bot) -> None:
    """Have the tables of the default database read, and the model warmed with them, before the first question comes."""
    connections = bot.tools.connections
    first = connections.default or (next(iter(connections.values())) if len(connections) == 1 else None)
    if first is None:
        return
    try:
        bot.tools.warm(bot.tools.catalog.schema(first.name))
    except BotError as error:
        logging.getLogger("icc_bot").warning("%s", error)


def log_to(home: Path) -> None:
    """Write the log to a file of its own: a trace belongs there, and never into a talk."""
    folder = home / "log"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = logging.handlers.RotatingFileHandler(
        folder / "icc-bot.log", maxBytes=5_000_000, backupCount=3, delay=True
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    for noisy in ("httpx", "httpcore", "sqlitedict", "uvicorn.access", "mail.log"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
