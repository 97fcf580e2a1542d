"""The lists of functions, and what sqlglot knows of them."""

import pytest
from sqlglot import exp

from router.sql.allowed_functions import ALLOWED
from router.sql.dialect import DIALECTS, Name
from router.sql.guard import ALLOWED_NODES, ALLOWED_TYPES, REFUSED_FUNCTIONS, check
from tests.router.sql.statements import HERE
from tests.support.rows import every_row

DANGEROUS = (
    "pg_sleep pg_read_file lo_import dblink query_to_xml set_config nextval setval pg_terminate_backend",
    "current_setting read_csv read_parquet read_text glob getenv query query_table load_extension",
    "readfile writefile edit zeroblob sleep benchmark load_file get_lock extractvalue updatexml xmltype",
    "httpuritype sys_context openrowset openquery opendatasource xp_cmdshell sleep_ms write_log setseed",
    "user version database current_user connection_id",
)


def test_every_function_that_sqlglot_knows_was_looked_at() -> None:
    """A new sqlglot's new function is looked at by a person, who adds it to the list, and refuses it if need be."""
    reviewed = set((HERE / "typed_functions.txt").read_text(encoding="utf-8").split())
    known = {function.__name__ for function in exp.ALL_FUNCTIONS}
    assert (sorted(known - reviewed), sorted(REFUSED_FUNCTIONS - reviewed)) == ([], [])


def test_syntax_names_are_nodes_of_sqlglot() -> None:
    """No name on the list of nodes is misspelt or gone."""
    nodes = {name for name in vars(exp) if isinstance(getattr(exp, name), type)}
    assert sorted(ALLOWED_NODES - nodes) == []
    assert sorted(ALLOWED_TYPES - set(exp.DType.__members__)) == []


@pytest.mark.parametrize("dialect", DIALECTS)
@every_row("name", " ".join(DANGEROUS).split())
def test_dangerous_functions_are_on_no_list(name: str, dialect: Name) -> None:
    """Whoever extends a list meets this one first; SQLite's glob only compares."""
    assert name not in ALLOWED[dialect] or (name, dialect) == ("glob", "sqlite")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_are_lower_case_words(dialect: Name) -> None:
    """The guard compares lowered names."""
    assert [name for name in ALLOWED[dialect] if name != name.lower() or not name.isidentifier()] == []


@pytest.mark.parametrize(
    ("dialect", "sql", "function"),
    [
        ("postgres", "SELECT PG_Sleep(1)", "pg_sleep"),
        ("duckdb", "SELECT * FROM read_parquet('x')", "read_parquet"),
        ("mysql", "SELECT sleep(1)", "sleep"),
        ("postgres", "SELECT current_database()", "current_database"),
    ],
)
def test_the_sentence_names_the_function(dialect: Name, sql: str, function: str) -> None:
    """A person reads which function was the problem."""
    assert check(sql, dialect).reason == f"The function {function} is not on the list of functions that may run."
