"""What comes out of a query is said in a line that is short and true; the cases lie in a file, to be read.

`uv run pytest tests/router/sql/test_headlines.py --update -n0` writes the file anew: read it.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from adapters.rendering.text import bare, pieces
from router.sql.explain import UNSPOKEN, explanation_of
from router.sql.headline import HEADLINE_MAX_CHARS
from tests.router.sql.test_explain import queries

FILE = Path(__file__).with_name("headlines.txt")


def cases() -> list[str]:
    """Return the queries of the file."""
    blocks = FILE.read_text(encoding="utf-8").split("\n\n")
    return [block.splitlines()[0] for block in blocks if block.strip()]


def told(sql: str) -> str:
    """Return a query as it stands in the file."""
    words = explanation_of(sql, "sqlite")
    return "\n".join([sql, f"  # {words.headline}", f"  = {words.title}", *(f"  - {each}" for each in words.details)])


def test_the_words_are_those_of_the_file(request: pytest.FixtureRequest) -> None:
    """Whoever changes a word reads what else it changes."""
    due = "\n\n".join(map(told, cases())) + "\n"
    if request.config.getoption("--update"):
        FILE.write_text(due, encoding="utf-8")

    assert due == FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize("sql", cases())
def test_headlines_are_short_lines(sql: str) -> None:
    """They fit on one line, have no full stop, and begin with a capital."""
    words = explanation_of(sql, "sqlite")
    for line in (words.headline, words.title):
        assert 0 < len(line) <= HEADLINE_MAX_CHARS
        assert "\n" not in line
        assert not line.endswith(".")
        assert line[0] == line[0].upper()


@pytest.mark.parametrize(
    ("sql", "untrue"),
    [
        ("SELECT COUNT(*) AS revenue FROM orders", "evenue"),
        ("SELECT SUM(quantity) AS revenue FROM items", "evenue"),
        ("SELECT MIN(price) AS highest_price FROM products", "ighest"),
        ("SELECT SUM(total) AS paid_revenue FROM orders", "aid"),
        ("SELECT SUM(total) AS revenue_2024 FROM orders", "2024"),
        ("SELECT COUNT(*) AS customers FROM orders o JOIN customers c ON o.customer_id = c.id", "ustomers"),
        ("SELECT name FROM stores WHERE id NOT IN (SELECT store_id FROM o WHERE a = 1 AND b > 2)", "without o "),
        ("SELECT s.name FROM stores s LEFT JOIN orders o ON o.store_id = s.id WHERE o.note IS NULL", "without orders"),
        ("SELECT c.id, COUNT(*) FROM c LEFT JOIN orders o ON o.c_id = c.id GROUP BY c.id", "of orders"),
        ("SELECT a FROM t ORDER BY b DESC LIMIT 3 OFFSET 3", "highest"),
        ("SELECT name FROM stores WHERE id IN (SELECT customer_id FROM orders)", "with orders"),
        (
            "SELECT c.last_name, COUNT(*) FROM orders o JOIN customers c ON o.c_id = c.id GROUP BY 1 LIMIT 3",
            "customer,",
        ),
        ("WITH a AS (SELECT * FROM a LIMIT 3) SELECT COUNT(*) FROM (WITH a AS (SELECT 1) SELECT * FROM a)", "Counts a"),
    ],
)
def test_a_headline_claims_nothing_that_the_sql_does_not_do(sql: str, untrue: str) -> None:
    """Names that somebody gave, and conditions said in part, are no ground for a claim."""
    words = explanation_of(sql, "sqlite")
    assert untrue not in words.headline
    assert untrue not in words.title


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT c.id, COUNT(o.id) FROM c LEFT JOIN orders o ON o.c_id = c.id AND o.paid = 1 GROUP BY c.id",
        "SELECT COUNT(*) FROM t WHERE shipped = ordered",
        "SELECT SUM(x) FROM (SELECT x FROM t ORDER BY x LIMIT 5) AS u",
        "SELECT COUNT(*) FROM t WHERE a = 1 OR b LIKE c",
        "WITH u AS (SELECT x FROM t WHERE y = z) SELECT SUM(x) FROM u",
    ],
)
def test_a_headline_tells_that_conditions_are_left_out(sql: str) -> None:
    """Nobody takes a part of the rows for all of them."""
    assert explanation_of(sql, "sqlite").headline.endswith(", filtered")


@pytest.mark.parametrize("text", ["*now*", "`rm -rf`", "a *b* c `d`", "_x_ <b> |y| ~z~", "*", "`", "**x**"])
@pytest.mark.parametrize("condition", ["body = {}", "body LIKE {}", "body IN ({}, 'y')", "body <> {}", "f(body) = {}"])
def test_a_literal_is_no_markup(text: str, condition: str) -> None:
    """Signs that would be bold or code in a card come out as signs that look the same."""
    words = explanation_of(f"SELECT a FROM notes WHERE {condition.format(repr(text))}", "sqlite")
    for line in (words.headline, words.title):
        assert bare(line) == line
    for line in words.details:
        assert [] == [piece for piece, mark in pieces(line) if mark == "bold"]
        assert [] == [piece for piece, mark in pieces(line) if mark == "code" and "body" not in piece]


@given(some.text(some.sampled_from("a*`_ <|>\n“”"), min_size=1, max_size=12))
def test_names_are_no_markup(name: str) -> None:
    """Names of tables, columns and results are as harmless as literals."""
    quoted = '"' + name + '"'
    words = explanation_of(f"SELECT {quoted}, SUM(x + 1) AS {quoted} FROM {quoted} GROUP BY {quoted}", "sqlite")
    for line in (words.headline, words.title, *words.details):
        assert {"", "code"} >= {mark for _, mark in pieces(line)}
    assert bare(words.headline) == words.headline


@given(queries())
def test_every_query_has_a_headline(sql: str) -> None:
    """Whatever can be read has one, short enough."""
    words = explanation_of(sql, "sqlite")
    assert words.details != (UNSPOKEN,)
    assert 0 < len(words.headline) <= HEADLINE_MAX_CHARS
    assert 0 < len(words.title) <= HEADLINE_MAX_CHARS


def test_what_cannot_be_read_has_an_honest_headline() -> None:
    """No error, and no claim."""
    words = explanation_of("SELECT FROM WHERE", "sqlite")
    assert ("A query that takes reading", "", (UNSPOKEN,)) == (words.headline, words.title, words.details)
