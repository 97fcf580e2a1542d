"""What a database says of an error, with what a view keeps back in the rows that it read."""

import logging

import pytest

from router.errors import JobFailed
from router.sql.databases.session import PooledDatabase
from router.sql.dialect import Name
from router.sql.scope import Scope
from tests.router.sql.databases.conftest import Place
from tests.support.rows import check_rows

PARTS = ("Zaphod", "(z)", "'y'", 'x"')
"""Of the one cell: its name, and what its quotes may hide it behind."""

ANYWHERE = (
    "SELECT name FROM shown WHERE CAST(name AS INTEGER) > 0",
    "SELECT CAST(name AS DATE) FROM shown",
    "SELECT name FROM shown WHERE CAST(name AS INTEGER) > 0 OR name IN ('Zaphod', 'Ford', 'y', '(z)')",
)
OF_ONE: dict[Name, tuple[str, ...]] = {
    "postgres": (
        "SELECT name::json FROM shown",
        "SELECT name::regclass FROM shown",
        "SELECT name::regtype FROM shown",
        "SELECT 'x' ~ ('[' || name) FROM shown",
        "SELECT to_date('2026', name) FROM shown",
        "SELECT now() AT TIME ZONE name FROM shown",
        "SELECT chr(1200000 + length(name)) FROM shown",
        "SELECT CAST('{\"a\": \"' || name AS json) FROM shown WHERE '{' <> name",
    ),
    "duckdb": (
        "SELECT error(name) FROM shown",
        "SELECT error('said ' || name) FROM shown",
        "SELECT regexp_matches('x', '(' || name) FROM shown",
        "SELECT strptime(name, '%Y') FROM shown",
        "SELECT json_extract(name, '$.a') FROM shown",
        "SELECT CAST(name AS STRUCT(a INTEGER)) FROM shown",
    ),
    "sqlite": (
        "SELECT json_extract(name, '$.a') FROM shown",
        "SELECT json_extract('{}', '$.' || name || '[') FROM shown",
        "SELECT json_extract('{}', name) FROM shown",
    ),
    "mysql": (
        "SELECT JSON_EXTRACT(name, '$.a') FROM shown",
        "SELECT 'x' REGEXP CONCAT('(', name) FROM shown",
        "SELECT extractvalue('<a/>', CONCAT('~', name)) FROM shown",
    ),
}


SHOWN = "shown"


def _scope(place: Place) -> Scope:
    """Return the scope that has the view alone."""
    key = (place.schema, SHOWN)
    return Scope.of(place.schema, [key], {key: ("name",)})


def test_no_error_in_a_row_shows_a_cell(
    place: Place, database: PooledDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither a whole cell nor a part of it, also if the statement guesses it; the bot's log has all of it."""
    scope = _scope(place)
    logged = []

    def said(sql: str) -> None:
        caplog.clear()
        try:
            with database.session(scope) as session:
                session.check(sql)
                for _ in session.stream(sql)[1]:
                    pass
        except JobFailed as failure:
            told = str(failure)
            assert not [part for part in PARTS if part in told], told
            logged.append(PARTS[0] in caplog.text)

    with caplog.at_level(logging.WARNING, "icc_bot"):
        check_rows((*ANYWHERE, *OF_ONE[place.name]), said)
    assert any(logged) or place.name == "mysql"


def test_names_that_may_not_be_read_stand_in_no_error(place: Place, database: PooledDatabase) -> None:
    """Nor are they offered; what the statement misspells is named, so that it can be mended."""
    scope = _scope(place)

    def said(sql: str) -> str:
        with database.session(scope) as session, pytest.raises(JobFailed) as raised:
            session.check(sql)
        return str(raised.value)

    assert "nam" in said("SELECT nam FROM shown")
    told = said("SELECT p.tem FROM shown p")
    assert "tem" in told
    assert "team" not in told
    assert "teams" not in said("SELECT name FROM team")
    assert "near" in said("SELECT name FROM FROM shown")
