"""sqlglot as the guard uses it: corrected where it would write something else than was read, and limited in its steps.

Some nestings double its work, or its text, with each level. Two limits: steps for each token, which stop what grows
beyond measure, and the thread's time for a whole judgement, which stops what grows a little faster than the text.
"""

import gc
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, ClassVar, cast

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ErrorLevel, SqlglotError
from sqlglot.expressions import DType
from sqlglot.generator import Generator
from sqlglot.tokenizer_core import Token, TokenType

from router.sql.dialect import Name

# Corrections of what sqlglot, from a dialect to the same dialect, would write otherwise than it was written: found by
# running statements before and after on real databases, and by reading the manuals of the others.

_CALLS_WITH_SYNTAX = "CAST EXTRACT JSON_OBJECT JSON_OBJECTAGG JSON_TABLE OVERLAY POSITION SUBSTRING TRIM"
CALLS_WITH_SYNTAX: dict[Name, frozenset[str]] = {
    "sqlite": frozenset({"CAST"}),
    "duckdb": frozenset(f"{_CALLS_WITH_SYNTAX} TRY_CAST".split()),
    "postgres": frozenset(f"{_CALLS_WITH_SYNTAX} JSON_VALUE NORMALIZE".split()),
    "oracle": frozenset(
        f"{_CALLS_WITH_SYNTAX} JSON_ARRAY JSON_ARRAYAGG JSON_EXISTS JSON_VALUE LISTAGG TO_NUMBER".split()
    ),
    "mysql": frozenset(f"{_CALLS_WITH_SYNTAX} CHAR CONVERT GROUP_CONCAT JSON_VALUE MATCH WEIGHT_STRING".split()),
    "tsql": frozenset(f"{_CALLS_WITH_SYNTAX} CONVERT JSON_ARRAYAGG OPENJSON TRY_CAST TRY_CONVERT".split()),
}
"""Functions whose arguments have words of their own, as in TRIM(BOTH 'x' FROM name): sqlglot has to read them."""


@cache
def settings(dialect: Name) -> Dialect:
    """Return the dialect's rules, with indexes of arrays and paths of JSON as they are typed."""
    rules: Any = Dialect.get_or_raise(dialect)
    rules.INDEX_OFFSET = 0
    rules.to_json_path = lambda path: path
    return cast(Dialect, rules)


def corrected_parser(dialect: Name) -> Any:
    """Return the dialect's parser class, which knows no function but those of CALLS_WITH_SYNTAX.

    A call keeps its name and its arguments as they are typed; sqlglot would write another function for many of them,
    with casts, or with a column's name as a text. An arrow among the arguments reads JSON, but for DuckDB's lambdas.
    """
    known: Any = Dialect.get_or_raise(dialect).parser_class
    kept = CALLS_WITH_SYNTAX[dialect]

    class AsTyped(known):  # type: ignore[misc]
        """The dialect's parser, which keeps what has several spellings in the one that is typed."""

        FUNCTIONS: ClassVar[dict[str, Any]] = {}
        FUNCTION_PARSERS = _without(known.FUNCTION_PARSERS, known.FUNCTION_PARSERS.keys() - kept)
        NO_PAREN_FUNCTION_PARSERS = _without(known.NO_PAREN_FUNCTION_PARSERS, {"IF"})
        LAMBDAS = _without(known.LAMBDAS, {TokenType.ARROW})
        TYPE_LITERAL_PARSERS = dict.fromkeys(DType, _typed_literal)
        PRIMARY_PARSERS: ClassVar[dict[TokenType, Any]] = {
            **known.PRIMARY_PARSERS,
            **{kind: partial(_radix_literal, known.PRIMARY_PARSERS.get(kind)) for kind in _RADIX_TOKENS},
        }

        def _parse_types(self, *args: Any, **options: Any) -> exp.Expr | None:
            begin = self._index
            parsed: exp.Expr | None = super()._parse_types(*args, **options)
            if isinstance(parsed, exp.DataType):
                parsed.meta[_TYPED] = _type_text(self._tokens[begin : self._index])
            return parsed

        def _parse_interval_span(self, this: exp.Expr, parse_function_unit: bool = True) -> exp.Interval:
            unit = None
            if self._curr and self._curr.text.upper() in self.dialect.VALID_INTERVAL_UNITS:
                unit = self._parse_function() or self._parse_var(any_token=True, upper=True)
            if unit and self._match_text_seq("TO"):
                end = self._parse_function() or self._parse_var(any_token=True, upper=True)
                unit = self.expression(exp.IntervalSpan(this=unit, expression=end))
            interval: exp.Interval = self.expression(exp.Interval(this=this, unit=unit))
            return interval

    return _duckdb_parser(AsTyped) if dialect == "duckdb" else AsTyped


