"""Columns that belong together, keys, and tables that are read row by row: what is proposed before a comparison."""

from datetime import date
from decimal import Decimal

import pytest

from router.memory.comparing import ComparedPair
from router.sql.comparing.proposals import (
    match_columns,
    propose_key,
)
from router.sql.comparing.queries import Sample
from router.sql.comparing.query_keys import NO_KEY, KeyProposal, declared_key
from router.sql.databases.session import Described, Kind
from router.sql.dialect import Name


def sampled(*columns: tuple[str, list[object]], kind: Kind = "text") -> Sample:
    """Return a sample of these columns."""
    rows = tuple(zip(*(values for _, values in columns), strict=True))
    return Sample(tuple(Described(name, kind) for name, _ in columns), rows)


def found(matched: tuple[ComparedPair, ...]) -> list[tuple[int, int, str]]:
    """Return the pairs with their reasons."""
    return [(each.left, each.right, each.why.partition(" (")[0]) for each in matched]


def test_columns_match_by_name_before_all_else() -> None:
    """Equal names go before names of equal words, these before similar ones, and those before equal values."""
    left = sampled(
        ("id", [1, 2, 3, 4]), ("OrderDate", ["2026-01-01"] * 4), ("cust_name", list("abcd")), ("x", [5, 6, 7, 8])
    )
    right = sampled(
        ("y", [8, 7, 6, 5]), ("name", list("abce")), ("order_date", [date(2026, 1, 1)] * 4), ("id", [4, 5, 6, 7])
    )

    matched = match_columns(left, right)

    expected = [(0, 3, "same name"), (1, 2, "same words"), (2, 1, "similar name"), (3, 0, "same values")]
    assert expected == found(matched)
    assert ["same name (100%)", "same words (95%)"] == [each.why for each in matched[:2]]


def test_numbers_kept_as_text_are_known_by_their_values() -> None:
    """A column of numbers is found again if the other database keeps them as text."""
    left, right = sampled(("a", [1, 2, 30, Decimal("4.50")])), sampled(("z", ["30", "4.5", "2", "77"]))

    (proposal,) = match_columns(left, right)

    assert "same values (60%)" == proposal.why


