"""The talks that tabs look at: what people enter is kept and worked on, and every tab shows what comes of it."""

import asyncio
import secrets
from dataclasses import replace
from typing import Final, Protocol

from adapters.chat.conversation_service import ConversationService
from adapters.chat.keyed_lock import KeyedLock
from adapters.chat.surface import Heard, MessagePlace
from adapters.chat.underway import Underway
from adapters.rendering.plain_text import text_of
from adapters.turns import wants_stop
from adapters.web.changes import TalkChange, TalkChanges
from adapters.web.log import LogEntry, TalkLog, key_of
from router.cards import Progress
from router.engine import Router
from router.interactions.changed_questions import find_taken
from router.memory.draft import User
from router.turn import Changed, Incoming, Input, Said

# Entries that were shown before, as the person may see them now.


def redraw_entry(router: Router, user: User, entry: LogEntry) -> LogEntry:
    """Return an entry with the rows of its tables, read again; a sentence stands for what is gone or forbidden.

    This reads files and asks for rights: about 2 ms a card, and not for the event loop's thread.
    """
    cards = tuple(router.history.redraw(user, card) for card in entry.reply.cards)
    return replace(entry, reply=replace(entry.reply, cards=cards))


TALK_TITLE_MAX_CHARS: Final = 80

WAITING_PROGRESS: Final = Progress("One moment…")
"""Shown of what is worked on, until the process that works on it reports."""

UNATTENDED: Final = Progress("I have this, and begin as soon as a process has room for it…")

BEGINS_WITHIN_SECONDS: Final = 3.0
"""Seconds until it is shown that no process has begun yet."""

STOPPING_PROGRESS: Final = Progress("Stopping…", stoppable=False)


class Viewer(Protocol):
    """A tab."""

    def show(self, entry: LogEntry) -> None:
        """Draw a new entry, or one that has changed, in its place."""

    def show_progress(self, progress: Progress | None) -> None:
        """Show what is being done in place of what was; None when nothing is."""

    def notify(self, remark: str) -> None:
        """Show a remark that passes when the work is done."""

    async def look_again(self) -> None:
        """Draw what the thread has now: something may have been missed."""

    def drop(self, number: int) -> None:
        """Draw an entry no more: it is gone."""

    async def list_threads(self) -> None:
        """Draw the list of the person's threads again."""

    def leave_deleted(self) -> None:
        """Go to a new conversation: the one that was looked at is deleted."""


def event_of(said: int) -> str:
    """Return the event of words that were typed, by the number of their entry."""
    return f"said {said}"


class Talk:
    """One thread as this process shows it: who looks at it, and whether it is worked on, by whichever process."""

    def __init__(self, thread: str, owner: User) -> None:
        self.thread, self.owner, self.key = thread, owner, key_of(thread)
        self.viewers: set[Viewer] = set()
        self.resting = asyncio.Event()
        """Set while nothing is worked on."""
        self.resting.set()
        self.progress: Progress | None = None
        self.asker: Viewer | None = None
        """The tab whose input is worked on."""
        self.showing = asyncio.Lock()
        """Held by who draws what stands in the log, so that each change is drawn after the one before it."""

    @property
    def running(self) -> bool:
        """Return whether an input is worked on."""
        return not self.resting.is_set()


