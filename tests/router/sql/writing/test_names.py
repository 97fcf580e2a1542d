"""Any name is a name: of a table, of a column; those that a database would bend are refused."""

from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from router.sql.dialect import Name
from router.sql.writing.names import quoted, require_sound
from router.sql.writing.order import Refusal, ResultField, WriteOrder
from tests.router.sql.writing.places import Place
from tests.support.hypothesis_examples import examples
from tests.support.rows import check_rows

ODD = ("select", "Order Items", 'quo"te', "semi;colon", "per%cent", "株式会社", "a.b", "{c}", "--", "'", "A", ":1", "?")
JOBS = count()
NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)


def refusal(dialect: Name, table: str, *columns: str) -> str:
    """Return why these names are refused."""
    with pytest.raises(Refusal) as refused:
        require_sound(
            WriteOrder("j", "s", table, "create", tuple(ResultField(name, "text") for name in columns)), dialect
        )
    return str(refused.value)


@pytest.mark.thorough
def test_odd_names(place: Place) -> None:
    """A table and its columns are called exactly as was asked, in every mode."""
    check_rows(enumerate(ODD), lambda number, name: _goes_by_its_name(place, number, name))


def _goes_by_its_name(place: Place, number: int, name: str) -> None:
    fields = (ResultField(name, "integer"), ResultField(f"{name} 2", "text"))
    place.write([(1, "x")], *fields, table=name, job=f"job-{number}-1")
    place.write([(2, "y")], *fields, table=name, mode="append", job=f"job-{number}-2")
    with place.open() as target:
        there = target.table(place.schema, name)
    assert there is not None
    assert ([column.field.name for column in there.columns], there.rows) == ([name, f"{name} 2"], 2)
    place.write([(3, "z")], *fields, table=name, mode="drop", job=f"job-{number}-3")
    place.write([(4, "z")], *fields, table=name, mode="truncate", job=f"job-{number}-4")
    assert [row[0] for row in place.content(name.replace('"', '""'))] == [4]


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=NAMES, column=NAMES)
def test_any_name(sqlite: Place, table: str, column: str) -> None:
    """No name breaks out of its quotes."""
    name = f"t {table}"
    sqlite.write([(1,)], ResultField(column, "integer"), table=name, mode="drop", job=f"job-{next(JOBS)}")
    assert sqlite.rows(f"SELECT * FROM {quoted(name)}") == [(1,)]


def test_case_is_kept(pg: Place) -> None:
    """Names that differ in case only are two tables, and two columns, where the database says so."""
    pg.write([(1, 2)], ResultField("a", "integer"), ResultField("A", "integer"), table="T")
    pg.write([(3,)], ResultField("a", "integer"), table="t", job="job-2")
    assert pg.rows('SELECT a, "A" FROM "T"') == [(1, 2)]
    assert pg.rows("SELECT a FROM t") == [(3,)]


def test_names_that_are_one() -> None:
    """Two columns that the database would take for one are told, by their names."""
    assert refusal("sqlite", "t", "a", "A") == (
        'The columns "a" and "A" have one name for SQLite. Nothing was written. Give one of them another name.'
    )
    assert "have one name for PostgreSQL" in refusal("postgres", "t", "a", "a")


@pytest.mark.parametrize(
    ("dialect", "name", "words"),
    [
        ("postgres", "ä" * 32, "is too long: PostgreSQL takes 63 bytes. Nothing was written. Choose another name."),
        ("mysql", "a" * 65, "is too long: MySQL takes 64 characters."),
        ("tsql", "a" * 129, "is too long: SQL Server takes 128 characters."),
        ("oracle", "a" * 129, "is too long: Oracle takes 128 bytes."),
        ("oracle", 'a"b', "holds a character that Oracle does not take there."),
        ("mysql", "a ", "holds a character that MySQL does not take there."),
        ("sqlite", " ", "needs a name."),
        ("duckdb", "a\0b", "holds a character that DuckDB does not take there."),
        ("duckdb", "a\ud800", "holds a character that DuckDB does not take there."),
    ],
)
def test_names_that_a_database_would_bend(dialect: Name, name: str, words: str) -> None:
    """They are refused with the limit, for tables as for columns."""
    assert words in refusal(dialect, name, "a")
    assert words in refusal(dialect, "t", name)


def test_names_of_the_bot() -> None:
    """A staging table or the log can never be a person's target."""
    for name in ("icc_bot_jobs", "ICC_BOT_jobs", "icc_bot_job-1"):
        assert refusal("postgres", name, "a").startswith('The bot keeps names that begin with "icc_bot_" for itself')
    assert refusal("sqlite", "sqlite_x", "a").startswith('SQLite keeps names that begin with "sqlite_" for itself')