PAIRS = (ComparedPair(0, 0), ComparedPair(1, 1), ComparedPair(2, 2))
HALVES: list[object] = [n + 0.5 for n in range(20)]
LETTERS: list[object] = list("abcdefghijklmnopqrst")


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ((("amount", [1.5, 2.5]), ("name", ["a", "b"]), ("id", [7, 8])), (2,)),
        ((("amount", HALVES), ("name", LETTERS), ("flag", [7] * 20)), (1,)),
        ((("name", ["a", "b"]), ("COALESCE(id, 0)", [5, 6]), ("flag", [7, 8])), (1,)),
        ((("amount", HALVES[:19]), ("name", LETTERS[:19]), ("flag", [7] * 19)), ()),
        ((("amount", [n // 2 for n in range(20)]), ("size", [1, 2] * 10), ("flag", [7] * 20)), (0, 1)),
        ((("order_id", [1, 1, 2]), ("line", [1, 2, 1]), ("flag", [7, 7, 8])), (0, 1)),
        ((("order_id", [1, 1, 2, 2]), ("line", [1, 2, 1, 1]), ("part_no", [1, 1, 1, 2])), (0, 1, 2)),
        ((("id", [1, None]), ("name", ["a", "a"]), ("flag", [7, 7])), ()),
        ((("id", []), ("name", []), ("flag", [])), ()),
        ((("id", [1, 2]), ("amount", [6.02e30, 1.5]), ("far", [Decimal("1e400"), float("inf")])), (0,)),
        ((("amount", HALVES), ("mass", [Decimal(f"6e{40 + n}") for n in range(20)]), ("flag", [7] * 20)), (1,)),
    ],
)
def test_a_key_is_what_is_unique_in_both(
    columns: tuple[tuple[str, list[object]], ...], expected: tuple[int, ...]
) -> None:
    """The smallest key is proposed that no NULL and no second row contradicts; names of keys first, fractions last.

    Of a few rows, nothing but what is named like a key.
    """
    sample = sampled(*columns)

    assert KeyProposal(expected, "unique in the first rows" if expected else "") == propose_key(sample, sample, PAIRS)


def test_a_primary_key_goes_first_where_the_rows_allow_it() -> None:
    """A declared key of one side is proposed, unless the other side's rows have it twice."""
    left = sampled(("id", [1, 2]), ("name", ["a", "b"]), ("code", ["x", "y"]))
    twice = sampled(("id", [1, 2]), ("name", ["a", "a"]), ("code", ["x", "y"]))

    first, second = KeyProposal((0,), "primary key"), KeyProposal((1,), "primary key")
    for declared in ((second, second), (second, NO_KEY), (NO_KEY, second)):
        assert second == propose_key(left, left, PAIRS, declared)
    assert first == propose_key(left, twice, PAIRS, (second, first))
    assert KeyProposal((0,), "unique in the first rows") == propose_key(left, twice, PAIRS, (second, NO_KEY))


@pytest.mark.parametrize(
    ("sql", "dialect", "expected"),
    [
        ("SELECT * FROM shop.orders WHERE id > 3", "postgres", (1,)),
        ("SELECT name AS a, b AS id FROM orders ORDER BY 1 LIMIT 5", "sqlite", (1,)),
        ("SELECT upper(b) AS a, o.B FROM orders o", "oracle", (1,)),
        ("SELECT a, upper(b) AS b FROM orders", "sqlite", ()),
        ("SELECT o.id, p.b FROM orders o JOIN parts p ON p.id = o.part", "postgres", ()),
        ("SELECT a, b FROM (SELECT 1 AS a, 2 AS b) q", "duckdb", ()),
        ("SELECT a, b FROM x UNION SELECT a, b FROM y", "postgres", ()),
        ("SELECT 1 AS a, 2 AS b", "postgres", ()),
    ],
)
def test_a_table_that_is_read_row_by_row(sql: str, dialect: Name, expected: tuple[int, ...]) -> None:
    """A query of one table, without groups, has the table's primary key at a known place; no other has."""
    assert expected == declared_key(sql, dialect, ("a", "b"), lambda table: ("b",)).places


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT country, COUNT(*) FROM t GROUP BY country", (0,)),
        ("SELECT COUNT(*), c.country AS land FROM t AS c GROUP BY c.country", (1,)),
        ("SELECT DATE(d) AS day, city FROM t GROUP BY 1, city", (0, 1)),
        ("SELECT DATE(d) AS day, SUM(x) FROM t GROUP BY day", (0,)),
        ("SELECT COUNT(*), SUM(x) FROM t GROUP BY country", ()),
        ("SELECT country, COUNT(*) FROM t GROUP BY country, city", ()),
        ("SELECT country, COUNT(*) FROM t GROUP BY ROLLUP (country)", ()),
        ("SELECT country, city FROM t", ()),
        ("SELECT country, COUNT(*) FROM t GROUP BY 3", ()),
    ],
)
def test_what_is_grouped_by(sql: str, expected: tuple[int, ...]) -> None:
    """The columns that a query groups by tell its rows apart, where it shows all of them."""
    assert expected == declared_key(sql, "sqlite", ("a", "b"), lambda table: ()).places


def test_a_group_is_a_key() -> None:
    """What one side groups by is the key, however few rows there are, unless the other side's rows have it twice."""
    left = sampled(("country", ["Italy", "Spain"]), ("orders", [3, 4]))
    right = sampled(("country", ["Italy", "Spain"]), ("orders", [3, 5]))
    twice = sampled(("country", ["Italy", "Italy"]), ("orders", [3, 5]))
    pairs = [ComparedPair(0, 0, "text"), ComparedPair(1, 1, "number")]
    grouped = KeyProposal((0,), "what is grouped by")
    assert grouped == propose_key(left, right, pairs, (grouped, NO_KEY))
    assert KeyProposal((), "") == propose_key(left, twice, pairs, (grouped, grouped))
