"""The messages posted into threads, kept so that they can be drawn again: as answered, with the next page, or after a
restart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, Select, Table, and_, bindparam, delete, func, insert, or_, select, update

from adapters.chat.surface import QuestionOutcome
from adapters.rendering.card_json import reply_from_json, reply_json
from router.cards import Reply
from router.memory.thread import ThreadKey, key_from
from router.storage.clock import Clock, now
from router.storage.database import Database, insert_new, upsert
from router.storage.tables import messages, welcomes

_DECISION = TypeAdapter(QuestionOutcome)

NOTHING: Final = ""
"""Stands for what a message shows that shows progress alone."""


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message of the bot: `channel` and `id` are the platform's names of it; rows are left out of `reply`.

    `decision` says how its question was answered, if it was.
    """

    channel: str
    id: str
    key: ThreadKey
    turn: int
    reply: Reply
    decision: QuestionOutcome | None = None


class ShownMessages:
    """The bot's messages on one platform; thread-safe, about 0.1 ms a call."""

    def __init__(self, database: Database, platform: str, clock: Clock = now) -> None:
        self._database, self._platform, self._clock = database, platform, clock

    def add(self, channel: str, id: str, key: ThreadKey, reply: Reply) -> None:
        """Note a message, or what has taken the place of one."""
        with self._database.writing() as connection:
            upsert(connection, messages, self._row(channel, id, key, reply.turn, reply_json(reply)))

    def question(self, key: ThreadKey) -> ShownMessage | None:
        """Return the thread's last question, unless it was drawn as answered."""
        return self._one(_QUESTION, self._of_thread(key))

    def question_at(self, channel: str, key: ThreadKey, turn: int) -> ShownMessage | None:
        """Return the thread's last question, if it has this number and stands in this channel, unanswered."""
        question = self.question(key)
        return question if question and (question.turn, question.channel) == (turn, channel) else None

    def is_answered_copy(self, channel: str, id: str, key: ThreadKey, turn: int) -> bool:
        """Return whether a message is a second copy of a card, of whose posting the bot never heard, and that is over.

        What is on its way has a higher number than any question that was posted.
        """
        if not turn or channel != key.channel or self.message(channel, id):
            return False
        question = self.question(key)
        return self.last_turn(key) >= turn and not (question and question.turn == turn)

    def answer(self, message: ShownMessage, decision: QuestionOutcome | None = None) -> None:
        """Note that a question is answered, and how; it is drawn so, or will be."""
        decided = {"decision": _DECISION.dump_json(decision).decode()} if decision else {}
        with self._database.writing() as connection:
            connection.execute(_CHANGE, self._is(message.channel, message.id) | {"answered": True} | decided)

    def make_room(self, message: ShownMessage) -> None:
        """Note that a question is answered, and that its message shows progress."""
        with self._database.writing() as connection:
            connection.execute(_CHANGE, self._is(message.channel, message.id) | {"answered": True, "progress": True})

    def decided(self, key: ThreadKey) -> ShownMessage | None:
        """Return the thread's last question of which it is kept how it was answered."""
        return self._one(_DECIDED, self._of_thread(key))

    def offering(self, key: ThreadKey, words: str) -> list[ShownMessage]:
        """Return the thread's messages with these words that were not drawn as answered."""
        with self._database.reading() as connection:
            rows = connection.execute(_OPEN, self._of_thread(key)).all()
        return [_shown(tuple(row)) for row in rows if words in row.reply]

    def message(self, channel: str, id: str) -> ShownMessage | None:
        """Return one message."""
        return self._one(_MESSAGE, self._is(channel, id))

    def last_turn(self, key: ThreadKey) -> int:
        """Return the number of the last question that was posted into the thread, 0 if there was none."""
        with self._database.reading() as connection:
            return connection.execute(_LAST_TURN, self._of_thread(key)).scalar() or 0

    def begin(self, channel: str, id: str, key: ThreadKey) -> None:
        """Note a message that shows progress, until `end`."""
        with self._database.writing() as connection:
            if not connection.execute(_CHANGE, self._is(channel, id) | {"progress": True}).rowcount:
                connection.execute(insert(messages), self._row(channel, id, key) | {"progress": True})

    def end(self, channel: str, id: str) -> None:
        """Forget a message that showed progress."""
        with self._database.writing() as connection:
            connection.execute(_DELETE_UNUSED, self._is(channel, id))
            connection.execute(_CHANGE, self._is(channel, id) | {"progress": False})

    def begun(self, key: ThreadKey) -> list[tuple[str, str]]:
        """Return channel and id of the thread's messages that show progress: of a turn, or of a process that ended."""
        with self._database.reading() as connection:
            rows = connection.execute(_BEGUN, self._of_thread(key)).all()
        return [(row.channel, row.message) for row in rows]

    def welcome(self, team: str, person: str) -> bool:
        """Return whether the person is here for the first time; True once."""
        with self._database.writing() as connection:
            return insert_new(connection, welcomes, {"platform": self._platform, "team": team, "person": person})

    def expire(self, seconds: float) -> None:
        """Forget messages older than this; buttons of theirs still say that they are old."""
        old = messages.c.at < self._clock() - timedelta(seconds=seconds)
        with self._database.writing() as connection:
            connection.execute(delete(messages).where(messages.c.platform == self._platform, old))

    def forget(self, key: ThreadKey) -> None:
        """Delete what was shown to a key's team, or to its channel if it names one."""
        talks = str(replace(key, thread=""))
        with self._database.writing() as connection:
            if not key.channel:
                for table in (messages, welcomes):
                    connection.execute(delete(table).where(self._of_team(table, key)))
                return
            within = or_(messages.c.channel == key.channel, func.substr(messages.c.thread, 1, len(talks)) == talks)
            connection.execute(delete(messages).where(self._of_team(messages, key), within))
            own = self._of_team(welcomes, key) & (welcomes.c.person == key.channel)
            connection.execute(delete(welcomes).where(own))

    def _row(self, channel: str, id: str, key: ThreadKey, turn: int = 0, reply: str = NOTHING) -> dict[str, Any]:
        place = {"platform": self._platform, "channel": channel, "message": id, "team": key.team, "thread": str(key)}
        state = {"answered": False, "progress": False, "decision": None, "at": self._clock()}
        return {**place, "turn": turn, "reply": reply, **state}

    def _is(self, channel: str, id: str) -> dict[str, str]:
        return {"of_platform": self._platform, "of_channel": channel, "of_message": id}

    def _of_thread(self, key: ThreadKey) -> dict[str, str]:
        return {"of_platform": self._platform, "of_thread": str(key)}

    def _of_team(self, table: Table, key: ThreadKey) -> ColumnElement[bool]:
        return and_(table.c.platform == self._platform, table.c.team == key.team)

    def _one(self, query: Select[Any], values: dict[str, str]) -> ShownMessage | None:
        with self._database.reading() as connection:
            row = connection.execute(query, values).first()
        return None if row is None else _shown(tuple(row))


