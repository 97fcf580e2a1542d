"""The guard's answers to lists of statements, hostile and harmless."""

import pytest

from router.sql.dialect import DIALECTS, Name
from router.sql.guard import Verdict, check
from router.sql.scope import Scope
from tests.router.sql.statements import good, hostile, shop
from tests.support.rows import check_rows


@pytest.mark.parametrize("dialect", DIALECTS)
def test_hostile_statements_are_refused(dialect: Name) -> None:
    """No hostile statement gets through, and each is answered with its sentence."""
    rows = [(reason, sql) for name, reason, sql in hostile() if name == dialect]
    answers = [(sql, check(sql, dialect)) for _, sql in rows]
    assert [sql for sql, verdict in answers if verdict.allowed or verdict.sql] == []
    assert [(sql, reason) for reason, sql in rows if reason != "-"] == [
        (sql, verdict.reason) for (reason, sql), (_, verdict) in zip(rows, answers, strict=True) if reason != "-"
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_hostile_statements_are_refused_with_a_scope(dialect: Name) -> None:
    """Nor does a scope open a door."""
    scope = shop(dialect)
    assert [sql for name, _, sql in hostile() if name == dialect and check(sql, dialect, scope).allowed] == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_reasons_are_sentences(dialect: Name) -> None:
    """Every reason begins with a capital, ends with a full stop, is one line and not too long."""
    reasons = {check(sql, dialect).reason for name, _, sql in hostile() if name == dialect}
    odd = {r for r in reasons if not (r[0].isupper() and r.endswith(".") and "\n" not in r and len(r) < 250)}
    assert odd == set()


def test_a_word_that_was_mistyped_is_named() -> None:
    """What only looks a little like it is refused as it is."""
    assert "Did you mean SELECT?" in check("SELEKT id FROM orders", "sqlite").reason
    assert "that begins with SET cannot run." in check("SET x = 1", "sqlite").reason


@pytest.mark.parametrize(
    ("dialect", "sql", "said"),
    [
        ("sqlite", "SELECT DISTINCT ON (country) name FROM customers", "SQLite may not know DISTINCT, ON as"),
        ("mysql", "SELECT DISTINCT ON (country) name FROM customers", "MySQL may not know DISTINCT, ON as"),
        ("sqlite", "SELECT name FROM customers QUALIFY row_number() OVER (ORDER BY id) = 1", "may not know QUALIFY as"),
        ("sqlite", "SELECT name FROM customers WHERE name ILIKE 'a%'", "SQLite may not know ILIKE as"),
        ("tsql", "SELECT name FROM customers WHERE active = TRUE", "SQL Server may not know TRUE as"),
    ],
)
def test_words_of_other_databases_are_named(dialect: Name, sql: str, said: str) -> None:
    """Not what would stand in their place."""
    assert said in check(sql, dialect).reason


@pytest.mark.parametrize("dialect", DIALECTS)
def test_harmless_statements_are_allowed(dialect: Name) -> None:
    """Ordinary analytic SQL runs, within its tables; the guard's text, judged again, comes out the same."""
    scope = shop(dialect)
    verdicts = [(sql, check(sql, dialect, scope)) for sql in good(dialect)]
    assert [(sql, verdict.reason) for sql, verdict in verdicts if not verdict.allowed] == []
    texts = [verdict.sql for _, verdict in verdicts]
    assert [check(text, dialect, scope).sql for text in texts] == texts


@pytest.mark.parametrize("dialect", DIALECTS)
def test_comments_and_hints_do_not_survive(dialect: Name) -> None:
    """What runs has neither comments nor optimizer hints."""
    sql = "SELECT /*+ X(1) */ /* a */ id /* ! , 2 */ -- b\n FROM customers"
    assert check(sql, dialect).sql == "SELECT id FROM customers"


def test_one_trailing_semicolon_is_no_second_statement() -> None:
    """People end their statements with a semicolon."""
    assert check("SELECT 1;", "postgres") == Verdict(True, "This only reads.", "SELECT 1")


ODD = (
    "",
    " \n\t",
    ";",
    "-- nothing",
    "/* nothing */",
    "\0",
    "SELECT 'a\0b'",
    "SELECT '\x1b[2J'",
    "SELECT '\ud800'",
    "SELECT '\u202eevil'",
    "SELECT " + "(" * 5_000 + "1" + ")" * 5_000,
    "SELECT " + "- " * 20_000 + "1",
    "SELECT " + "NOT " * 9_000 + "1",
    "SELECT '" + "x" * 1_000_000 + "'",
    "x" * 1_000_000,
    "(" * 59_000,
    "'" * 59_999,
    "/*" * 29_000,
    "SELECT " + "1, " * 20_000 + "1",
    "SELECT " + "CASE WHEN 1 = 1 THEN " * 900 + "1" + " END" * 900,
    "SELECT " + "[" * 30 + "1" + "]" * 30 + " FROM",
    "SELECT f(" + "(x) -> " * 30 + "1)",
    "SELECT " + "DATE(" * 30 + "x.y.z(1)" + ")" * 30,
    "SELECT 1 FROM t__SQLGLOT__LB__pg_shadow, " + "a, " * 50 + "b",
    "\ufeff\ufeff",
    "﻿SELECT ＊ FROM t",
)


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_odd_texts_are_refused_and_never_raise(dialect: Name) -> None:
    """Whatever the text, the answer is a sentence, and it comes before anybody has waited."""

    def refused(sql: str) -> None:
        verdict = check(sql, dialect, Scope.of("main", ()))
        assert (verdict.allowed, verdict.sql, verdict.reason[-1]) == (False, "", ".")

    check_rows(ODD, refused, lambda sql: ascii(sql[:80]))


@pytest.mark.parametrize(
    ("sql", "refused"),
    [
        ('SELECT "first" FROM people', True),
        ('SELECT "First" FROM sales.people WHERE id = 1', True),
        ('SELECT id FROM people ORDER BY "first"', True),
        ("SELECT 'first', `first` FROM people", False),
        ('SELECT id AS "first" FROM people', False),
        ('SELECT first "id" FROM people', False),
        ('SELECT id FROM people WHERE first = "Ann"', False),
        ('SELECT "first" FROM orders', False),
    ],
)
def test_a_text_in_double_quotes_is_not_taken_for_a_column(sql: str, refused: bool) -> None:
    """In MySQL it is a text, the same in every row; if it names a column, the person says which is meant."""
    columns = {("sales", "people"): ("id", "first"), ("sales", "orders"): ("id",)}
    verdict = check(sql, "mysql", Scope.of("sales", columns, columns))
    assert verdict.allowed is not refused, verdict.reason
    assert refused == ("Write `" in verdict.reason)
