"""Verified examples: the few that are near a question are shown to the model that writes its SQL."""

import logging
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from threading import Lock
from typing import Protocol

from router.catalog.schema import Schema
from router.catalog.tables import Tables
from router.errors import BotError, JobFailed
from router.knowledge.example_store import EXAMPLE_SQL_MAX_CHARS, ExampleStore, KeptExample
from router.knowledge.knowledge import EXAMPLES_MAX, Example
from router.language.phrases import listed
from router.language.wording import WORD
from router.memory.draft import User
from router.sql.guard import check

# Likeness of questions by their words (TF-IDF): rare ones weigh more, names of values hardly anything.


_QUOTATION = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“]*“|(?<!\w)'[^']*'(?!\w)")
_LITERAL = re.compile(r"'((?:[^']|'')*)'")

WORD_MAX_WEIGHT = 3.0
"""A word weighs no more than this, however rare: one rare word must not make up for all others."""

ASSUMED_QUESTIONS = 20
"""Questions that are thought to be there besides, so that two of them do not make a word common, or rare."""

VALUE_WORD_WEIGHT = 0.3
"""The rest of the weight of a number, or of the name of a value, which says nothing of how a query is built."""


class SimilarityIndex:
    """An index of questions with their SQL; the same for the same questions, in whatever order they come."""

    def __init__(self, examples: Iterable[tuple[str, str]]) -> None:
        given = list(examples)
        texts = [_stems(question) for question, _ in given]
        self._values = frozenset(stem for _, sql in given for stem in _literals(sql))
        seen: dict[str, int] = defaultdict(int)
        for stems in texts:
            for stem in stems:
                seen[stem] += 1
        self._rare = {stem: _rarity(count, len(given)) for stem, count in seen.items()}
        self._unseen = _rarity(0, len(given))
        self._where: dict[str, list[int]] = defaultdict(list)
        self._squares: list[dict[str, float]] = []
        self._length: list[float] = []
        for number, stems in enumerate(texts):
            squares = {stem: self._weight(stem, named) ** 2 for stem, named in stems.items()}
            for stem in squares:
                self._where[stem].append(number)
            self._squares.append(squares)
            self._length.append(math.sqrt(math.fsum(squares.values())))

    def nearest(self, question: str, least: float) -> list[tuple[float, int]]:
        """Return (likeness, number) of the examples that are at least so much alike, the nearest first.

        The likeness is from 0 to 1; 1 is a question with the same words, in whatever order.
        """
        asked = {stem: self._weight(stem, named) ** 2 for stem, named in _stems(question).items()}
        length = math.sqrt(math.fsum(asked.values()))
        found = []
        for number in self._possible(asked, least * least):
            own = self._squares[number]
            shared = math.fsum(min(square, own[stem]) for stem, square in asked.items() if stem in own)
            likeness = round(shared / (length * self._length[number]), 6)
            if likeness >= least:
                found.append((likeness, number))
        return sorted(found, key=lambda each: (-each[0], each[1]))

    def _possible(self, asked: dict[str, float], share: float) -> set[int]:
        """Return the examples that have enough of the question's words, found by the rare ones alone.

        What an example shares is at most its own length squared, and so it must share `share` of the question at least.
        """
        left = math.fsum(asked.values())
        enough, possible = left * share * 0.999, set[int]()
        for stem in sorted(asked, key=lambda stem: (len(self._where.get(stem, ())), stem)):
            if left < enough:
                break
            possible.update(self._where.get(stem, ()))
            left -= asked[stem]
        return possible

    def _weight(self, stem: str, name: bool) -> float:
        """Return how much a word counts; `name`: it was written as names are."""
        weight = min(self._rare.get(stem, self._unseen), WORD_MAX_WEIGHT)
        light = name or stem == "#" or stem in listed("knowledge.beginning") or stem in self._values
        return weight * VALUE_WORD_WEIGHT if light else weight


def _rarity(count: int, of: int) -> float:
    """Return how much it says that a word is in `count` of so many questions; few of them prove little."""
    return math.log(1 + (of + ASSUMED_QUESTIONS) / (count + ASSUMED_QUESTIONS / 10))


def _stems(text: str) -> dict[str, bool]:
    """Return the stems of a text; True for those that were only written as names of values are."""
    quoted = [match.span() for match in _QUOTATION.finditer(text)]
    found: dict[str, bool] = {}
    for number, match in enumerate(WORD.finditer(text)):
        word = match[0]
        stem = _stem(word)
        if word.lower() in listed("knowledge.saying_nothing") or not stem:
            continue
        name = (number > 0 and word[0].isupper()) or any(a < match.start() < b for a, b in quoted)
        found[stem] = found.get(stem, True) and name
    return found