def _shown(row: Sequence[Any]) -> ShownMessage:
    at, id, thread, turn, reply, decision = row
    found = _DECISION.validate_json(decision) if decision else None
    return ShownMessage(at, id, key_from(thread), turn, reply_from_json(reply), found)


# Built once: that takes longer than to execute them.
_IS_MESSAGE = and_(*(messages.c[name] == bindparam(f"of_{name}") for name in ("platform", "channel", "message")))
_IN_THREAD = and_(messages.c.platform == bindparam("of_platform"), messages.c.thread == bindparam("of_thread"))
_COLUMNS = [messages.c[name] for name in ("channel", "message", "thread", "turn", "reply", "decision")]
_SHOWN = select(*_COLUMNS).where(messages.c.reply != NOTHING)
_MESSAGE = _SHOWN.where(_IS_MESSAGE)
_LATEST = _SHOWN.where(_IN_THREAD).order_by(messages.c.turn.desc()).limit(1)
_QUESTION = _LATEST.where(messages.c.turn > 0, ~messages.c.answered)
_DECIDED = _LATEST.where(messages.c.decision.is_not(None))
_OPEN = _SHOWN.where(_IN_THREAD, ~messages.c.answered)
_LAST_TURN = select(func.max(messages.c.turn)).where(_IN_THREAD)
_CHANGE = update(messages).where(_IS_MESSAGE)
_DELETE_UNUSED = delete(messages).where(_IS_MESSAGE, messages.c.reply == NOTHING)
_BEGUN = select(messages.c.channel, messages.c.message).where(_IN_THREAD, messages.c.progress)