class Talks:
    """All talks that are looked at, by thread; the work goes on when nobody looks at it any more."""

    def __init__(self, service: ConversationService, log: TalkLog, changes: TalkChanges) -> None:
        self.service, self.router, self.log, self._changes = service, service.turns.router, log, changes
        self._talks: dict[str, Talk] = {}
        self._tabs: dict[Viewer, User] = {}
        self._taking = KeyedLock()
        """Keeps what comes in a talk in its order."""
        self._showing = Underway()
        """Work for tabs alone: the end of the process waits for none of it."""

    def begin_hearing(self) -> None:
        """Show what happens from now on, in the running event loop."""
        self._changes.hear(self._heard)

    def enter(self, viewer: Viewer, user: User) -> None:
        """Keep the list of threads in this tab current, whatever it looks at."""
        self._tabs[viewer] = user

    async def begin(self, owner: User, words: str) -> str:
        """Add a thread that is named after its first words, and return its id."""
        thread = secrets.token_urlsafe(12)
        title = " ".join(words.split())[:TALK_TITLE_MAX_CHARS]
        await asyncio.to_thread(self.log.begin, thread, owner.id, title)
        return thread

    def look(self, thread: str, owner: User, viewer: Viewer) -> Talk:
        """Return the talk, with this viewer among those who see what happens in it."""
        talk = self._talks.setdefault(thread, Talk(thread, owner))
        talk.viewers.add(viewer)
        return talk

    def leave(self, viewer: Viewer, talk: Talk | None) -> None:
        """Forget the viewer, and its talk once nobody looks at it and nothing runs."""
        self._tabs.pop(viewer, None)
        if talk:
            talk.viewers.discard(viewer)
            self._forget_idle(talk)

    async def latest(self, thread: str, user: User, most: int, before: int | None = None) -> tuple[LogEntry, ...]:
        """Return the last entries of a thread, or the last ones before a number, as the user may see them now."""
        return await asyncio.to_thread(self._latest, thread, user, most, before)

    def _latest(self, thread: str, user: User, most: int, before: int | None) -> tuple[LogEntry, ...]:
        return tuple(redraw_entry(self.router, user, entry) for entry in self.log.latest(thread, most, before))

    async def catch_up(self, talk: Talk) -> None:
        """Show that the talk is worked on, as by another process, or since an earlier one left something."""
        if not talk.running and await self.service.expects(talk.key):
            self._set_running(talk)
            self._show_progress(talk, talk.progress or WAITING_PROGRESS)

    async def take(self, talk: Talk, given: Input, viewer: Viewer) -> bool:
        """Give an input to the bot; returns whether it was taken, so that what was typed may be cleared."""
        async with self._taking.at(talk.thread):
            incoming = Incoming(talk.key, talk.owner, given)
            if talk.running and wants_stop(incoming):
                self._show_progress(talk, STOPPING_PROGRESS)
                await self.service.stop(talk.key, talk.owner)
                return True
            event = f"{type(given).__name__.lower()} {secrets.token_hex(8)}"
            if isinstance(given, Said):
                if talk.running and (self.service.queue.shared or self.service.turns.is_working(talk.key)):
                    viewer.notify(text_of(await self.service.turns.busy(incoming)))
                    return False
                said = await asyncio.to_thread(self.log.say, talk.thread, given.text)
                event = event_of(said)
                await self._changes.tell(TalkChange(talk.thread, "entry", said))
                await self._list_threads(talk.owner.id)
            await self._start(talk, given, event, viewer)
            return True

    async def change(self, talk: Talk, number: int, words: str, viewer: Viewer) -> bool:
        """Ask again what was said last, in other words; its open card is withdrawn. Returns whether that was taken."""
        memory = await asyncio.to_thread(self.router.memory, talk.key)
        event = event_of(number)
        taken = find_taken(memory, event) if memory else None
        if taken and taken.settled and words.strip():  # what was run stays as it was asked
            return await self.take(talk, Said(words), viewer)
        async with self._taking.at(talk.thread):
            said = await asyncio.to_thread(self.log.last_said, talk.thread)
            asked = taken is not None and taken.text != words.strip()
            if (talk.running and not asked) or not words.strip() or said is None or said.number != number:
                return False
            await asyncio.to_thread(self.log.reword, number, words)
            await self._changes.tell(TalkChange(talk.thread, "entry", number))
            # Words that began no question are said once more.
            given = Changed(event, words) if asked else Said(words)
            await self._start(talk, given, f"{event} {secrets.token_hex(8)}", viewer)
            return True

    async def rename(self, thread: str, user: User, title: str) -> bool:
        """Give a thread of this person another title; returns whether it has one."""
        title = " ".join(title.split())[:TALK_TITLE_MAX_CHARS]
        if not title or await asyncio.to_thread(self.log.thread, thread, user.id) is None:
            return False
        await asyncio.to_thread(self.log.rename, thread, title)
        await self._list_threads(user.id)
        return True

    async def delete(self, thread: str, user: User) -> bool:
        """Delete a thread of this person, with all that is kept of it; not while something is worked on in it."""
        key = key_of(thread)
        async with self._taking.at(thread):
            own = await asyncio.to_thread(self.log.thread, thread, user.id)
            if own is None or await self.service.expects(key):
                return False
            await asyncio.to_thread(self.router.history.forget_thread, key)
            await asyncio.to_thread(self.log.delete, thread)
        await self._changes.tell(TalkChange(thread, "deleted"))
        await self._list_threads(user.id)
        return True

    async def _start(self, talk: Talk, given: Input, event: str, viewer: Viewer) -> None:
        # Before it is taken: it may be over before this goes on, or nobody look at the talk any more.
        self._talks.setdefault(talk.thread, talk)
        self._set_running(talk)
        talk.asker = viewer
        place = MessagePlace(talk.key.team, talk.key.channel, talk.thread)
        heard = Heard(talk.key, talk.owner, given, event, shared=False, place=place)
        try:
            work = await self.service.take(heard)
        except BaseException:
            self._set_resting(talk)
            raise
        self._showing.spawn(self._follow(talk, work))

    def _set_running(self, talk: Talk) -> None:
        if talk.running:
            return
        talk.resting.clear()
        if self.service.queue.shared:
            self._show_progress(talk, WAITING_PROGRESS)

    def _set_resting(self, talk: Talk) -> None:
        talk.resting.set()
        self._show_progress(talk, None)
        self._forget_idle(talk)

    async def _follow(self, talk: Talk, work: asyncio.Task[None] | None) -> None:
        """Say that an input waits for a process, if none begins; let the talk rest once it is worked on."""
        if work:
            await asyncio.wait([work], timeout=BEGINS_WITHIN_SECONDS)
        if talk.progress == WAITING_PROGRESS:
            self._show_progress(talk, UNATTENDED)
        if work:
            await asyncio.wait([work])
        async with talk.showing:
            talk.asker = None
            if talk.running and not await self.service.expects(talk.key):
                if self.service.queue.shared:
                    await self._look_again(talk)
                else:
                    self._set_resting(talk)

    async def _list_threads(self, owner: str) -> None:
        await self._changes.tell(TalkChange("", "listed", owner=owner))

    # What is heard: in the order of each talk.

    def _heard(self, change: TalkChange) -> None:
        every = change.what == "missed"  # nobody knows in which talk it was
        for tab, user in list(self._tabs.items()):
            if every or (change.what == "listed" and user.id == change.owner):
                self._showing.spawn(tab.list_threads())
        for talk in list(self._talks.values()):
            if every or talk.thread == change.thread:
                self._showing.spawn(self._show(talk, change))

    async def _show(self, talk: Talk, change: TalkChange) -> None:
        async with talk.showing:
            match change.what:
                case "working":
                    self._set_running(talk)
                    if change.progress:
                        self._show_progress(talk, change.progress)
                case "rests":
                    self._set_resting(talk)
                case "entry":
                    await self._show_entry(talk, change.number)
                case "missed":
                    await self._look_again(talk)
                case "deleted":
                    self._leave(talk)

    async def _show_entry(self, talk: Talk, number: int) -> None:
        entry = await asyncio.to_thread(self._read, talk, number)
        for viewer in tuple(talk.viewers):
            if entry:
                viewer.show(entry)
            else:
                viewer.drop(number)

    def _read(self, talk: Talk, number: int) -> LogEntry | None:
        entry = self.log.entry(talk.thread, number)
        return redraw_entry(self.router, talk.owner, entry) if entry else None

    def _leave(self, talk: Talk) -> None:
        for viewer in tuple(talk.viewers):
            viewer.leave_deleted()

    async def _look_again(self, talk: Talk) -> None:
        """Show what a talk is now: something that happened in it was not heard."""
        if await asyncio.to_thread(self.log.thread, talk.thread, talk.owner.id) is None:
            self._leave(talk)
            return
        runs = await self.service.expects(talk.key)
        for viewer in tuple(talk.viewers):
            await viewer.look_again()
        if runs:
            self._set_running(talk)
        elif talk.running:
            self._set_resting(talk)

    def _show_progress(self, talk: Talk, progress: Progress | None) -> None:
        talk.progress = progress
        for viewer in tuple(talk.viewers):
            viewer.show_progress(progress)

    def _forget_idle(self, talk: Talk) -> None:
        if not talk.viewers and not talk.running:
            self._talks.pop(talk.thread, None)
