"""A kind of database is one file: the guard, the URLs and the errors take all that differs from it."""

from pathlib import Path

import pytest

from router.sql.databases.error_sentences import ErrorSentences
from router.sql.dialect import DIALECTS, Dialect, by_backend, dialects_in
from router.sql.guard import check
from router.sql.opening import open_database
from router.sql.scope import Scope

SNOWFLAKE = """
name = "snowflake"
label = "Snowflake"
backends = ["snowflake"]
driver = "sqlite3"
folds = "upper"
reads = "tests.router.sql.test_dialect:Opened"
system_schemas = "information_schema"

[words]
forbidden = "user"

[functions]
numbers = "zeroifnull"

[rows]

[server]
label = "Snowflake"
driver = "sqlite3"
quote = '"'
ping = "SELECT 1"
begin = ["BEGIN"]
check = "EXPLAIN {text}"
statement_errors = "1003|2003"

[server.errors]
"A number in the rows is divided by zero" = "100051"
"""

SHOP = Scope.of("PUBLIC", {("PUBLIC", "ORDERS"): ("ID", "TOTAL")}, {("PUBLIC", "ORDERS"): ("ID", "TOTAL")})


class Opened:
    """What opens it, in a test."""

    def __init__(self, url: str, timeout: float) -> None:
        self.given = url, timeout


@pytest.fixture
def snowflake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dialect:
    """A kind of database that was not known before: one file more."""
    (tmp_path / "snowflake.toml").write_text(SNOWFLAKE)
    monkeypatch.setitem(DIALECTS, "snowflake", dialects_in(tmp_path)["snowflake"])
    return DIALECTS["snowflake"]


def test_its_urls_lead_to_what_opens_it(snowflake: Dialect) -> None:
    """No list of the kinds of database has to be longer."""
    found = by_backend("snowflake")
    assert found is snowflake
    opened = open_database("snowflake://host/shop", found, 5)
    assert isinstance(opened, Opened)
    assert opened.given == ("snowflake://host/shop", 5)


JUDGED = [
    ("SELECT zeroifnull(sum(total)) FROM orders", ""),
    ("SELECT system$wait(5)", "The function system$wait is not on the list"),
    ("SELECT * FROM information_schema.tables", "belongs to the database itself"),
    ("SELECT total FROM secrets", "The table PUBLIC.SECRETS is not among those"),
    ("DELETE FROM orders", "the statement would change data (DELETE)"),
]


@pytest.mark.parametrize(("sql", "refusal"), JUDGED)
@pytest.mark.usefixtures("snowflake")
def test_the_guard_judges_its_sql(sql: str, refusal: str) -> None:
    """By its own functions, words and tables, and by what is alike everywhere."""
    verdict = check(sql, "snowflake", SHOP)
    assert verdict.allowed == (not refusal)
    assert refusal in verdict.reason


ERRORS = [
    (100051, "division", "A number in the rows is divided by zero (100051)."),
    (2003, "Object does not exist", "Snowflake refused the statement: Object does not exist."),
    (7, "Zaphod earns 9", "Snowflake refused the statement: error 7, whose words are in the bot's log."),
]


@pytest.mark.parametrize(("number", "words", "said"), ERRORS)
def test_its_errors_are_said(snowflake: Dialect, number: int, words: str, said: str) -> None:
    """By its own numbers; the words of others are kept for the log."""
    assert snowflake.server
    assert said == ErrorSentences(snowflake.label).of_server(Exception(number, words), snowflake.server)
