"""The examples that are kept, shared by all processes of a bot."""

from base64 import b32encode
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from hashlib import sha256

from sqlalchemy import delete, select, update
from sqlalchemy.engine import Connection

from router.knowledge.embeddings import VectorTable
from router.language.folding import caseless
from router.storage.clock import Clock
from router.storage.database import Database, upsert
from router.storage.tables import example_drafts, examples, vectors

EXAMPLE_QUESTION_MAX_CHARS, EXAMPLE_SQL_MAX_CHARS = 300, 1500
"""Characters of an example: what is longer would push everything else out of a small model's sight."""


@dataclass(frozen=True, slots=True)
class KeptExample:
    """A verified example of one schema of one connection.

    `by` is the id of its author, `at` when, `checked` when the database last looked at it; `problem` says why it
    does not run any more, empty if it does.
    """

    connection: str
    schema: str
    question: str
    sql: str
    by: str = ""
    at: datetime | None = None
    checked: datetime | None = None
    problem: str = ""

    @property
    def id(self) -> str:
        """Its id: the same wherever and whenever this question is kept for this schema."""
        said = "\0".join((self.connection.casefold(), self.schema, normal_question(self.question)))
        return f"E-{b32encode(sha256(said.encode()).digest()).decode()[:8]}"

    @property
    def order(self) -> tuple[str, str, str, str]:
        """Its place in a list: the same order everywhere."""
        return self.connection.casefold(), self.schema, normal_question(self.question), self.sql


def normal_question(question: str) -> str:
    """Return a question as it is compared with others: without regard to case, blanks and closing signs."""
    return caseless(question).rstrip("?!. ")


DRAFTS_MAX = 200
"""Previews that can be saved at a time; older ones have to be shown again."""

_STORE = "examples"


class ExampleStore(VectorTable):
    """Examples in the bot's database; safe to use from several threads, and by several processes."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, _STORE)
        self.now = clock

    def every(self, connection: str = "", schema: str | None = None) -> list[KeptExample]:
        """Return all examples, or those of a connection, or of one schema of it, in their order."""
        query = select(*_COLUMNS) if schema is None else select(*_COLUMNS).where(examples.c.schema == schema)
        with self._database.reading() as database:
            rows = [KeptExample(*row) for row in database.execute(query)]
        found = (each for each in rows if connection.casefold() in ("", each.connection.casefold()))
        return sorted(found, key=lambda each: each.order)

    def get(self, id: str) -> KeptExample | None:
        """Return an example by its id."""
        with self._database.reading() as connection:
            return _get(connection, id)

    def keep(self, kept: Iterable[KeptExample]) -> None:
        """Keep examples, all of them or none, each in place of an earlier one with the same question."""
        with self._database.transaction() as connection:
            for each in kept:
                upsert(connection, examples, {"id": each.id, **asdict(each), "at": each.at or self.now()})
            _drop_unused_vectors(connection)

    def remove(self, id: str) -> KeptExample | None:
        """Remove an example and return it; None if there is none of this id (any more)."""
        with self._database.transaction() as connection:
            found = _get(connection, id)
            if found:
                connection.execute(delete(examples).where(examples.c.id == id))
                _drop_unused_vectors(connection)
        return found

    def mark(self, kept: KeptExample, problem: str) -> KeptExample:
        """Note that the database looked at an example now, and what was wrong; nothing if it changed meanwhile."""
        looked = replace(kept, checked=self.now(), problem=problem)
        same = (examples.c.id == kept.id) & (examples.c.sql == kept.sql)
        with self._database.transaction() as connection:
            connection.execute(update(examples).where(same).values(checked=looked.checked, problem=problem))
        return looked

    def draft(self, kept: KeptExample, replaces: str) -> str:
        """Keep what is shown to somebody until they press Save, and return the preview's id."""
        said = [kept.connection, kept.schema, kept.question, kept.sql, replaces]
        id = sha256("\0".join((kept.id, *said[2:])).encode()).hexdigest()[:16]
        latest = select(example_drafts.c.id).order_by(example_drafts.c.at.desc(), example_drafts.c.number.desc())
        with self._database.transaction() as connection:
            upsert(connection, example_drafts, {"id": id, "draft": said, "at": self.now()}, key=("id",))
            connection.execute(delete(example_drafts).where(example_drafts.c.id.not_in(latest.limit(DRAFTS_MAX))))
        return id

    def drafted(self, id: str) -> tuple[KeptExample, str] | None:
        """Return what was shown under this id, and the SQL that it was said to replace."""
        with self._database.reading() as connection:
            said = connection.execute(select(example_drafts.c.draft).where(example_drafts.c.id == id)).scalar()
        return (KeptExample(*said[:-1]), said[-1]) if said else None


_COLUMNS = [examples.c[each.name] for each in fields(KeptExample)]


def _get(connection: Connection, id: str) -> KeptExample | None:
    row = connection.execute(select(*_COLUMNS).where(examples.c.id == id)).first()
    return KeptExample(*row) if row else None


def _drop_unused_vectors(connection: Connection) -> None:
    """Delete the vectors of questions that are no example's any more."""
    unused = vectors.c.text.not_in(select(examples.c.question))
    connection.execute(delete(vectors).where(vectors.c.store == _STORE, unused))
