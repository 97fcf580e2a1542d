"""Works on what people enter on the page, in whichever process: the log has what came of it, and changes tell of it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from adapters.chat.event_queue import EventQueue
from adapters.chat.inbox import Extras, Inbox
from adapters.chat.keyed_lock import KeyedLock
from adapters.chat.surface import Heard, Refusal
from adapters.chat.underway import Underway, take_up_soon
from adapters.event_loop_bridge import EventLoopBridge
from adapters.rendering.controls import lasts
from adapters.rendering.plain_text import text_of
from adapters.turns import Deliver, NotBegun, Turns, wants_stop
from adapters.web.changes import TalkChange, TalkChanges
from adapters.web.log import LogEntry, TalkLog
from router.cards import Progress, Reply, Table, Text
from router.errors import JobFailed, NotAllowed
from router.interactions.result_buttons import is_lasting_press
from router.jobs.cancellation import STOPPED_AS_ASKED
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.notifier import Announcement
from router.schedules.scheduler import Scheduler
from router.turn import Changed, Incoming, Input, Opened, Pressed, Said

if TYPE_CHECKING:  # it brings Procrastinate, which those need who share the work
    from adapters.task_queue import TaskQueue

log = logging.getLogger("icc_bot")

UNFINISHED: Final = "I could not finish this. Reload the page, and I'll show you where we are."

SEARCHED_ENTRIES_MAX: Final = 100
"""Entries of a thread that are looked at for what an earlier process showed."""

QUIET_CHECK_SECONDS: Final = 0.2
"""Seconds between two looks whether a thread is still worked on that has to be told something."""


def key_of(thread: str) -> ThreadKey:
    """Return the key by which the core knows a thread of the page."""
    return ThreadKey("web", "", "", thread)


def event_of(said: int) -> str:
    """Return the event of words that were typed, by the number of their entry."""
    return f"said {said}"


class PageService:
    """The bot at work on the page, as far as nobody has to look on."""

    def __init__(self, turns: Turns, talk_log: TalkLog, inbox: Inbox, tasks: "TaskQueue | None" = None) -> None:
        """`tasks` are those of all processes that share the work; None where this one does all of it."""
        self.turns, self.log, self.inbox = turns, talk_log, inbox
        self.changes = TalkChanges(inbox, tasks)
        self.queue = EventQueue(inbox, self, tasks)
        self.underway = Underway()
        self._at_work: set[str] = set()
        """The threads of which an input is worked on here."""
        self._in_turn = KeyedLock()
        self._ending = False

    @asynccontextmanager
    async def at_work(self, timer: Scheduler | None, *, brief: bool = False) -> AsyncIterator[None]:
        """Work until the end of the block, what was left first; `timer` has shown what is repeated.

        `brief`: the end is waited for, as by those who look at the page of this process.
        """
        recovering = asyncio.create_task(self._recover())
        if timer:
            timer.open("web", PageNotifier(self, EventLoopBridge(asyncio.get_running_loop())))
        try:
            yield
        finally:
            if timer:
                timer.stop()
            recovering.cancel()
            self._ending = True
            await self.underway.end(self.turns, self.queue, brief=brief)

    async def take(self, thread: str, user: User, given: Input, said: int = 0) -> "asyncio.Task[None] | None":
        """Keep an input and have it worked on; returns what ends with that.

        `said` is the number of the entry of typed words, by which they can be changed.
        """
        event = event_of(said) if said and isinstance(given, Said) else f"{type(given).__name__.lower()} {token_hex(8)}"
        heard = Heard(key_of(thread), user, given, event, shared=False)
        if work := await self.queue.put(heard, Extras()):
            return work
        log.error("%s was known before, and is taken under another name", event)
        return await self.queue.put(replace(heard, event=f"{event} {token_hex(8)}"), Extras())

    async def works_on(self, thread: str) -> bool:
        """Tell whether any process works on an input of a thread, or will."""
        here = thread in self._at_work
        return here or (self.queue.shared and await asyncio.to_thread(self.inbox.waits, key_of(thread)))

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Have something done that nobody waits for; what goes wrong in it is logged."""
        return self.underway.spawn(work)

    async def work_again(self, heard: Heard) -> bool:
        """Work on what was left, perhaps halfway; returns whether it is finished."""
        return await self.work(heard, Extras(), again=True)

    async def work(self, heard: Heard, extras: Extras, refusal: Refusal | None = None, again: bool = False) -> bool:
        """Work on an input; returns whether it is finished: else it is taken up again."""
        thread, incoming = heard.key.thread, Incoming(heard.key, heard.user, heard.input, heard.event)
        if wants_stop(incoming) and thread in self._at_work:
            await self._stop(incoming)
            return True
        if _is_stop(heard.input):
            return True  # what it was to end is over
        async with self._in_turn.at(thread):
            return await self._work(incoming, again)

    async def _work(self, incoming: Incoming, again: bool) -> bool:
        thread, left = incoming.key.thread, False
        self._at_work.add(thread)
        try:
            await self._tell(TalkChange(thread, "working"))
            if await self._is_stopped(incoming):
                stopped = Reply((Text(STOPPED_AS_ASKED, "quiet"),), beside=True)
                await asyncio.to_thread(self._log_reply, thread, stopped, settles=True)
            else:
                await self._answer(incoming, again)
        except NotBegun:
            log.info("%s is left for the next start", incoming.event)
            left = True
        finally:
            self._at_work.discard(thread)
            if not left:
                await self._tell(TalkChange(thread, "rests"))
        return not left

    async def _is_stopped(self, incoming: Incoming) -> bool:
        """Tell whether somebody pressed Stop before an input was begun, or while a process worked on it that died."""
        every = await asyncio.to_thread(self.inbox.of_thread, incoming.key)
        events = [heard.event for heard in every]
        later = every[events.index(incoming.event) + 1 :] if incoming.event in events else []
        return any(_is_stop(heard.input) for heard in later)

    async def announce(self, news: Announcement) -> None:
        """Show what nobody asked for just now, once nothing is worked on in its thread; raises JobFailed."""
        while not self._ending and await self.works_on(news.key.thread):  # noqa: ASYNC110  # it may end elsewhere
            await asyncio.sleep(QUIET_CHECK_SECONDS)
        await asyncio.to_thread(self._show_news, news)

    async def announced(self, news: Announcement) -> bool:
        """Tell whether the rows of news are in its thread."""
        results = {card.result for card in news.reply.cards if isinstance(card, Table)}
        entries = await asyncio.to_thread(self.log.latest, news.key.thread, SEARCHED_ENTRIES_MAX)
        return any(
            isinstance(card, Table) and card.result in results for entry in entries for card in entry.reply.cards
        )

    async def _recover(self) -> None:
        """Take up what was left, now and every minute; ends when it is cancelled."""
        while True:
            await take_up_soon(self.queue)

    async def _tell(self, change: TalkChange) -> None:
        await asyncio.to_thread(self.changes.tell, change)

    async def _stop(self, incoming: Incoming) -> None:
        """End what is worked on in a thread."""
        reply, thread = await self.turns.stop(incoming), incoming.key.thread
        for card in reply.cards:
            if isinstance(card, Progress):
                await self._tell(TalkChange(thread, "working", progress=card))
                return
        await self._tell(TalkChange(thread, "remark", text=text_of(reply)))

    async def _answer(self, incoming: Incoming, again: bool) -> None:
        """Have the core work on an input until there is an answer; raises NotBegun."""
        thread, given = incoming.key.thread, incoming.input
        lasting = isinstance(given, Opened) or is_lasting_press(given)
        settles = not lasting and not isinstance(given, Changed)
        answered = False

        async def deliver(reply: Reply) -> None:
            nonlocal answered
            answered = answered or bool(reply.turn or reply.beside)
            await asyncio.to_thread(self._log_reply, thread, reply, settles=settles)

        await self.turns.handle(incoming, deliver)
        if isinstance(given, Changed) and not answered:  # words that began no question are said once more
            await self.turns.handle(replace(incoming, input=Said(given.text), event=f"{incoming.event} anew"), deliver)
        if again and not answered:
            await self._catch_up(incoming, deliver)
        elif not answered and not lasting:
            await deliver(Reply((Text(UNFINISHED, "problem"),)))
        if answered:
            await asyncio.to_thread(self._conclude, thread)

    async def _catch_up(self, incoming: Incoming, deliver: Deliver) -> None:
        """Have the core show its question again where a killed process did not come to show it."""
        question = await asyncio.to_thread(self.log.question, incoming.key.thread)
        if not (question and question.stands):
            await self.turns.handle(replace(incoming, input=Opened(), event=""), deliver)

    def _log_reply(self, thread: str, reply: Reply, *, settles: bool) -> None:
        """Log a reply and tell of it; a question puts away the one before it.

        What was only said beside a question leaves it open, though the input `settles` it when it is taken.
        """
        progress = [card for card in reply.cards if isinstance(card, Progress)]
        if progress:
            self.changes.tell(TalkChange(thread, "working", progress=progress[-1]))
        before = self.log.question(thread)
        concludes = reply.beside and reply.replace and before is not None and not lasts(before.reply)
        if concludes and before and (before.answer == "" or not reply.cards):
            self.log.close(before)
            self._changed(thread, before.number)
        elif before and ((reply.replace and not reply.beside) or (concludes and self._is_last(thread, before))):
            self.log.replace(before, reply)
            self._changed(thread, before.number)
            return
        if len(progress) == len(reply.cards):
            return
        closed = before if before and reply.turn and not lasts(before.reply) else None
        number = self.log.show(thread, reply, closes=closed)
        if closed:
            self._changed(thread, closed.number)
        self._changed(thread, number)
        if before and settles and reply.beside and not reply.replace and not before.stands:
            self.log.answer(before, None)
            self._changed(thread, before.number)

    def _conclude(self, thread: str) -> None:
        """Close a question that was answered, once what came of the answer was shown."""
        question = self.log.question(thread)
        if question and not question.stands:
            self.log.close(question)
            self._changed(thread, question.number)

    def _show_news(self, news: Announcement) -> None:
        thread, owner = news.key.thread, news.user.id
        if self.log.thread(thread, owner) is None:
            raise JobFailed("The conversation that it belongs to is gone.")
        number = self.log.show(thread, news.reply)
        self.log.touch(thread)
        self._changed(thread, number)
        self.changes.tell(TalkChange(thread, "listed", owner=owner))

    def _changed(self, thread: str, number: int) -> None:
        self.changes.tell(TalkChange(thread, "entry", number))

    def _is_last(self, thread: str, entry: LogEntry) -> bool:
        """Tell whether nothing was shown below an entry, such as the rows that a file was made of."""
        return self.log.latest(thread, 1)[-1].number == entry.number


def _is_stop(given: Input) -> bool:
    return isinstance(given, Pressed) and given.answer == "stop"


class PageNotifier:
    """Tells people on the page what they did not ask for just now: in the thread that it belongs to."""

    def __init__(self, service: PageService, bridge: EventLoopBridge) -> None:
        self._service, self._bridge = service, bridge

    def known(self, key: ThreadKey, user: User) -> User:
        """Return the person as they were: the page asks nobody who somebody is."""
        return user

    def tell(self, news: Announcement) -> None:
        """Show news in its thread; raises JobFailed."""
        self._bridge.call(self._service.announce(news))

    picks_channels = False

    def channel(self, key: ThreadKey, named: str) -> str:
        """Know none: the page has no channels."""
        raise NotAllowed("There are no channels here.")

    def link(self, key: ThreadKey) -> str:
        """Return nothing: nobody but its owner can look at a thread of the page."""
        return ""

    def told(self, news: Announcement) -> bool | None:
        """Tell whether the thread has these rows."""
        return self._bridge.call(self._service.announced(news))
