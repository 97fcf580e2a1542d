"""The lists of functions, and what sqlglot knows of them."""

import pytest
from sqlglot import exp

from router.sql import parsing
from router.sql.dialect import DIALECTS, Name
from router.sql.guard import check
from router.sql.parsing import BEFORE_PARENTHESIS
from tests.router.sql.statements import shop
from tests.support.rows import every_row

DANGEROUS = (
    "pg_sleep pg_read_file lo_import dblink query_to_xml set_config nextval setval pg_terminate_backend",
    "current_setting read_csv read_parquet read_text glob getenv query query_table load_extension",
    "readfile writefile edit zeroblob sleep benchmark load_file get_lock extractvalue updatexml xmltype",
    "httpuritype sys_context openrowset openquery opendatasource xp_cmdshell sleep_ms write_log setseed",
    "user version database current_user connection_id",
)


@pytest.mark.parametrize("dialect", DIALECTS)
@every_row("name", " ".join(DANGEROUS).split())
def test_dangerous_functions_are_on_no_list(name: str, dialect: Name) -> None:
    """This test stands before every change of a list; SQLite's glob only compares."""
    assert name not in DIALECTS[dialect].functions or (name, dialect) == ("glob", "sqlite")


CALLS = (
    "SELECT {}('x')", "SELECT 1 + {}(1, 2)", "SELECT {}()", "SELECT {}(id) FROM customers",
    "SELECT 1 FROM {}('x')", "SELECT 1 FROM {}('x') AS t(a)", "SELECT 1 WHERE {} ('x') = 1", "SELECT {}(DISTINCT 1)",
    "SELECT id FROM customers ORDER BY {}('x')", "SELECT UPPER({}('x'))", "SELECT {}('x') OVER ()",
)  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_word_of_the_language_is_no_way_to_call(dialect: Name) -> None:
    """Somebody may call a function like a word of SQL: where the tree has a call, only the list counts."""
    words = (BEFORE_PARENTHESIS | DIALECTS[dialect].forbidden) - DIALECTS[dialect].functions
    texts = [call.format(word) for word in sorted(words) for call in CALLS]
    called = []
    listed = DIALECTS[dialect].functions
    for text in texts:
        verdict = check(text, dialect, shop(dialect))
        tree = parsing.statement(verdict.sql, dialect) if verdict.allowed else exp.Null()
        assert isinstance(tree, exp.Expr)
        called += [text for call in tree.find_all(exp.Anonymous) if call.name.lower() not in listed]
    assert called == []


@every_row(
    ("dialect", "word"),
    [
        (dialect, word)
        for dialect, words in {
            "postgres": "next key pass map sample list some top vector struct start percent",
            "mysql": "next key pass map sample list vector struct",
            "oracle": "key pass map sample list vector struct interval",
            "duckdb": "next key pass top vector",
        }.items()
        for word in words.split()
    ],
)
def test_a_function_called_like_a_word_is_refused(dialect: Name, word: str) -> None:
    """PostgreSQL, MySQL, Oracle and DuckDB let people call their functions like these words, without quotes."""
    texts = [f"SELECT {word}('x')", f"SELECT {word} (1)", f"SELECT UPPER({word}('x'))", f"SELECT 1 FROM {word}('x')"]
    assert [text for text in texts if check(text, dialect).allowed] == []


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
