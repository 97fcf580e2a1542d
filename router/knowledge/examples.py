"""Verified examples: the few that are near a question are shown to the model that writes its SQL."""

import re
from collections.abc import Callable, Iterable, Sequence
from threading import Lock

from router.catalog.schema import Schema
from router.catalog.tables import Tables
from router.errors import JobFailed
from router.knowledge.example_store import EXAMPLE_SQL_MAX_CHARS, ExampleStore, KeptExample
from router.knowledge.knowledge import EXAMPLES_MAX, Example
from router.knowledge.nearest_texts import NearestTexts, Weigh
from router.language.wording import WORD
from router.memory.draft import User
from router.sql.guard import check

LIKENESS_MIN = 0.55
"""The least likeness of a question, by its words: of what is found so, two of three read the same tables."""

_QUOTED = r"\"[^\"]*\"|“[^”]*”|„[^“]*“|(?<!\w)'[^']*'(?!\w)"
_NAMING = re.compile(rf"{_QUOTED}|(?<!^){WORD.pattern}")


def without_names(question: str) -> str:
    """Return a question with a sign in place of each number and name: they say nothing of how a query is built."""
    return _NAMING.sub(lambda found: "#" if _is_name(found[0]) else found[0], question)


def _is_name(word: str) -> bool:
    return not word[0].isalnum() or word[0].isupper() or any(letter.isdigit() for letter in word)


def index_of(kept: Iterable[KeptExample], weigh: Weigh) -> NearestTexts:
    """Return what finds examples by the words of their questions."""
    return NearestTexts((without_names(each.question) for each in kept), weigh)


ByMeaning = Callable[[str, Sequence[str]], list[tuple[float, int]] | None]
"""Returns (likeness, number) of those that mean much the same, the nearest first; None if it cannot now."""


class Examples:
    """The examples of all connections; safe to use from several threads."""

    def __init__(self, store: ExampleStore, tables: Tables, weigh: Weigh, by_meaning: ByMeaning | None = None) -> None:
        self.store = store
        self._tables, self._weigh, self._by_meaning = tables, weigh, by_meaning
        self._lock = Lock()
        self._indexes: dict[tuple[str, str], tuple[list[KeptExample], NearestTexts]] = {}

    def near(self, connection: str, question: str, schema: Schema) -> tuple[Example, ...]:
        """Return the examples nearest to a question about these tables, the nearest first; EXAMPLES_MAX at most.

        Only those that run, as far as is known, and read nothing but these tables.
        """
        kept, likeness = self._of(connection, schema.name)
        if not kept:
            return ()
        found = self._by_meaning(question, [each.question for each in kept]) if self._by_meaning else None
        return _shown(kept, likeness.nearest(without_names(question), LIKENESS_MIN) if found is None else found, schema)

    def verify(self, kept: KeptExample) -> KeptExample:
        """Have the database look at an example without running it, and note whether it runs; returns it with that.

        Raises JobFailed, or NotAllowed, if that cannot be told now.
        """
        schema = self._tables.schema(kept.connection, kept.schema, fresh=True)
        verdict = check(kept.sql, schema.dialect, schema.scope)
        problem = "" if verdict.allowed else verdict.reason
        if verdict.allowed:
            try:
                self._check(kept, schema, verdict.sql)
            except JobFailed as error:
                problem = str(error)
                # If the database is away, this raises as well, and nothing is known against the example.
                self._check(kept, schema, "SELECT 1 FROM dual" if schema.dialect == "oracle" else "SELECT 1")
        return self.store.mark(kept, problem)

    def _of(self, connection: str, schema: str) -> tuple[list[KeptExample], NearestTexts]:
        """Return the examples of a schema that run with their index, which is made again once there are others."""
        kept = [each for each in self.store.every(connection, schema) if not each.problem]
        with self._lock:
            known = self._indexes.get((connection, schema))
            if known is None or known[0] != kept:
                known = self._indexes[connection, schema] = kept, index_of(kept, self._weigh)
            return known

    def _check(self, kept: KeptExample, schema: Schema, sql: str) -> None:
        with self._tables.trial(kept.connection, schema.scope, User(kept.by)) as trial:
            trial.check(sql)


def _shown(kept: Sequence[KeptExample], found: Iterable[tuple[float, int]], schema: Schema) -> tuple[Example, ...]:
    """Return the first examples that read nothing but these tables, as a model is shown them: on one line."""
    shown: list[Example] = []
    for _, number in found:
        verdict = check(kept[number].sql, schema.dialect, schema.scope)
        sql = " ".join(verdict.sql.split())
        if verdict.allowed and len(sql) <= EXAMPLE_SQL_MAX_CHARS and len(shown) < EXAMPLES_MAX:
            shown.append(Example(kept[number].question, sql))
    return tuple(shown)


def nearest(kept: Sequence[KeptExample], question: str, schema: Schema, weigh: Weigh) -> tuple[Example, ...]:
    """Return those of some examples that are nearest to a question, whether they run or not."""
    return _shown(kept, index_of(kept, weigh).nearest(without_names(question), LIKENESS_MIN), schema)
