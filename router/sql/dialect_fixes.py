"""Corrects sqlglot where, from a dialect to the same dialect, it would write something else than was written.

Found by running statements before and after on real databases, and by reading the manuals of the others.
"""

from functools import cache
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect, rename_func
from sqlglot.expressions import DType
from sqlglot.generator import Generator
from sqlglot.tokenizer_core import TokenType

from router.sql.dialect import Name

AS_WRITTEN: dict[Name, frozenset[str]] = {
    "sqlite": frozenset({"MOD"}),  # % cuts its operands to integers
    "postgres": frozenset({"DATE_PART"}),  # EXTRACT gives another type and name
    "mysql": frozenset({"TO_DAYS", "MONTHNAME", "DAYNAME", "TIMESTAMPADD", "MEDIAN"}),
    "tsql": frozenset({"DATENAME", "SYSDATETIME"}),  # GETDATE is less precise
}
"""Functions that keep their names; sqlglot would replace them by others."""


@cache
def settings(dialect: Name) -> Dialect:
    """Return the dialect's rules, with indexes of arrays as they are written: counting from 0 costs sqlglot seconds."""
    rules = Dialect.get_or_raise(dialect)
    rules.INDEX_OFFSET = 0
    return rules


def parser(dialect: Name) -> Any:
    """Return the dialect's parser class, which leaves the functions of AS_WRITTEN alone.

    An arrow among the arguments of a function reads JSON, but for DuckDB's functions that take a lambda.
    """
    known: Any = Dialect.get_or_raise(dialect).parser_class
    kept = AS_WRITTEN.get(dialect, frozenset())
    functions = {name: build for name, build in known.FUNCTIONS.items() if name not in kept}
    parsers = {name: build for name, build in known.FUNCTION_PARSERS.items() if name not in kept}
    lambdas = {sign: build for sign, build in known.LAMBDAS.items() if sign is not TokenType.ARROW}
    corrected = type(
        known.__name__, (known,), {"FUNCTIONS": functions, "FUNCTION_PARSERS": parsers, "LAMBDAS": lambdas}
    )
    return _duckdb_parser(corrected) if dialect == "duckdb" else corrected


def generator(dialect: Name) -> Any:
    """Return the dialect's generator class, corrected."""
    known: Any = Dialect.get_or_raise(dialect).generator_class
    match dialect:
        case "mysql":
            mysql = _changed(known, {exp.RegexpLike: _regexp})
            # In quotes, DUAL would be a table of somebody's.
            return type("MySQL", (mysql,), {"RESERVED_KEYWORDS": known.RESERVED_KEYWORDS - {"dual"}})
        case "tsql":
            return _changed(known, {exp.ApproxDistinct: rename_func("APPROX_COUNT_DISTINCT")})
        case "sqlite":
            # A CAST gives what the type's name stands for in SQLite, where NUMERIC keeps whole numbers whole.
            types = {DType.DECIMAL: "NUMERIC", DType.BOOLEAN: "BOOLEAN", DType.BINARY: "BINARY"}
            corrected = {"TYPE_MAPPING": {**known.TYPE_MAPPING, **types}, "cast_sql": Generator.cast_sql}
            return type("SQLite", (known,), corrected)
        case "oracle":
            return _oracle(_changed(known, {exp.ApproxDistinct: rename_func("APPROX_COUNT_DISTINCT")}))
        case "duckdb":
            return _duckdb(known)
    return known


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
