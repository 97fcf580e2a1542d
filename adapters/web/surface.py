"""The page as a surface of the conversation service: a message is an entry in the log of its thread."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from adapters.chat.surface import Heard, MessagePlace, Person, Posted, Shape, Undelivered
from adapters.ordered_calls import call_in_order
from adapters.rendering.controls import QuestionRef
from adapters.rendering.plain_text import text_of
from adapters.web.changes import TalkChange, TalkChanges
from adapters.web.log import TalkLog
from router.cards import Form, Progress, Reply, Text
from router.errors import JobFailed
from router.memory.draft import User
from router.memory.thread import Memory, ThreadKey

T = TypeVar("T")


class PageSurface:
    """All threads of the page; each belongs to one person, who alone sees it."""

    progress_after = 0.0
    tells_of_closed_forms = False
    picks_channels = False

    def __init__(self, log: TalkLog, changes: TalkChanges) -> None:
        self._log, self._changes = log, changes

    async def show(self, place: MessagePlace, shape: Shape, id: str, *, brief: bool = False) -> Posted:
        """Add an entry; what is being done is none, and stands below all of them."""
        if progress := _progress_in(shape):
            await self._change(TalkChange(shape.key.thread, "working", progress=progress))
            return Posted("", f"progress {shape.key.thread}")
        return await self._add(shape.key.thread, shape.reply, id)

    async def redraw(self, place: MessagePlace, posted: Posted, shape: Shape, id: str = "") -> Posted:
        """Change an entry; one that makes room for what is being done waits without its buttons."""
        thread, number = shape.key.thread, _number_of(posted)
        if progress := _progress_in(shape):
            if number and await self._kept(lambda: self._log.answer(number)):
                await self._change(TalkChange(thread, "entry", number))
            await self._change(TalkChange(thread, "working", progress=progress))
            return posted
        if not number:
            return await self._add(thread, shape.reply, id)
        label = shape.decision.label if shape.decision else None
        if not await self._kept(lambda: self._log.redraw(number, shape.reply, label, id)):
            raise Undelivered("the entry was deleted", gone=True)
        await self._change(TalkChange(thread, "entry", number))
        return posted

    async def remove(self, place: MessagePlace, posted: Posted) -> None:
        """Delete an entry; what was being done goes by itself, once the thread rests."""
        if number := _number_of(posted):
            await self._kept(lambda: self._log.remove(number))
            await self._change(TalkChange(place.thread, "entry", number))

    async def find(self, place: MessagePlace, id: str) -> Posted | None:
        """Return the entry with this id."""
        number = await self._kept(lambda: self._log.find(id))
        return Posted("", str(number)) if number else None

    async def whisper(self, place: MessagePlace, user: User, text: str) -> None:
        """Show the person a text in their thread, which nobody else sees, unless the last entry says it."""
        latest = await self._kept(lambda: self._log.latest(place.thread, 1))
        if not any(text in text_of(entry.reply) for entry in latest):
            await self._add(place.thread, Reply((Text(text, "quiet"),)), "")

    async def tell(self, key: ThreadKey, memory: Memory | None, working: bool) -> None:
        """Have all tabs show whether the bot is at work in a thread."""
        await self._change(TalkChange(key.thread, "working" if working else "rests"))

    async def begin(self, heard: Heard, again: bool) -> Heard:
        """Return the input as it is: its thread is begun before it is taken."""
        return heard

    async def person(self, team: str, user: User) -> Person:
        """Return the person as they are: a person who is let in is known."""
        return Person(user)

    async def find_person(self, key: ThreadKey, identity: str) -> User | None:
        """Return None: the page knows nobody but who looks."""
        return None

    async def channel(self, team: str, named: str) -> str:
        """Raise Undelivered: the page has no channels."""
        raise Undelivered("the page has no channels", outside=True)

    async def open(self, form: Form, asked: QuestionRef, trigger: str) -> None:
        """Ignore it: a form stands in its card."""

    async def link(self, key: ThreadKey) -> str:
        """Return nothing: nobody but its owner can look at a thread."""
        return ""

    def home(self, user: str) -> str:
        """Return the person's id: a thread is theirs alone as it is."""
        return user

    async def _add(self, thread: str, reply: Reply, id: str) -> Posted:
        number, moved = await self._kept(lambda: self._log.show(thread, reply, id))
        await self._change(TalkChange(thread, "entry", number))
        if moved:
            await self._change(TalkChange("", "listed", owner=moved))
        return Posted("", str(number))

    async def _change(self, change: TalkChange) -> None:
        try:
            await self._changes.tell(change)
        except SQLAlchemyError as error:
            raise Undelivered(type(error).__name__) from error

    async def _kept(self, call: Callable[[], T]) -> T:
        try:
            return await call_in_order(call)
        except JobFailed as error:
            raise Undelivered(str(error), refused=True) from error
        except SQLAlchemyError as error:
            raise Undelivered(type(error).__name__) from error


def _progress_in(shape: Shape) -> Progress | None:
    """Return what is being done, where a message shows nothing else."""
    return next((card for card in shape.reply.cards if isinstance(card, Progress)), None)


def _number_of(posted: Posted) -> int:
    """Return the number of an entry; 0 for what is being done."""
    return int(posted.id) if posted.id.isdigit() else 0
