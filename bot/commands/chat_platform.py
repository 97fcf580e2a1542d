"""Serves a chat platform over a built bot: the shared half of `icc-bot slack` and `icc-bot teams`."""

import asyncio
import gc
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING

from adapters.chat.approvers import Approvers
from adapters.chat.conversation_service import BUTTONS_LIFETIME_SECONDS, ConversationService
from adapters.chat.inbox import Inbox
from adapters.chat.notifier import ChatNotifier
from adapters.chat.reply_sender import ReplySender
from adapters.chat.shown_messages import ShownMessages
from adapters.chat.surface import Surface
from adapters.event_loop_bridge import EventLoopBridge
from adapters.public_pages import SitePages
from adapters.turns import Turns
from bot.commands.service import alone, log_to, sharing, stop_signal, task_queue, turns_of
from bot.models.providers import find
from bot.settings.environment import Settings
from bot.tracing import send_traces
from bot.wiring.bot import Bot, ResultPage, build_bot
from router.jobs.feedback import UNRATED_LIFETIME
from router.notifier import Responders

if TYPE_CHECKING:
    from adapters.task_queue import TaskQueue

AtWork = Callable[[Bot, Turns, "TaskQueue | None"], AbstractAsyncContextManager[int]]


def hold_talks(
    settings: Settings,
    at_work: AtWork,
    greeting: Callable[[int], str],
    page: ResultPage,
    queues: Sequence[str],
    concurrency: int,
    sample: bool = False,
) -> None:
    """Build the bot and serve platforms until the process is asked to stop.

    `at_work` answers until the end of its block and gives the port; `greeting` says so in the terminal. Over a server,
    where processes share the work, this one does that of these `queues`, so many talks at once: 0 leaves all to others.
    `sample`: it is a trial on the sample databases.
    """
    works = concurrency > 0
    log_to(settings)
    with (
        alone(settings, queues),
        send_traces(settings),
        build_bot(
            settings,
            sample=sample,
            say=print,
            page=page,
            details=False,
            works=works,
        ) as bot,
        turns_of(bot, concurrency, warm=works) as turns,
    ):

        async def serve() -> None:
            stop = stop_signal()
            tasks = task_queue(bot, settings)
            async with sharing(bot, tasks, at_work(bot, turns, tasks), queues, concurrency) as port:
                print(greeting(port), flush=True)
                await stop.wait()
                print("Stopping: what runs is ended, everything else is kept.", flush=True)

        spare_garbage_collection()
        asyncio.run(serve())


GARBAGE_THRESHOLDS = (5_000, 20, 20)
"""New objects after which Python looks for garbage in circles; its own 700 is for small programs."""


def spare_garbage_collection() -> None:
    """Have Python look for garbage less often, and never through what was loaded at the start.

    A million objects of libraries stay as long as the process does; to go through them took a fifth of all computing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)


def service_of(
    platform: str,
    surface: Surface,
    bot: Bot,
    turns: Turns,
    stack: AsyncExitStack,
    tasks: "TaskQueue | None" = None,
) -> ConversationService:
    """Return the conversation service of a platform, closed with the stack; it takes up what was left.

    What is put on the stack later ends before: nothing new comes in while the last words are said. With `tasks`, all
    processes that have them share the work.
    """
    inbox, shown = Inbox(bot.database, platform), ShownMessages(bot.database, platform)
    bot.housekeeping.add(inbox.expire, now=True)
    bot.housekeeping.add(partial(shown.expire, BUTTONS_LIFETIME_SECONDS), now=True)
    approvals = bot.services.approvals
    approvers = Approvers(platform, surface, approvals, bot.services.connections) if approvals else None
    reply_sender = ReplySender(surface, shown, bot.router, approvers=approvers)
    service = ConversationService(platform, turns, bot.services, reply_sender, inbox, tasks)
    begin_work(platform, service, bot, stack)
    return service


def begin_work(
    platform: str, service: ConversationService, bot: Bot, stack: AsyncExitStack, *, brief: bool = False
) -> None:
    """Take up what was left, and tell people what they did not ask for just now, until the end of the stack.

    `brief`: people wait for that end.
    """
    recovering = asyncio.create_task(service.recover())
    stack.push_async_callback(service.close, brief=brief)
    stack.callback(recovering.cancel)
    notifier = ChatNotifier(service, EventLoopBridge(asyncio.get_running_loop()))
    bot.services.humans.open(platform, notifier)
    if bot.timer:
        bot.timer.open(platform, notifier)
        stack.callback(bot.timer.stop)


# What the pages for everybody tell of this bot.


OLLAMA_CLOUD_SUFFIX = "cloud"
"""The end of the names of those models that Ollama's own company runs."""


def site_pages(settings: Settings, contact: str) -> SitePages:
    """Return what the pages of this bot say; `contact` is whom they name."""
    return SitePages(
        contact=contact.strip(),
        company=_company(settings),
        days=settings.result_days,
        unrated=UNRATED_LIFETIME.days,
        prompts=settings.prompt_logging,
        helped=settings.reach != Responders(),
    )


def _company(settings: Settings) -> str:
    """Return whose service the model is that writes SQL; empty if the administrator chose its server."""
    named = settings.sql_model or ""
    if provider := find(named):
        return "" if settings.model_base_url else provider.label
    return "Ollama" if named.endswith(OLLAMA_CLOUD_SUFFIX) else ""
