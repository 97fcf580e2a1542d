"""sqlglot as the guard uses it, limited in its steps.

Some nestings double its work, or its text, with each level. Two limits: steps for each token, which stop what grows
beyond measure, and the thread's time for a whole judgement, which stops what grows a little faster than the text.
"""

import gc
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.tokenizer_core import Token

from router.sql.dialect import Name
from router.sql.grammar import corrected_generator, corrected_parser, settings

_PARSER_STEPS = 200
"""Steps of the parser for each token, and of the generator for each node; ordinary statements need about five."""

_BETWEEN_LOOKS = 32
"""Steps between two looks at the clock."""

_LINE = 80


class _Clock(threading.local):
    """The time of this thread, in its own seconds of CPU, at which it has to give up."""

    end = float("inf")


_clock = _Clock()


class StepLimitExceeded(SqlglotError):
    """Reading or rendering would take too long."""


@contextmanager
def budget(seconds: float) -> Iterator[None]:
    """Let slow work in this block raise StepLimitExceeded once this thread has worked so many seconds in it."""
    before = _clock.end
    _clock.end = min(before, time.thread_time() + seconds)
    try:
        with _no_collections():
            yield
    finally:
        _clock.end = before


@contextmanager
def _no_collections() -> Iterator[None]:
    """Pause Python's search for garbage in circles while a long text is judged.

    A tree of a hundred thousand nodes makes it run often, and find nothing, for half of the whole time. Of several
    threads, the one that found it running lets it run again.
    """
    was_running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_running:
            gc.enable()


def require_time() -> None:
    """Raise StepLimitExceeded if the budget is used up."""
    if time.thread_time() > _clock.end:
        raise StepLimitExceeded


def parse(tokens: list[Token], sql: str, dialect: Name) -> list[exp.Expr | None]:
    """Return a tree for each statement; raises SqlglotError, StepLimitExceeded if the work grows beyond measure."""
    parser = _limited_parser(dialect)(dialect=settings(dialect), error_level=ErrorLevel.IMMEDIATE)
    parser.steps = _PARSER_STEPS * (len(tokens) + 50)
    trees: list[exp.Expr | None] = parser.parse(tokens, sql)
    return trees


def generate(tree: exp.Expr, dialect: Name) -> str:
    """Return the text of a tree, without comments; raises SqlglotError for what the dialect cannot say.

    A person reads it before it runs: what is too long for a line is broken into lines.
    """
    if sum(1 for _ in tree.walk()) < _LINE:  # a node is a letter at least
        text = _generate(tree, dialect, pretty=False)
        if len(text) <= _LINE and "\n" not in text:
            return text
    return _generate(tree, dialect, pretty=True)


def _generate(tree: exp.Expr, dialect: Name, pretty: bool) -> str:
    generator = _limited_generator(dialect)(
        dialect=settings(dialect),
        comments=False,
        pretty=pretty,
        unsupported_level=ErrorLevel.RAISE,
    )
    generator.steps = _PARSER_STEPS * (50 + sum(1 for _ in tree.walk()))
    return str(generator.generate(tree))


@cache
def _limited_parser(dialect: Name) -> Any:
    known: Any = corrected_parser(dialect)

    class Patient(known):  # type: ignore[misc]
        """The dialect's parser, counting its steps."""

        def _advance(self, times: int = 1) -> None:
            self.steps -= 1
            if self.steps < 0:
                raise StepLimitExceeded
            if self.steps % _BETWEEN_LOOKS == 0:
                require_time()
            super()._advance(times)

    return Patient


@cache
def _limited_generator(dialect: Name) -> Any:
    known: Any = corrected_generator(dialect)

    class Patient(known):  # type: ignore[misc]
        """The dialect's generator, counting its steps."""

        steps = _PARSER_STEPS

        def sql(self, expression: Any, key: str | None = None, comment: bool = True) -> str:
            self.steps -= 1
            if self.steps < 0:
                raise StepLimitExceeded
            if self.steps % _BETWEEN_LOOKS == 0:
                require_time()
            return str(super().sql(expression, key, comment))

    return Patient
