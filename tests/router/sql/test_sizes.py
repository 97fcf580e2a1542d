"""What a statement makes of little is bounded before it runs: burners are refused, ordinary statements are not."""

import sqlite3
from contextlib import closing, suppress
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from router.sql import parsing
from router.sql.dialect import DIALECTS, Name
from router.sql.guard import check
from router.sql.made_rows import StatementTooLarge
from router.sql.sizes import Sizes
from tests.router.sql.statements import blocks, shop
from tests.support.hypothesis_examples import examples

BURNT = ("sqlite", "duckdb", "postgres", "mysql")


@pytest.mark.parametrize("dialect", BURNT)
def test_burners_are_refused_for_their_size(dialect: Name) -> None:
    """Products, constants of functions, columns that are constant, nestings, series and recursions count."""
    endless = blocks("endless", dialect) if dialect == "postgres" else []  # its sessions work on after any limit
    answers = [(sql, check(sql, dialect, shop(dialect)).reason) for sql in (*blocks("burners", dialect), *endless)]
    said = (
        "would burden the database",
        "would look at more than",
        "it may burden the database",
        "it has to be written out",
    )
    assert [(sql, reason) for sql, reason in answers if not any(each in reason for each in said)] == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_ordinary_statements_are_not_refused_for_their_size(dialect: Name) -> None:
    """Reports pad, repeat, format and aggregate, and count days over years."""
    answers = [(sql, check(sql, dialect, shop(dialect))) for sql in blocks("ordinary", dialect)]
    assert [(sql, verdict.reason) for sql, verdict in answers if not verdict.allowed] == []


def test_levels_of_a_jsonpath_multiply() -> None:
    """PostgreSQL does not look at its clock while it follows a path with several **."""
    deep = "SELECT jsonb_path_exists((repeat('[', 900) || repeat(']', 900))::jsonb, '$.**.**.**')"
    assert "would look at more than" in check(deep, "postgres").reason
    assert check("SELECT jsonb_path_exists(data, '$.**.vip') FROM customers", "postgres").allowed


NUMBERS = st.one_of(
    st.integers(-60, 60).map(str),
    st.sampled_from(["0.5", "1.75", "1e2", "'7'", "'12'", "'0x10'", "length('abc')", "coalesce(NULL, 9)"]),
)
TEXTS = st.sampled_from(["'a'", "'xyz'", "'a''b'", "'ä'", "'12'", "''", "'%d'", "'[1, 2]'", "'a,b,c'"])
NUMBER_SHAPES = (
    "({n} + {n})", "({n} - {n})", "({n} * {n})", "({n} / {n})", "({n} % {n})", "(- {n})", "abs({n})", "round({n})",
    "CASE WHEN {n} > 3 THEN {n} ELSE {n} END", "coalesce(NULL, {n})", "nullif({n}, 5)", "length({t})", "(SELECT {n})",
    "(SELECT max(x) FROM (SELECT {n} AS x UNION ALL SELECT {n}) AS q)", "CAST({n} AS INTEGER)", "sign({n})",
    "(SELECT sum(x) FROM (VALUES ({n}), ({n})) AS q(x))", "(WITH w AS (SELECT {n} AS a) SELECT a * {n} FROM w)",
    "(SELECT count(*) FROM (SELECT 1 UNION ALL SELECT 2) AS q)", "instr({t}, {t})", "power({n}, 2)", "ceil({n})",
)  # fmt: skip
TEXT_SHAPES = (
    "({t} || {t})", "replace({t}, {t}, {t})", "replace({t}, 'a', {t})", "upper({t})", "substr({t}, 1, 2)",
    "printf('%5d', CAST({n} AS INTEGER))", "hex({t})", "CAST({n} AS VARCHAR)", "concat({t}, {n}, {t})",
    "(SELECT {t})", "CASE WHEN {n} < {n} THEN {t} ELSE {t} END", "concat_ws({t}, {t}, {n}, {t})",
    "(SELECT group_concat(x, {t}) FROM (SELECT {t} AS x UNION ALL SELECT {t}) AS q)", "trim({t})",
    "(WITH RECURSIVE r(i, x) AS (SELECT 1, {t} UNION ALL SELECT i + 1, x || {t} FROM r WHERE i < 4)"
    " SELECT max(x) FROM r)", "json_array({t}, {n})",
)  # fmt: skip
OWN_SHAPES: dict[Name, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "sqlite": (
        ("({n} | {n})", "({n} << 2)", "(~{n})", "unicode({t})", "max({n}, {n})", "iif({n}, {n}, {n})"),
        ("printf('%*d', {n}, {n})", "printf('%.*c', {n}, {t})", "quote({t})", "printf('%s-%s', {t}, {t})"),
    ),
    "duckdb": (
        ("greatest({n}, {n})", "({n} // {n})", "len(range(abs(CAST({n} AS INTEGER))))", "list_sum([{n}, {n}])"),
        (
            "repeat({t}, CAST({n} AS INTEGER))", "lpad({t}, abs(CAST({n} AS INTEGER)), 'xy')", "bin({t})",
            "format('{{:>{{}}}}', {t}, abs(CAST({n} AS INTEGER)))", "to_json({t})",
            "regexp_replace({t}, 'a', {t}, 'g')",
            "array_to_string([{t}, {t}], {t})", "array_to_string(list_transform(range(5), i -> {t} || i), {t})",
        ),
    ),
}  # fmt: skip


def expressions(dialect: Name) -> st.SearchStrategy[str]:
    """Return constant expressions of numbers and texts, some levels deep."""
    own_numbers, own_texts = OWN_SHAPES[dialect]
    numbers, texts = NUMBERS, TEXTS
    for _ in range(3):
        inner = st.fixed_dictionaries({"n": numbers, "t": texts})
        grown = st.tuples(st.sampled_from(NUMBER_SHAPES + own_numbers), inner).map(_filled)
        made = st.tuples(st.sampled_from(TEXT_SHAPES + own_texts), inner).map(_filled)
        numbers, texts = st.one_of(NUMBERS, grown), st.one_of(TEXTS, made)
    return st.one_of(grown, made)


def _filled(drawn: tuple[str, dict[str, str]]) -> str:
    shape, inner = drawn
    return shape.format(**inner)


def value_of(connection: Any, sql: str) -> Any:
    """Return what the database computes; None if it refuses to, and for what is no number."""
    with suppress(sqlite3.Error, duckdb.Error, OverflowError):
        value = connection.execute(sql).fetchone()[0]
        return None if value != value else value
    return None


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_no_database_computes_more_than_the_bound(dialect: Name) -> None:
    """Neither a larger or smaller number, nor a longer text."""

    @given(expressions(dialect))
    @settings(max_examples=examples(500), deadline=None)
    def hold(expression: str) -> None:
        sql = f"SELECT {expression} AS value"
        tree = parsing.statement(sql, dialect)
        assert isinstance(tree, exp.Expr), tree
        try:
            bound = Sizes(dialect).query(tree).columns["value"]
        except StatementTooLarge:
            return
        match value_of(connection, sql):
            case None:
                pass
            case str(text):
                assert len(text.encode()) <= bound.size
            case number:
                slack = 1e-9 * abs(float(number)) + 1e-9
                assert abs(float(number)) <= bound.most + slack

    with closing(sqlite3.connect(":memory:") if dialect == "sqlite" else duckdb.connect()) as connection:
        hold()
