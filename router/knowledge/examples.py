"""Verified examples: the few that are near a question are shown to the model that writes its SQL."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import Protocol

from router.catalog.schema import Schema
from router.catalog.tables import Tables
from router.errors import BotError, JobFailed
from router.knowledge.example_store import ExampleStore
from router.knowledge.kept import LONGEST_SQL, Kept
from router.knowledge.known import MOST_EXAMPLES, Example
from router.knowledge.likeness import Likeness
from router.memory import User
from router.sql.guard import check

log = logging.getLogger("icc_bot")

ALIKE = 0.65
"""How alike a question must be, by its words."""

LOOKED = timedelta(hours=1)
"""How long an example is believed to run before the database is asked again."""

LOOKS = 6
"""How many examples the database is asked about for one question, which waits for it."""

ANEW = timedelta(days=1)
"""How long one that did not run is left alone before it is asked about again."""


class Meaning(Protocol):
    """Finds what is alike by what it means, by a model's vectors."""

    def nearest(self, question: str, among: Sequence[str]) -> list[tuple[float, int]] | None:
        """Return (likeness, number) of those that mean much the same, the nearest first; None where it cannot now."""


class Examples:
    """The examples of all connections; safe to use from several threads."""

    def __init__(
        self, store: ExampleStore, tables: Tables, clock: Callable[[], datetime], meaning: Meaning | None = None
    ) -> None:
        self.store = store
        self._tables, self._clock, self._meaning = tables, clock, meaning
        self._lock = Lock()
        self._found: dict[tuple[str, str], tuple[int, list[Kept], Likeness]] = {}

    def near(self, connection: str, question: str, schema: Schema) -> tuple[Example, ...]:
        """Return the examples nearest to a question about these tables, the nearest first; MOST_EXAMPLES at most.

        Only those that run, as far as is known, and read nothing but these tables. Never raises: what goes wrong is
        logged, and there are fewer examples.
        """
        try:
            return self._near(connection, question, schema)
        except Exception:  # a question is answered without examples, too
            log.exception("examples could not be looked for")
            return ()

    def verify(self, kept: Kept) -> Kept:
        """Have the database look at an example without running it, and note whether it runs; returns it with that.

        Raises JobFailed, or NotAllowed, where that cannot be told now.
        """
        schema = self._tables.schema(kept.connection, kept.schema)
        verdict = check(kept.sql, schema.dialect, schema.scope)
        if not verdict.allowed:
            # What was read of the tables may be old.
            schema = self._tables.schema(kept.connection, kept.schema, fresh=True)
            verdict = check(kept.sql, schema.dialect, schema.scope)
        if not verdict.allowed:
            return self.store.mark(kept, verdict.reason)
        return self._try(kept, schema)

    def _near(self, connection: str, question: str, schema: Schema) -> tuple[Example, ...]:
        kept, likeness = self._of(connection, schema.name)
        chosen: list[Example] = []
        left = LOOKS
        for number in self._ranked(question, kept, likeness):
            sql = shown(kept[number], schema)
            now = self.store.get(kept[number].id) if sql else None  # others look, too
            if now is None or now.sql != kept[number].sql:
                continue
            if self._is_due(now):
                if not left:
                    continue
                left -= 1
                try:
                    now = self._look(now, schema)
                except BotError as error:
                    log.info("whether the example %s runs cannot be told: %s", now.id, error)
                    break  # nor would it be for the next one, and the question waits
            if not now.problem:
                chosen.append(Example(now.question, sql))
            if len(chosen) == MOST_EXAMPLES:
                break
        return tuple(chosen)

    def _ranked(self, question: str, kept: list[Kept], likeness: Likeness) -> list[int]:
        """Return the numbers of the examples that are alike, the nearest first."""
        if not kept:
            return []
        found = self._meaning.nearest(question, [each.question for each in kept]) if self._meaning else None
        return [number for _, number in (likeness.nearest(question, ALIKE) if found is None else found)]

    def _of(self, connection: str, schema: str) -> tuple[list[Kept], Likeness]:
        """Return the examples of a schema with their index, which is made anew once there are others."""
        key, version = (connection.casefold(), schema), self.store.version()
        with self._lock:
            before = self._found.get(key)
            if before is None or before[0] != version:
                kept = self.store.every(connection, schema)
                before = version, kept, Likeness((each.question, each.sql) for each in kept)
                self._found[key] = before
            return before[1], before[2]

    def _is_due(self, kept: Kept) -> bool:
        """Tell whether the database did not look at an example for a while."""
        age = self._clock() - datetime.fromisoformat(kept.checked) if kept.checked else ANEW
        return age >= (ANEW if kept.problem else LOOKED)

    def _look(self, kept: Kept, schema: Schema) -> Kept:
        """Have the database look at an example that the guard allows; raises BotError where it says nothing."""
        looked = self._try(kept, schema)
        if looked.problem and not kept.problem:
            log.warning("the example %s does not run any more, and is shown to no model: %s", kept.id, looked.problem)
        return looked

    def _try(self, kept: Kept, schema: Schema) -> Kept:
        """Have the database look at an example; raises JobFailed where it says nothing at all."""
        problem = ""
        try:
            self._check(kept, schema, check(kept.sql, schema.dialect, schema.scope).sql)
        except JobFailed as error:
            problem = str(error)
            # Where the database is away, this raises as well, and nothing is known against the example.
            self._check(kept, schema, "SELECT 1 FROM dual" if schema.dialect == "oracle" else "SELECT 1")
        return self.store.mark(kept, problem)

    def _check(self, kept: Kept, schema: Schema, sql: str) -> None:
        with self._tables.trial(kept.connection, schema.scope, User(kept.by)) as trial:
            trial.check(sql)


def shown(kept: Kept, schema: Schema) -> str:
    """Return the SQL as a model is shown it, on one line; empty where it reads anything but these tables."""
    verdict = check(kept.sql, schema.dialect, schema.scope)
    sql = " ".join(verdict.sql.split())
    return sql if verdict.allowed and len(sql) <= LONGEST_SQL else ""


def nearest(kept: Sequence[Kept], question: str, schema: Schema) -> tuple[Example, ...]:
    """Return those of some examples that are nearest to a question; nobody looks whether they run."""
    likeness = Likeness((each.question, each.sql) for each in kept)
    usable = (
        Example(kept[number].question, sql)
        for _, number in likeness.nearest(question, ALIKE)
        if (sql := shown(kept[number], schema))
    )
    return tuple(example for example, _ in zip(usable, range(MOST_EXAMPLES), strict=False))
