"""The bot at work in the loop of a test, with its parts at hand."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from adapters.chat.approvers import Approvers
from adapters.chat.conversation_service import ConversationService
from adapters.chat.inbox import Inbox
from adapters.chat.reply_sender import ReplySender
from adapters.chat.shown_messages import ShownMessages
from adapters.chat.surface import Heard
from adapters.slack.app import listen
from adapters.slack.bolt import OwnWorkspace, Workspace, bolt_app
from adapters.slack.clients import Clients
from adapters.slack.inbound import is_direct
from adapters.slack.open_modals import OpenModals
from adapters.slack.socket import Socket
from adapters.slack.surface import People, SlackSurface
from adapters.slack.writer import Writer
from adapters.turns import TALKS_AT_ONCE, Turns
from bot.commands.slack import SLACK_PAGE
from bot.wiring.bot import Bot, build_bot
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.turn import Input, Pressed, Said
from tests.platforms.ollama import Ollama
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message
from tests.support.bot_settings import settings_of
from tests.support.slack_bot import environment


@dataclass(frozen=True)
class Working:
    """A bot whose parts a test may look at; it hears through its socket, or what the test gives to `take`."""

    slack: Slack
    bot: Bot
    service: ConversationService
    surface: SlackSurface
    writer: Writer
    shown: ShownMessages
    inbox: Inbox

    async def hear(self, message: Message, given: Input | None = None, event: str = "") -> bool:
        """Have a message heard, or something else that happens in its thread; returns whether that was new."""
        key = ThreadKey("slack", message.team, message.channel, message.thread or message.ts)
        said = Said(message.text.partition("> ")[2] or message.text)
        user, event = User(f"slack:{message.user}"), event or f"{message.channel}:{message.ts}"
        heard = Heard(key, user, given or said, event, shared=not is_direct(message.channel))
        return await self.service.take(heard) is not None

    async def press(self, root: Message, answer: str) -> bool:
        """Have the person press a button of the question that stands."""
        key = ThreadKey("slack", root.team, root.channel, root.ts)
        memory = self.bot.router.memory(key)
        return await self.hear(root, Pressed(answer, memory.turn if memory else 0), f"press {next(_numbers)}")

    async def rest(self, seconds: float = 30.0) -> None:
        """Return when there is nothing left to do."""
        async with asyncio.timeout(seconds):
            while self.inbox.left() or self.service.underway.tasks:
                await asyncio.sleep(0.01)


_numbers = count()


@asynccontextmanager
async def working(
    folder: Path,
    slack: Slack,
    model: Ollama,
    *,
    socket: bool = False,
    pause: float = 0.01,
    patient: float = 15.0,
    pace: float = 3.0,
    workers: int = TALKS_AT_ONCE,
) -> AsyncIterator[Working]:
    """Run a bot until the end of the block."""
    settings = settings_of(environment(folder, slack, model, "socket"))

    async def token(team: str) -> str:
        return slack.teams[team].token

    async with AsyncExitStack() as stack:
        bot = stack.enter_context(build_bot(settings, page=SLACK_PAGE, details=False))
        turns = Turns(bot.router, workers)
        stack.push_async_callback(asyncio.to_thread, turns.close)
        clients = Clients(token, slack.url)
        stack.push_async_callback(clients.close)
        inbox, shown = Inbox(bot.database, "slack"), ShownMessages(bot.database, "slack")
        writer = Writer(clients, pause)
        surface = SlackSurface(clients, writer, People(clients), OpenModals(bot.database))
        assert bot.services.approvals
        approvers = Approvers("slack", surface, bot.services.approvals, bot.services.connections)
        reply_sender = ReplySender(surface, shown, bot.router, patient, pace, approvers)
        service = ConversationService("slack", turns, bot.services, reply_sender, inbox)
        stack.push_async_callback(service.close)
        recovering = asyncio.create_task(service.recover())
        stack.callback(recovering.cancel)
        if socket:
            app = bolt_app(settings.slack, clients, OwnWorkspace(Workspace("T1", "UBOT", "B1")))
            listen(app, service, surface)
            opened = Socket(app, settings.slack, clients)
            opened.open()
            stack.push_async_callback(opened.close)
            await slack.awaited.wait_socket()
        yield Working(slack, bot, service, surface, writer, shown, inbox)
