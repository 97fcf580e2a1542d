"""News in a chat: below what is said in its thread, or in a person's own messages."""

import asyncio
import logging

from adapters.chat.admission import Stranger, TurnedAway, identify
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import MessagePlace, Shape, Undelivered
from adapters.event_loop_bridge import EventLoopBridge
from adapters.ordered_calls import call_in_order
from router.errors import JobFailed, NotAllowed, Unsure
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.notifier import Announcement

log = logging.getLogger("icc_bot")

OWNER_LEFT = "The owner of this schedule is not one of the people that I answer any more. Nothing was run."
NOT_IN_CHANNEL = "I'm not in that channel, or I don't know it. Invite me there, then pick it from the list here."
CHANNEL_UNREACHABLE = "I cannot write to where the rows were to go (any more)."


class ChatNotifier:
    """Posts news that nobody asked for just now to people of one platform."""

    def __init__(self, service: ConversationService, bridge: EventLoopBridge) -> None:
        self._service, self._bridge = service, bridge

    def known(self, key: ThreadKey, user: User) -> User:
        """Return the person as the platform knows them now; raises NotAllowed for strangers, JobFailed."""
        try:
            return self._bridge.call(identify(self._service.reply_sender.surface, key.team, user))
        except Stranger as why:
            raise NotAllowed(OWNER_LEFT) from why
        except TurnedAway as why:
            raise JobFailed(str(why)) from why

    def tell(self, news: Announcement) -> None:
        """Post news once nothing is on its way into its thread; raises JobFailed, Unsure if it may be there."""
        try:
            self._bridge.call(self._kept(news))
        except Undelivered as error:
            if error.lost:
                raise Unsure(f"The rows may have been shown, or not ({error}).") from error
            raise JobFailed(
                CHANNEL_UNREACHABLE if error.outside else f"The rows could not be shown ({error})."
            ) from error

    @property
    def picks_channels(self) -> bool:
        """Return whether people of this platform can pick a channel."""
        return self._service.reply_sender.surface.picks_channels

    def channel(self, key: ThreadKey, named: str) -> str:
        """Return the id of a channel that the bot is in."""
        try:
            return self._bridge.call(self._service.reply_sender.surface.channel(key.team, named))
        except Undelivered as error:
            if error.outside:
                raise NotAllowed(NOT_IN_CHANNEL) from error
            raise JobFailed("I can't tell just now whether I'm in that channel. Please try again.") from error

    def link(self, key: ThreadKey) -> str:
        """Return an address of a thread, as far as the platform gives one."""
        try:
            return self._bridge.call(self._service.reply_sender.surface.link(key))
        except (Undelivered, Unsure) as error:
            log.warning("there is no link to %s: %s", key, error)
            return ""

    def was_delivered(self, news: Announcement) -> bool | None:
        """Return whether news is there, if the platform lets the bot look, and it is."""
        try:
            found = self._bridge.call(self._service.reply_sender.surface.find(self._place(news), news.id))
        except Undelivered:
            return None
        return True if found else None

    async def _kept(self, news: Announcement) -> None:
        """Post news as something that the conversation service waits for before it closes."""
        posted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def post() -> None:
            try:
                await self._post(news)
            except Exception as error:
                posted.set_exception(error)
            else:
                posted.set_result(None)

        self._service.spawn(post())
        await posted

    async def _post(self, news: Announcement) -> None:
        while not news.channel and self._service.delivers(news.key):
            await self._service.delivered(news.key)
        reply_sender = self._service.reply_sender
        shape = Shape(news.reply, news.key, asker=news.user.id)
        posted = await reply_sender.surface.show(self._place(news), shape, news.id)
        # What is said to a channel at large belongs to no talk: an answer begins one.
        if news.key.thread and not news.channel:
            await call_in_order(reply_sender.shown.add, posted.channel, posted.id, news.key, news.reply)

    def _place(self, news: Announcement) -> MessagePlace:
        key = news.key
        if news.reply.to:
            return MessagePlace(key.team, self._service.reply_sender.surface.home(news.reply.to))
        if news.channel:
            return MessagePlace(key.team, news.channel)
        return MessagePlace(key.team, key.channel, key.thread)
