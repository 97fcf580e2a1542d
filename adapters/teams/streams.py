"""Progress in personal chats, as Teams has it there: a message that is being written until it is answered.

Teams takes one such stream a chat, one part of it a second, and two minutes of it. Its last part is a message like any
other, with all that may hang on one. Whatever a stream is refused for, its id is the message's, which can be changed
and deleted as any.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.keyed_lock import KeyedLock
from adapters.chat.surface import Posted
from adapters.in_order import in_order
from adapters.rendering.speech import spoken
from adapters.teams.calls import BRIEF_CALL_TRIES
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, References
from adapters.teams.failures import Dead, Declined, MessageGone, StreamStopped, Unanswered, Undone
from router.cards import Progress, Reply
from router.language.wording import truncate

log = logging.getLogger("icc_bot")

STREAM_MAX_SECONDS: Final = 110.0
"""Seconds after which a stream is left, of the 120 that Teams allows."""
STREAM_PACE_SECONDS: Final = 1.0
"""Seconds between two parts."""
NO_STREAM_SECONDS: Final = 600.0
"""Seconds for which no stream is begun where Teams allowed none."""
PROGRESS_MAX_CHARS: Final = 300
"""Characters of a line of progress: Teams takes 1,000, or a kilobyte of them."""

ANSWER, WORKING = "My answer:", "Still at work:"
"""The text above a card: the end of a stream must have one, and the card says the rest."""

STREAM_PREFIX: Final = "stream:"
"""The beginning of a stream's name beside those of messages: another process too sees that it must be ended."""

Json = dict[str, Any]


@dataclass(slots=True)
class ProgressStream:
    """A stream of this process; times are the clock's."""

    id: str
    began: float
    wrote: float
    sequence: int = 1


