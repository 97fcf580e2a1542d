"""The talks under way: input goes to the core, what comes back goes to the log and to every tab that looks on."""

import asyncio
import secrets
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, Protocol

from adapters.event_loop_bridge import EventLoopBridge
from adapters.rendering.controls import lasts
from adapters.turns import Turns, wants_stop
from adapters.web.log import LogEntry, TalkLog
from router.cards import Progress, Reply, Table, Text
from router.engine import Router
from router.errors import JobFailed, NotAllowed
from router.interactions.result_buttons import is_lasting_press
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.notifier import Announcement
from router.turn import Changed, Filled, Incoming, Input, Opened, Pressed, Said

# Entries that were shown before, as the person may see them now.


def redrawn(router: Router, user: User, entries: tuple[LogEntry, ...]) -> tuple[LogEntry, ...]:
    """Return the entries with the rows of their tables, read again; a sentence stands for what is gone or forbidden.

    This reads files and asks for rights: about 2 ms a card, and not for the event loop's thread.
    """
    return tuple(_redrawn(router, user, entry) for entry in entries)


def _redrawn(router: Router, user: User, entry: LogEntry) -> LogEntry:
    cards = tuple(router.history.redraw(user, card) for card in entry.reply.cards)
    return replace(entry, reply=replace(entry.reply, cards=cards))


TALK_TITLE_MAX_CHARS = 80
UNFINISHED = "I could not finish this. Reload the page, and I show you where we are."
SEARCHED_ENTRIES_MAX = 100
"""Entries of a thread that are looked at for what an earlier process showed."""
TURNS_END_SECONDS = 10.0
"""Seconds that a stopping process waits for running turns."""


def key_of(thread: str) -> ThreadKey:
    """Return the key by which the core knows a thread of the page."""
    return ThreadKey("web", "", "", thread)


def event_of(said: LogEntry) -> str:
    """Return the event of words that were typed."""
    return f"said {said.number}"


class Viewer(Protocol):
    """A tab."""

    def show(self, entry: LogEntry) -> None:
        """Draw a new entry, or one that has taken the place of another."""

    def settle(self, entry: LogEntry) -> None:
        """Draw a question as answered, or as open again; its cards stay as they are shown."""

    def wait(self, entry: LogEntry) -> None:
        """Take no more answers to a question, until it is drawn again."""

    def show_progress(self, progress: Progress | None) -> None:
        """Show what is being done in place of what was; None when nothing is."""

    def notify(self, reply: Reply) -> None:
        """Show a remark that passes when the work is done."""

    def list_threads(self) -> None:
        """Draw the list of the person's threads again."""

    def leave_deleted(self) -> None:
        """Go to a new conversation: the one that was looked at is deleted."""


class Talk:
    """One thread in this process: who looks at it, and whether the core works on it."""

    def __init__(self, thread: str, owner: User) -> None:
        self.thread, self.owner = thread, owner
        self.viewers: set[Viewer] = set()
        self.running = False
        self.resting = asyncio.Event()
        """Set while nothing is worked on."""
        self.resting.set()
        self.progress: Progress | None = None
        self.settled = 0
        """The number of the question that the words settled which are worked on; 0 for none."""
        self.asker: Viewer | None = None
        """The tab whose input is worked on."""

    @property
    def key(self) -> ThreadKey:
        """The thread as the core knows it."""
        return key_of(self.thread)

    def incoming(self, given: Input, said: LogEntry | None = None) -> Incoming:
        """Return the input as the core takes it; `said` is the entry of typed words, by which they can be changed."""
        return Incoming(self.key, self.owner, given, event=event_of(said) if said else "")