def _without(parsers: dict[Any, Any], keys: Collection[Any]) -> dict[Any, Any]:
    return {key: build for key, build in parsers.items() if key not in keys}


_TYPED = "typed"
"""The key under which a type has its text; sqlglot has one node for several types that a database tells apart."""
_GLUED = frozenset("()[],.<>")


def _type_text(tokens: list[Token]) -> str:
    """Return a type as it is typed, "" where parts of it are in quotes."""
    if any(token.token_type in (TokenType.STRING, TokenType.IDENTIFIER) for token in tokens):
        return ""
    text = ""
    for token in tokens:
        is_apart = text[-1:] == "," or not (token.text in _GLUED or text[-1:] in _GLUED)
        text += f" {token.text}" if text and is_apart else token.text
    return text.upper()


_RADIX_TOKENS = (TokenType.HEX_STRING, TokenType.BIT_STRING)


def _typed_literal(parser: Any, literal: exp.Expr, of_type: exp.DataType) -> exp.Expr:
    """Return DATE '2026-01-01' and its like; a CAST of the text may read it otherwise, or drop parts of a second."""
    typed: exp.Expr = parser.expression(exp.Introducer(this=of_type, expression=literal))
    return typed


def _radix_literal(known: Any, parser: Any, token: Token) -> exp.Expr:
    """Return 0x1F and 0b11 as numbers, which they are in most databases, other than x'1F'."""
    written = parser.sql[token.start : token.end + 1]
    if written[:1] == "0":
        return exp.Literal.number(written)
    other: exp.Expr = known(parser, token)
    return other


def corrected_generator(dialect: Name) -> Any:
    """Return the dialect's generator class, corrected."""
    known: Any = _as_typed(Dialect.get_or_raise(dialect).generator_class)
    match dialect:
        case "mysql":
            mysql = _changed(known, {exp.RegexpLike: _regexp})
            # In quotes, DUAL would be a table of somebody's.
            return type("MySQL", (mysql,), {"RESERVED_KEYWORDS": known.RESERVED_KEYWORDS - {"dual"}})
        case "tsql":
            changed = _changed(known, {exp.CurrentTimestamp: lambda self, node: "CURRENT_TIMESTAMP"})
            changed.TRANSFORMS = _without(changed.TRANSFORMS, {exp.CTE, exp.Subquery})  # they give names to columns
            return changed
        case "sqlite":
            return type("SQLite", (known,), {"cast_sql": Generator.cast_sql})
        case "oracle":
            return _oracle(known)
        case "duckdb":
            return _duckdb(known)
    return known


def _as_typed(known: Any) -> Any:
    class AsTyped(known):  # type: ignore[misc]
        """The dialect's generator, which writes types, intervals, ordered groups and joins as they are typed."""

        def datatype_sql(self, expression: exp.DataType) -> str:
            typed = "" if expression.args.get("kind") else expression.meta.get(_TYPED)
            return typed or str(super().datatype_sql(expression))

        def interval_sql(self, expression: exp.Interval) -> str:
            parts = (self.sql(expression, "this"), self.sql(expression, "unit"))
            return " ".join(("INTERVAL", *filter(None, parts)))

        withingroup_sql = Generator.withingroup_sql
        join_sql = Generator.join_sql

    return AsTyped


def _changed(known: Any, transforms: dict[type[exp.Expr], Any]) -> Any:
    return type(known.__name__, (known,), {"TRANSFORMS": {**known.TRANSFORMS, **transforms}})


def _regexp(self: Any, expression: exp.RegexpLike) -> str:
    """MariaDB has the operator only, MySQL has both."""
    if expression.args.get("flag"):
        return str(self.function_fallback_sql(expression))
    return str(self.binary(expression, "REGEXP"))