class Streams:
    """The streams being written in all personal chats; of one chat, one call at a time. A call raises Undone."""

    def __init__(
        self,
        connector: Connector,
        references: References,
        lasting: float = STREAM_MAX_SECONDS,
        pace: float = STREAM_PACE_SECONDS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._connector, self._references = connector, references
        self._lasting, self._pace, self._clock = lasting, pace, clock
        self._locks = KeyedLock()
        self._open: dict[str, ProgressStream] = {}
        self._refused: BoundedCache[str, float] = BoundedCache()

    async def at_home(self, reference: Reference) -> bool:
        """Tell whether this is a personal chat, and Teams is not known to refuse streams in it."""
        name = reference.conversation
        refused = self._clock() < self._refused.get(name, 0.0)
        return not refused and await in_order(self._references.personal, name)

    async def begin(self, reference: Reference, reply: Reply) -> Posted | None:
        """Begin to write a reply that is progress; returns None where an ordinary message has to do."""
        async with self._locks.at(reference.conversation):
            return await self._begin(reference, reply)

    async def _begin(self, reference: Reference, reply: Reply) -> Posted | None:
        name, began = reference.conversation, self._clock()
        # A stream has a Stop of its own, so that what cannot be stopped is none.
        stoppable = all(isinstance(card, Progress) and card.stoppable for card in reply.cards)
        if not stoppable or not await self.at_home(reference) or self._lasts(name):
            return None
        try:
            # In one try: of a stream that was begun and not answered, Teams would refuse the second.
            id = await self._connector.send(reference, _alone(reference) | _part(line_of(reply), 1), tries=1)
        except Dead:
            raise
        except (Declined, Unanswered) as error:
            log.info("no stream was begun: %s", error)
            if isinstance(error, Declined):
                self._refused[name] = self._clock() + NO_STREAM_SECONDS
            return None
        if not id:
            return None
        self._open[name] = ProgressStream(id, began, self._clock())
        return Posted(name, STREAM_PREFIX + id, open=True)

    async def write(self, reference: Reference, posted: Posted, activity: Json, line: str = "") -> Posted:
        """Go on with this line of progress, or end the stream as this message; returns what stands there then.

        Without a line the message is its end, and also where the stream lasts no longer; where none of it is left, the
        message is posted. Raises Stopped where the person ended the progress; an answer that was ready then is shown
        all the same, as it is with a Stop of our own.
        """
        async with self._locks.at(reference.conversation):
            return await self._write(reference, posted, activity, line)

    async def _write(self, reference: Reference, posted: Posted, activity: Json, line: str) -> Posted:
        id, stream = _id_of(posted), self._open.get(reference.conversation)
        try:
            if line and stream and stream.id == id and self._lasts(reference.conversation):
                with suppress(_Over):
                    await self._go_on(reference, stream, line)
                    return posted
            await self._end(reference, id, activity, WORKING if line else ANSWER)
        except StreamStopped:
            self._forget(reference, id)
            with suppress(Undone):  # Microsoft does not say what is left of a stream that was stopped
                await self._connector.delete(reference, id)
            if line:
                raise
            id = await self._connector.send(reference, activity)
        except MessageGone:
            self._forget(reference, id)
            id = await self._connector.send(reference, activity)
        return Posted(posted.channel, id)

    async def remove(self, reference: Reference, name: str) -> None:
        """Have nothing stand there of a stream."""
        async with self._locks.at(reference.conversation):
            await self._remove(reference, name)

    async def _remove(self, reference: Reference, name: str) -> None:
        id = name.removeprefix(STREAM_PREFIX)
        try:
            await self._connector.delete(reference, id)
            self._forget(reference, id)
        except Dead:
            raise
        except Declined:  # Microsoft does not say that a message may be deleted while it is being written
            await self._end(reference, id, {"type": "message"}, ANSWER)
            await self._connector.delete(reference, id)

    async def _go_on(self, reference: Reference, stream: ProgressStream, line: str) -> None:
        """Write another part; raises _Over where Teams takes no more."""
        await self._wait(stream)
        stream.sequence += 1
        try:
            # A part that comes twice is dropped by Teams.
            part = _alone(reference) | _part(line, stream.sequence, stream.id)
            await self._connector.send(reference, part, tries=BRIEF_CALL_TRIES)
        except (Dead, MessageGone, StreamStopped):
            raise
        except Declined as error:
            log.info("a stream was refused: %s", error)
            raise _Over from error
        finally:
            stream.wrote = self._clock()

    async def _end(self, reference: Reference, id: str, activity: Json, lead: str) -> None:
        """Have the stream be this message from now on."""
        if stream := self._forget(reference, id):
            await self._wait(stream)
        try:
            # Where the answer to it is lost, the next try is refused, as the stream is at its end.
            await self._connector.send(reference, _alone(reference) | _last(activity, id, lead))
        except (Dead, StreamStopped):
            raise
        except Declined as error:
            log.info("a stream was over before its end: %s", error)
            await self._connector.update(reference, id, activity)

    async def _wait(self, stream: ProgressStream) -> None:
        await asyncio.sleep(max(0.0, stream.wrote + self._pace - self._clock()))

    def _lasts(self, name: str) -> bool:
        stream = self._open.get(name)
        return stream is not None and self._clock() < stream.began + self._lasting

    def _forget(self, reference: Reference, id: str) -> ProgressStream | None:
        stream = self._open.get(reference.conversation)
        return self._open.pop(reference.conversation) if stream and stream.id == id else None


class _Over(Exception):
    """Teams takes no more parts of a stream."""


def is_stream(posted: Posted) -> bool:
    """Tell whether what was posted is a stream, of this process or of one before."""
    return posted.id.startswith(STREAM_PREFIX)


def line_of(reply: Reply) -> str:
    """Return what a reply that is progress alone says in a line; empty for any other."""
    if not reply.cards or not all(isinstance(card, Progress) for card in reply.cards):
        return ""
    return truncate(" ".join(spoken(reply).split()), PROGRESS_MAX_CHARS) or "…"


def _id_of(posted: Posted) -> str:
    return posted.id.removeprefix(STREAM_PREFIX)


def _alone(reference: Reference) -> Json:
    """Return what says that a chat is one person's own: Teams takes no stream that does not say so."""
    conversation = {"id": reference.conversation, "conversationType": "personal"}
    if reference.tenant:
        conversation["tenantId"] = reference.tenant
    return {"conversation": conversation, **({"recipient": {"id": reference.person}} if reference.person else {})}


def _part(line: str, sequence: int, id: str = "") -> Json:
    info = {"type": "streaminfo", "streamType": "informative", "streamSequence": sequence}
    return {"type": "typing", "text": line, "entities": [info | ({"streamId": id} if id else {})]}


def _last(activity: Json, id: str, lead: str) -> Json:
    info = {"type": "streaminfo", "streamType": "final", "streamId": id}
    entities = [info, *activity.get("entities", [])]
    return {"text": lead, "textFormat": "plain"} | activity | {"entities": entities}
