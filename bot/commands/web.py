"""`icc-bot demo` and `icc-bot web`: the page over a built bot."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from getpass import getuser
from importlib.metadata import version
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

from adapters.chat.conversation_service import ConversationService
from adapters.chat.inbox import Inbox
from adapters.chat.reply_sender import ReplySender
from adapters.chat.shown_messages import ShownMessages
from adapters.serving import LOOPBACK
from adapters.turns import TALKS_AT_ONCE, Turns
from adapters.web.changes import TalkChanges
from adapters.web.log import TalkLog
from adapters.web.surface import PageSurface
from adapters.web.talks import Talks
from bot.checks.start import sharing_problems
from bot.command_line import Say
from bot.commands.chat_platform import begin_work
from bot.commands.service import alone, log_to, sharing, task_queue, turns_of
from bot.demo.mailbox import DEMO_ADDRESS, mailbox
from bot.settings.environment import Settings
from bot.tracing import send_traces
from bot.wiring.bot import Bot, build_bot
from router.errors import SettingsError
from router.jobs.mail.mail_config import MailConfig
from router.memory.draft import User
from router.policy import example_questions, readable_connections

if TYPE_CHECKING:
    from adapters.task_queue import TaskQueue

PAGE: Final = "web"
"""The queue of the page."""


def serve_page(
    settings: Settings,
    say: Say,
    *,
    demo: bool = False,
    host: str = LOOPBACK,
    port: int | None = None,
    public: bool = False,
    open_browser: bool = True,
    concurrency: int = TALKS_AT_ONCE,
) -> int:
    """Serve the page until it is interrupted; over a server, work on so many talks of the page at once.

    The demo has databases and a mailbox of its own, and leaves no talk to others.
    """
    if find_spec("nicegui") is None:
        raise SettingsError(["The page needs a further package; install it with: pip install 'icc-bot[web]'."])
    from adapters.web.page import serve
    from adapters.web.view import WebInfo

    works = concurrency > 0
    problems = [": ".join(problem) for problem in sharing_problems(settings, works=works)]
    if public and settings.page_token == "":
        problems.append("ICC_BOT_WEB_TOKEN is off, and --public opens the page to others. Unset one of them.")
    if problems:
        raise SettingsError(problems)
    log_to(settings)
    queue = "demo" if demo else PAGE
    with (
        alone(settings, [queue]),
        send_traces(settings),
        _mailbox(settings, demo) as mail_config,
        build_bot(settings, demo=demo, say=say, mail_config=mail_config, works=works) as bot,
        turns_of(bot, concurrency, warm=works) as turns,
    ):
        user = User(f"web:{getuser()}", getuser(), settings.email or (DEMO_ADDRESS if mail_config else ""))
        anybody = User("") if public else user
        samples = demo or (
            bot.services.connections.default is not None and bot.services.connections.default.name == "sample"
        )
        tasks = None if demo else task_queue(bot, settings)
        talks = page_talks(bot, turns, tasks, queue)
        serve(
            talks,
            lambda: sharing(bot, tasks, at_work(talks, bot), [PAGE], concurrency),
            host=host,
            port=settings.port if port is None else port,
            folder=settings.home,
            database=bot.database,
            user=user,
            info=WebInfo(
                lambda: tuple(
                    connection.label for connection in readable_connections(bot.services.connections, anybody)
                ),
                bot.model().name if works else "",
                partial(example_questions, bot.services.connections),
                "All data here is invented." if samples else "",
                version("icc-bot"),
                mail_in(settings) if mail_config else None,
            ),
            public=public,
            open_browser=open_browser,
            token=settings.page_token,
            metrics_token=settings.watcher,
        )
    return 0


def page_talks(bot: Bot, turns: Turns, tasks: "TaskQueue | None", queue: str = PAGE) -> Talks:
    """Return the talks of the page; `queue` names what it takes in.

    A thread's buttons hold as long as the thread: nothing of what was shown is forgotten before.
    """
    log, changes, inbox = TalkLog(bot.database), TalkChanges(tasks), Inbox(bot.database, queue)
    bot.housekeeping.add(inbox.expire, now=True)
    shown = ShownMessages(bot.database, PAGE)
    # A person who looks at the page needs no new message to notice that something was answered.
    sender = ReplySender(PageSurface(log, changes), shown, bot.router, patient=inf, pace=0.0)
    return Talks(ConversationService(queue, turns, bot.services, sender, inbox, tasks), log, changes)


@asynccontextmanager
async def at_work(talks: Talks, bot: Bot) -> AsyncIterator[None]:
    """Work on talks of the page until the end of the block, for which its tabs wait."""
    async with AsyncExitStack() as stack:
        begin_work(PAGE, talks.service, bot, stack, brief=True)
        yield


@contextmanager
def _mailbox(settings: Settings, demo: bool) -> Iterator[MailConfig | None]:
    """Take the demo's e-mails, if the package for that is installed; any other page sends them by its settings."""
    if not demo or find_spec("aiosmtpd") is None:
        yield None
        return
    with mailbox(mail_in(settings), settings.results_kept) as mail_config:
        yield mail_config


def mail_in(settings: Settings) -> Path:
    """Return the folder of the demo's e-mails."""
    return settings.home / "mail"