def _oracle(known: Any) -> Any:
    class Oracle(known):  # type: ignore[misc]
        """Oracle's generator, with APPLY left as it is and no AS before the alias of a LATERAL query."""

        JSON_KEY_VALUE_PAIR_SEP = " VALUE"

        def set_operation(self, expression: exp.SetOperation) -> str:
            operation = str(super().set_operation(expression))
            return operation.replace("EXCEPT", "MINUS", 1)  # the word that every version knows

        def lateral_op(self, expression: exp.Lateral) -> str:
            crosses = expression.args.get("cross_apply")
            return "LATERAL" if crosses is None else "CROSS APPLY" if crosses else "OUTER APPLY"

        def lateral_sql(self, expression: exp.Lateral) -> str:
            alias = expression.args.get("alias")
            bare = expression.copy()
            bare.set("alias", None)
            text = str(super().lateral_sql(bare)).rstrip()
            return f"{text} {self.sql(alias)}" if alias else text

    return Oracle


LAMBDA_TAKERS = frozenset(
    f"{kind}_{what}" for kind in ("LIST", "ARRAY") for what in ("APPLY", "TRANSFORM", "FILTER", "REDUCE")
) | {"APPLY", "FILTER", "REDUCE", "COLUMNS"}
OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})
LOOK_BACK_TOKENS = 200
"""Words and signs."""


def _duckdb_parser(known: Any) -> Any:
    arrows = Dialect.get_or_raise("duckdb").parser_class.LAMBDAS

    class DuckDB(known):  # type: ignore[misc]
        """DuckDB's parser, which reads what may follow a PIVOT, and lambdas with an arrow where they can stand."""

        def _parse_lambda(self, alias: bool = False) -> exp.Expr | None:
            self.LAMBDAS = arrows if self._called() in LAMBDA_TAKERS else known.LAMBDAS
            parsed: exp.Expr | None = super()._parse_lambda(alias)
            return parsed

        def _called(self) -> str:
            """Return the name of the function among whose arguments the parser is, "" where that is far away."""
            depth = 0
            for place in range(self._index - 1, max(0, self._index - LOOK_BACK_TOKENS), -1):
                kind = self._tokens[place].token_type
                depth += (kind in CLOSING) - (kind in OPENING)
                if depth < 0:
                    return str(self._tokens[place - 1].text).upper()
            return ""

        def _parse_simplified_pivot(self, is_unpivot: bool | None = None) -> exp.Pivot:
            pivot: exp.Pivot = super()._parse_simplified_pivot(is_unpivot)
            pivot.set("order", self._parse_order())
            pivot.set("limit", self._parse_limit())
            return pivot

    return DuckDB


def _duckdb(known: Any) -> Any:
    transforms = {kind: write for kind, write in known.TRANSFORMS.items() if kind is not exp.Pivot}

    class DuckDB(known):  # type: ignore[misc]
        """DuckDB's generator, which can say where the columns of an UNPIVOT go, and what follows a PIVOT."""

        TRANSFORMS = transforms  # without the one that takes the tables' names from a PIVOT's columns

        def unpivotcolumns_sql(self, expression: exp.UnpivotColumns) -> str:
            return f"NAME {self.sql(expression.this)} VALUE {self.expressions(expression, flat=True)}"

        def pivot_sql(self, expression: exp.Pivot) -> str:
            return "".join(
                map(str, (super().pivot_sql(expression), *(self.sql(expression, part) for part in ("order", "limit"))))
            )

    return DuckDB


# Limits of steps and of time.

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
        with _collections.paused():
            yield
    finally:
        _clock.end = before


class _Collections:
    """Python's search for garbage in circles, paused while a long text is judged.

    A tree of a hundred thousand nodes makes it run often, and find nothing, for half of the whole time.
    """

    def __init__(self) -> None:
        self._lock, self._pauses = threading.Lock(), 0

    @contextmanager
    def paused(self) -> Iterator[None]:
        with self._lock:
            if not self._pauses:
                self._were = gc.isenabled()
                gc.disable()
            self._pauses += 1
        try:
            yield
        finally:
            with self._lock:
                self._pauses -= 1
                if not self._pauses and self._were:
                    gc.enable()


_collections = _Collections()


def demand_time() -> None:
    """Raise StepLimitExceeded where the budget is used up."""
    if time.thread_time() > _clock.end:
        raise StepLimitExceeded


def parse(tokens: list[Token], sql: str, dialect: Name) -> list[exp.Expr | None]:
    """Return a tree for each statement; raises SqlglotError, StepLimitExceeded where the work grows beyond measure."""
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
                demand_time()
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
                demand_time()
            return str(super().sql(expression, key, comment))

    return Patient
