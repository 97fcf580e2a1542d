"""What holds for every statement that hypothesis can think of."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from router.sql.dialect import DIALECTS, Name
from router.sql.guard import check
from tests.router.sql.statements import good, shop
from tests.support.hypothesis_examples import examples

EVIL = {
    "sqlite": ("load_extension('x')", "(SELECT sql FROM sqlite_master)", "(SELECT 1 WHERE 1 IN sqlite_master)"),
    "duckdb": ("getenv('HOME')", "(SELECT * FROM read_text('x'))", "(SELECT 1 FROM 'x.csv')", "'x'.getenv()"),
    "postgres": (
        "pg_sleep(1)",
        '"pg_sleep"(1)',
        "pg_catalog.pg_sleep(1)",
        "(SELECT 1 FROM pg_shadow)",
        "'x'::regclass",
    ),
    "oracle": ("utl_http.request('x')", "s.NEXTVAL", "(SELECT 1 FROM t@remote)", "(SELECT 1 FROM all_users)", "f(1)"),
    "mysql": ("SLEEP(1)", "`sleep`(1)", "@a := 1", "@@version", "(SELECT 1 FROM mysql.user)", "LOAD_FILE('x')"),
    "tsql": ("dbo.f(1)", "@@version", "(SELECT name FROM sys.tables)", "(SELECT 1 FROM master..x)", "sp_who()"),
}
SHAPES = (
    "({})", "COALESCE({}, 1)", "COALESCE(1, {})", "CASE WHEN {} IS NULL THEN 1 ELSE 2 END",
    "CASE WHEN 1 = 1 THEN {} END",
    "(SELECT {})", "(SELECT MAX(x.a) FROM (SELECT {} AS a) x)", "(SELECT 1 WHERE {} IS NOT NULL)", "NOT {} IS NULL",
    "(SELECT 1 UNION ALL SELECT {})", "NULLIF({}, 2)", "({} + 1)", "(1 - {})", "ABS(-{})", "{} /* x */", "/* y */ {}",
    "CAST({} AS INTEGER)", "SUM({}) OVER (ORDER BY 1)", "(WITH w AS (SELECT {} AS a) SELECT a FROM w)", "UPPER({})",
    "(1 IN (1, {}))", "(2 BETWEEN {} AND 3)", "(1 = {})", "MAX({})", "COUNT(DISTINCT {})",
)  # fmt: skip
FRAMES = (
    "SELECT {}", "SELECT 1 AS a, {} AS b", "SELECT 1 FROM customers WHERE {} = 1",
    "SELECT 1 FROM customers ORDER BY {}",
    "SELECT 1 FROM customers GROUP BY {}", "SELECT COUNT(*) FROM customers HAVING {} = 1", "SELECT 1 UNION SELECT {}",
    "SELECT 1 FROM customers c JOIN orders o ON {} = 1", "WITH x AS (SELECT {} AS a) SELECT a FROM x",
    "SELECT * FROM (SELECT {} AS a) customers", "WITH customers AS (SELECT {} AS a) SELECT a FROM customers",
)  # fmt: skip
SPACES = st.sampled_from([" ", "\n", "\t", "\u00a0", "\u2003", "\u3000", "/**/", "-- x\n", "\r\n"])
SIGNS = st.sampled_from(
    [*"'\"`[](){};:,.@#$%&|?\\/*-+=<>~^! \n", "--", "/*", "*/", "''", "\\'", "$$", "q'[", "N'", "E'", "U&'", "0x", "::"]
)
WORDS = st.sampled_from(
    [
        *("SELECT", "FROM", "WHERE", "UNION", "ALL", "WITH", "AS", "RECURSIVE", "INSERT", "INTO", "UPDATE", "DELETE"),
        *("DROP", "TABLE", "EXEC", "VALUES", "customers", "orders", "id", "pg_sleep", "sleep", "pg_shadow", "CASE"),
        *(
            "WHEN",
            "THEN",
            "END",
            "CAST",
            "IN",
            "EXISTS",
            "LATERAL",
            "FOR",
            "SET",
            "OFFSET",
            "LIMIT",
            "NULL",
            "NOT",
            "x",
        ),
    ]
)


@st.composite
def hidden(draw: st.DrawFn, dialect: Name) -> str:
    """Draw a statement that hides something evil behind harmless shapes."""
    inner = draw(st.sampled_from(EVIL[dialect]))
    for shape in draw(st.lists(st.sampled_from(SHAPES), max_size=4)):
        inner = shape.format(inner)
    sql = draw(st.sampled_from(FRAMES)).format(inner)
    return "".join(draw(SPACES) if sign == " " and draw(st.booleans()) else sign for sign in sql)


@pytest.mark.parametrize("dialect", DIALECTS)
@given(data=st.data())
@settings(max_examples=examples(60), deadline=None)
def test_nothing_evil_can_hide(dialect: Name, data: st.DataObject) -> None:
    """However deep it is nested, commented and spaced, with a scope and without one."""
    sql = data.draw(hidden(dialect))
    assert [check(sql, dialect, scope).allowed for scope in (None, shop(dialect))] == [False, False]


@pytest.mark.parametrize("dialect", DIALECTS)
@given(data=st.data())
@settings(max_examples=examples(60), deadline=None)
def test_spacing_does_not_matter(dialect: Name, data: st.DataObject) -> None:
    """Harmless statements stay harmless in another spacing, and their text comes out the same."""
    plain = [sql for sql in good(dialect) if not set(sql) & set("'\"`[/-#")]
    sql = data.draw(st.sampled_from(plain))
    spaced = "".join(data.draw(st.sampled_from([" ", "\n", "\t", "  \r\n"])) if sign == " " else sign for sign in sql)
    assert check(spaced, dialect, shop(dialect)) == check(sql, dialect, shop(dialect))


@pytest.mark.parametrize("dialect", DIALECTS)
@given(parts=st.lists(st.one_of(WORDS, SIGNS, st.text(max_size=3)), max_size=25), spaced=st.booleans())
@settings(max_examples=examples(120), deadline=None)
def test_any_text_has_an_answer_that_stands(dialect: Name, parts: list[str], spaced: bool) -> None:
    """No text makes the guard raise, and what it lets through it lets through again, word for word."""
    verdict = check("SELECT " + (" " if spaced else "").join(parts), dialect)
    if verdict.allowed:
        assert check(verdict.sql, dialect) == verdict
    else:
        assert (verdict.sql, verdict.reason[-1]) == ("", ".")


@pytest.mark.parametrize("dialect", DIALECTS)
@given(value=st.text(max_size=12), name=st.text(min_size=1, max_size=12))
@settings(max_examples=examples(100), deadline=None)
def test_quoted_text_stays_inside_its_quotes(dialect: Name, value: str, name: str) -> None:
    """A string or a quoted name, whatever is in it, is never read as SQL: what runs has one string and one name."""
    opening, closing = {"mysql": "``", "tsql": "[]"}.get(dialect, '""')
    quoted = opening + name.replace(closing, closing * 2) + closing
    text = value.replace("\\", "\\\\") if dialect == "mysql" else value
    verdict = check(f"SELECT '{text.replace(chr(39), chr(39) * 2)}' AS {quoted} FROM customers", dialect)
    if verdict.allowed:
        assert verdict.sql.replace("\n", " ").split()[0] == "SELECT"
        assert verdict.sql.endswith("FROM customers")
        assert check(verdict.sql, dialect) == verdict