class Talks:
    """All talks, by thread; a turn goes on, and is logged, when nobody looks at it any more."""

    def __init__(self, turns: Turns, log: TalkLog) -> None:
        self.turns, self.log = turns, log
        self._talks: dict[str, Talk] = {}
        self._tabs: dict[Viewer, User] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def enter(self, viewer: Viewer, user: User) -> None:
        """Keep the list of threads in this tab current, whatever it looks at."""
        self._tabs[viewer] = user

    def begin(self, owner: User, words: str) -> str:
        """Add a thread that is named after its first words, and return its id."""
        thread = secrets.token_urlsafe(12)
        self.log.begin(thread, owner.id, " ".join(words.split())[:TALK_TITLE_MAX_CHARS])
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
        while True:
            entries = self.log.latest(thread, most, before)
            drawn = await asyncio.to_thread(redrawn, self.turns.router, user, entries)
            # The talk may have gone on meanwhile.
            if self.log.latest(thread, most, before) == entries:
                return drawn

    def catch_up(self, talk: Talk) -> None:
        """Have the core show its question again where the log has none that stands, as after a killed process."""
        question = self.log.question(talk.thread)
        if not talk.running and not (question and question.stands):
            self._start(talk, Opened(), None)

    def take(self, talk: Talk, given: Input, label: str, viewer: Viewer) -> bool:
        """Give an input to the core; returns whether it was taken, so that what was typed may be cleared.

        `label` is what a press or a form reads like in the log. A second press of a button does nothing.
        """
        if talk.running:
            return self._interrupt(talk, given, viewer)
        if is_lasting_press(given):
            self._start(talk, given, viewer)
            return True
        question = self.log.question(talk.thread)
        stands = question is not None and question.stands
        if isinstance(given, Pressed | Filled) and not (question and stands and question.reply.turn == given.turn):
            return False
        if question and stands and not lasts(question.reply):
            question = self.log.answer(question, label)
            talk.settled = question.number
            for other in talk.viewers:
                if isinstance(given, Said):
                    other.settle(question)
                else:
                    other.wait(question)
        said = None
        if isinstance(given, Said):
            said = self.log.say(talk.thread, given.text)
            self._show(talk, said)
            self._list_threads(talk.owner.id)
        self._start(talk, given, viewer, said)
        return True

    def change(self, talk: Talk, number: int, words: str, viewer: Viewer) -> bool:
        """Ask anew what was said last, in other words; its open card is withdrawn. Returns whether that was taken."""
        said = self.log.last_said(talk.thread)
        if talk.running or not words.strip() or said is None or said.number != number:
            return False
        said = self.log.reword(said, words)
        self._show(talk, said)
        self._start(talk, Changed(event_of(said), words), viewer, said)
        return True

    def rename(self, thread: str, user: User, title: str) -> bool:
        """Give a thread of this person another title; returns whether it has one."""
        title = " ".join(title.split())[:TALK_TITLE_MAX_CHARS]
        if not title or self.log.thread(thread, user.id) is None:
            return False
        self.log.rename(thread, title)
        self._list_threads(user.id)
        return True

    async def delete(self, thread: str, user: User) -> bool:
        """Delete a thread of this person, with all that is kept of it; not while something is worked on in it."""
        talk = self._talks.get(thread)
        if self.log.thread(thread, user.id) is None or (talk and talk.running):
            return False
        self.log.delete(thread)
        for viewer in tuple(talk.viewers if talk else ()):
            viewer.leave_deleted()
        self._list_threads(user.id)
        await asyncio.to_thread(self.turns.router.history.forget_thread, key_of(thread))
        return True

    async def rate(self, user: User, result: str, good: bool) -> str:
        """Keep whether the person found an answer good; returns a sentence that thanks, or says why not."""
        return await asyncio.to_thread(self.turns.router.history.rate, user, result, good)

    async def announce(self, news: Announcement) -> None:
        """Show what nobody asked for just now, once nothing is worked on in its thread; raises JobFailed."""
        thread, owner = news.key.thread, news.user.id
        while (talk := self._talks.get(thread)) and talk.running:
            await talk.resting.wait()
        if self.log.thread(thread, owner) is None:
            raise JobFailed("The conversation that it belongs to is gone.")
        entry = self.log.show(thread, news.reply)
        self.log.touch(thread)
        if talk:
            self._show(talk, entry)
        self._list_threads(owner)

    async def announced(self, news: Announcement) -> bool:
        """Tell whether the rows of news are in its thread."""
        results = {card.result for card in news.reply.cards if isinstance(card, Table)}
        entries = self.log.latest(news.key.thread, SEARCHED_ENTRIES_MAX)
        return any(
            isinstance(card, Table) and card.result in results for entry in entries for card in entry.reply.cards
        )

    async def close(self) -> None:
        """Stop what runs, and wait a little for what the core says about it, so that it is in the log."""
        self.turns.end_all()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=TURNS_END_SECONDS)

    def _interrupt(self, talk: Talk, given: Input, viewer: Viewer) -> bool:
        incoming = talk.incoming(given)
        stops = wants_stop(incoming)
        self._spawn(self._stop(talk, incoming) if stops else self._put_off(talk, incoming, viewer))
        return stops

    async def _stop(self, talk: Talk, incoming: Incoming) -> None:
        reply = await self.turns.stop(incoming)
        if talk.running:
            self._deliver(talk, reply)

    async def _put_off(self, talk: Talk, incoming: Incoming, viewer: Viewer) -> None:
        reply = await self.turns.busy(incoming)
        if talk.running:
            viewer.notify(reply)

    def _start(self, talk: Talk, given: Input, viewer: Viewer | None, said: LogEntry | None = None) -> None:
        talk.running, talk.asker = True, viewer
        talk.resting.clear()
        self._spawn(self._run(talk, given, said))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, talk: Talk, given: Input, said: LogEntry | None) -> None:
        answered = False

        async def deliver(reply: Reply) -> None:
            nonlocal answered
            answered = answered or bool(reply.turn or reply.beside)
            self._deliver(talk, reply)

        try:
            await self.turns.handle(talk.incoming(given, None if isinstance(given, Changed) else said), deliver)
            if isinstance(given, Changed) and not answered:  # words that began no question are said once more
                await self.turns.handle(talk.incoming(Said(given.text)), deliver)
            if answered:
                self.log.conclude(talk.thread)
            elif not (isinstance(given, Opened) or is_lasting_press(given)):
                self._deliver(talk, Reply((Text(UNFINISHED, "problem"),)))
        finally:
            talk.running, talk.asker, talk.settled = False, None, 0
            talk.resting.set()
            self._show_progress(talk, None)
            self._forget_idle(talk)

    def _deliver(self, talk: Talk, reply: Reply) -> None:
        """Log a reply and show it to everybody who looks on; a question puts away the one before it.

        What was only said beside a question leaves it open: words had settled it when they were typed.
        """
        progress = [card for card in reply.cards if isinstance(card, Progress)]
        if progress:
            self._show_progress(talk, progress[-1])
        before = self.log.question(talk.thread)
        concludes = reply.beside and reply.replace and before is not None and not lasts(before.reply)
        if concludes and before and (before.answer == "" or not reply.cards):
            self.log.close(before)
            for viewer in talk.viewers:
                viewer.settle(before)
        elif before and ((reply.replace and not reply.beside) or (concludes and self._is_last(talk, before))):
            self._show(talk, self.log.replace(before, reply))
            return
        if len(progress) == len(reply.cards):
            return
        if before and reply.turn and not lasts(before.reply):
            before = before if before.answer is not None else self.log.answer(before, "")
            for viewer in talk.viewers:
                viewer.settle(before)
        self._show(talk, self.log.show(talk.thread, reply))
        settled = before is not None and before.number == talk.settled
        if before and settled and reply.beside and not reply.replace and not before.stands:
            before = self.log.answer(before, None)
            for viewer in talk.viewers:
                viewer.settle(before)

    def _is_last(self, talk: Talk, entry: LogEntry) -> bool:
        """Tell whether nothing was shown below an entry, such as the rows that a file was made of."""
        return self.log.latest(talk.thread, 1)[-1].number == entry.number

    def _show(self, talk: Talk, entry: LogEntry) -> None:
        for viewer in talk.viewers:
            viewer.show(entry)

    def _list_threads(self, owner: str) -> None:
        for tab, user in self._tabs.items():
            if user.id == owner:
                tab.list_threads()

    def _show_progress(self, talk: Talk, progress: Progress | None) -> None:
        talk.progress = progress
        for viewer in talk.viewers:
            viewer.show_progress(progress)

    def _forget_idle(self, talk: Talk) -> None:
        if not talk.viewers and not talk.running:
            self._talks.pop(talk.thread, None)


# News: in the thread that it belongs to, whoever looks at it.


class PageNotifier:
    """Tells people on the page what they did not ask for just now."""

    def __init__(self, talks: Talks, bridge: EventLoopBridge) -> None:
        self._talks, self._bridge = talks, bridge

    def known(self, key: ThreadKey, user: User) -> User:
        """Return the person as they were: the page asks nobody who somebody is."""
        return user

    def tell(self, news: Announcement) -> None:
        """Show news in its thread."""
        self._bridge.call(self._talks.announce(news))

    picks_channels = False

    def channel(self, key: ThreadKey, named: str) -> str:
        """Know none: the page has no channels."""
        raise NotAllowed("There are no channels here.")

    def link(self, key: ThreadKey) -> str:
        """Return nothing: nobody but its owner can look at a thread of the page."""
        return ""

    def told(self, news: Announcement) -> bool | None:
        """Tell whether the thread has these rows."""
        return self._bridge.call(self._talks.announced(news))
