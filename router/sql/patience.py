"""sqlglot with an end to its patience: some nestings double its work, or its text, with each level."""

from functools import cache
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.tokenizer_core import Token

from router.sql import corrections
from router.sql.dialect import Name

_STEPS = 200
"""Steps of the parser for each token, and of the generator for each node; ordinary statements need about five."""

_LINE = 80


class Endless(SqlglotError):
    """Reading or rendering would take too long."""


def parse(tokens: list[Token], sql: str, dialect: Name) -> list[exp.Expr | None]:
    """Return a tree for each statement; raises SqlglotError, and Endless where the work grows beyond measure."""
    parser = _parser(dialect)(dialect=Dialect.get_or_raise(dialect), error_level=ErrorLevel.IMMEDIATE)
    parser.steps = _STEPS * (len(tokens) + 50)
    trees: list[exp.Expr | None] = parser.parse(tokens, sql)
    return trees


def generate(tree: exp.Expr, dialect: Name) -> str:
    """Return the text of a tree, without comments; raises SqlglotError for what the dialect cannot say.

    A person reads it before it runs: what is too long for a line is broken into lines.
    """
    text = _generate(tree, dialect, pretty=False)
    return text if len(text) <= _LINE and "\n" not in text else _generate(tree, dialect, pretty=True)


def _generate(tree: exp.Expr, dialect: Name, pretty: bool) -> str:
    generator = _generator(dialect)(
        dialect=Dialect.get_or_raise(dialect),
        comments=False,
        pretty=pretty,
        unsupported_level=ErrorLevel.RAISE,
    )
    generator.steps = _STEPS * (50 + sum(1 for _ in tree.walk()))
    return str(generator.generate(tree))


@cache
def _parser(dialect: Name) -> Any:
    known: Any = corrections.parser(dialect)

    class Patient(known):  # type: ignore[misc]
        """The dialect's parser, counting its steps."""

        def _advance(self, times: int = 1) -> None:
            self.steps -= 1
            if self.steps < 0:
                raise Endless
            super()._advance(times)

    return Patient


@cache
def _generator(dialect: Name) -> Any:
    known: Any = corrections.generator(dialect)

    class Patient(known):  # type: ignore[misc]
        """The dialect's generator, counting its steps."""

        steps = _STEPS

        def sql(self, expression: Any, key: str | None = None, comment: bool = True) -> str:
            self.steps -= 1
            if self.steps < 0:
                raise Endless
            return str(super().sql(expression, key, comment))

    return Patient