def _literals(sql: str) -> Iterable[str]:
    """Return the stems of the words in the texts of a query: they are values."""
    for literal in _LITERAL.findall(sql):
        yield from (_stem(word) for word in WORD.findall(literal))


def _stem(word: str) -> str:
    """Return a word without its ending; any number is "#".

    More endings than those of a plural, but fewer than a family of words has: the least likeness was measured so.
    """
    low = word.casefold()
    if low in listed("knowledge.numbers") or any(letter.isdigit() for letter in low):
        return "#"
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if low.endswith(ending) and not low.endswith(("ss", "us", "is")) and len(low) - len(ending) >= 3:
            low = low[: -len(ending)] + instead
            break
    return low.removesuffix("e") if len(low) > 3 else low


log = logging.getLogger("icc_bot")

LIKENESS_MIN = 0.65
"""The least likeness of a question, by its words."""

RECHECK_AFTER = timedelta(hours=1)
"""Time that an example is believed to run before the database is asked again."""

CHECKS_PER_QUESTION = 6
"""Examples that the database is asked about for one question, which waits for it."""

RETRY_FAILED_AFTER = timedelta(days=1)
"""Time that one that did not run is left alone before it is asked about again."""


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
        self._found: dict[tuple[str, str], tuple[int, list[KeptExample], SimilarityIndex]] = {}

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

    def verify(self, kept: KeptExample) -> KeptExample:
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
        left = CHECKS_PER_QUESTION
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
            if len(chosen) == EXAMPLES_MAX:
                break
        return tuple(chosen)

    def _ranked(self, question: str, kept: list[KeptExample], likeness: SimilarityIndex) -> list[int]:
        """Return the numbers of the examples that are alike, the nearest first."""
        if not kept:
            return []
        found = self._meaning.nearest(question, [each.question for each in kept]) if self._meaning else None
        return [number for _, number in (likeness.nearest(question, LIKENESS_MIN) if found is None else found)]

    def _of(self, connection: str, schema: str) -> tuple[list[KeptExample], SimilarityIndex]:
        """Return the examples of a schema with their index, which is made anew once there are others."""
        key, version = (connection.casefold(), schema), self.store.version()
        with self._lock:
            before = self._found.get(key)
            if before is None or before[0] != version:
                kept = self.store.every(connection, schema)
                before = version, kept, SimilarityIndex((each.question, each.sql) for each in kept)
                self._found[key] = before
            return before[1], before[2]

    def _is_due(self, kept: KeptExample) -> bool:
        """Tell whether the database did not look at an example for a while."""
        age = self._clock() - kept.checked if kept.checked else RETRY_FAILED_AFTER
        return age >= (RETRY_FAILED_AFTER if kept.problem else RECHECK_AFTER)

    def _look(self, kept: KeptExample, schema: Schema) -> KeptExample:
        """Have the database look at an example that the guard allows; raises BotError where it says nothing."""
        looked = self._try(kept, schema)
        if looked.problem and not kept.problem:
            log.warning("the example %s does not run any more, and is shown to no model: %s", kept.id, looked.problem)
        return looked

    def _try(self, kept: KeptExample, schema: Schema) -> KeptExample:
        """Have the database look at an example; raises JobFailed where it says nothing at all."""
        problem = ""
        try:
            self._check(kept, schema, check(kept.sql, schema.dialect, schema.scope).sql)
        except JobFailed as error:
            problem = str(error)
            # Where the database is away, this raises as well, and nothing is known against the example.
            self._check(kept, schema, "SELECT 1 FROM dual" if schema.dialect == "oracle" else "SELECT 1")
        return self.store.mark(kept, problem)

    def _check(self, kept: KeptExample, schema: Schema, sql: str) -> None:
        with self._tables.trial(kept.connection, schema.scope, User(kept.by)) as trial:
            trial.check(sql)


def shown(kept: KeptExample, schema: Schema) -> str:
    """Return the SQL as a model is shown it, on one line; empty where it reads anything but these tables."""
    verdict = check(kept.sql, schema.dialect, schema.scope)
    sql = " ".join(verdict.sql.split())
    return sql if verdict.allowed and len(sql) <= EXAMPLE_SQL_MAX_CHARS else ""


def nearest(kept: Sequence[KeptExample], question: str, schema: Schema) -> tuple[Example, ...]:
    """Return those of some examples that are nearest to a question; nobody looks whether they run."""
    likeness = SimilarityIndex((each.question, each.sql) for each in kept)
    usable = (
        Example(kept[number].question, sql)
        for _, number in likeness.nearest(question, LIKENESS_MIN)
        if (sql := shown(kept[number], schema))
    )
    return tuple(example for example, _ in zip(usable, range(EXAMPLES_MAX), strict=False))
