"""What is run for a comparison gives the rows of the approved query, in real databases."""

from typing import Any

import pytest

from router.errors import JobFailed
from router.sql.comparing.plan import Side
from router.sql.comparing.queries import ordered, sampled
from router.sql.guard import check
from tests.router.sql.comparing.conftest import Place

TEXTS = [
    "(SELECT number FROM t ORDER BY number) LIMIT 3",
    "(SELECT number FROM t) ORDER BY number DESC LIMIT 2",
    "((SELECT number FROM t ORDER BY number LIMIT 3)) OFFSET 1",
    "(SELECT number FROM t ORDER BY number DESC LIMIT 4)",
    "((SELECT number FROM t WHERE number < 4) ORDER BY number)",
    "WITH x AS (SELECT number FROM t WHERE number > 2) (SELECT number FROM x)",
    "WITH x AS (SELECT number FROM t WHERE number > 2) (SELECT number FROM x ORDER BY number) LIMIT 2",
    "WITH t AS (SELECT 77 AS number) (SELECT number FROM t) LIMIT 100",
    "WITH t AS (SELECT 77 AS number) ((SELECT number FROM t))",
    "WITH x AS (SELECT 5 AS number) (WITH y AS (SELECT number + 1 AS number FROM x) SELECT number FROM y)",
    "(SELECT number FROM t WHERE number = 1) UNION ALL (SELECT number FROM t ORDER BY number DESC LIMIT 1)",
    "SELECT number FROM t ORDER BY number LIMIT 2 OFFSET 3",
    "WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 4) (SELECT n FROM up) LIMIT 3",
]


def read(side: Side, text: str) -> list[Any] | None:
    """Return the first column of a text's rows, in order; None if the database does not know such a text."""
    try:
        return sorted(row[0] for batch in side.session.stream(text)[1] for row in batch)
    except JobFailed:
        return None


@pytest.mark.parametrize("sql", TEXTS)
@pytest.mark.parametrize("name", ["sqlite", "duckdb", "postgres", "mysql"])
def test_the_rows_are_those_of_the_query(places: dict[str, Place], name: str, sql: str) -> None:
    """No limit, offset or WITH is lost on the way, within brackets or around them."""
    place = places[name]
    place.fill([(number, "a", None, None, None, None) for number in range(8)])
    text = check(sql, place.name).sql
    with place.side(text) as side:
        expected = read(side, text)
        wrapped = (sampled(side, 50), ordered(side, ["number"], [0], []), ordered(side, ["number"], [0], [0]))
        found = [read(side, each) for each in wrapped]

    assert expected is not None or name in ("sqlite", "mysql")  # which know no OFFSET alone
    assert expected is None or [expected] * 3 == found
