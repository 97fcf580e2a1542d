"""Talks that are cut in two by a kill, one for each stage of reading.

Each stops twice: before the last step into its stage, and where a person sees that it is there. START and
NEED_WRITE_OR_EMAIL have none: nobody has said anything yet, or nobody is asked anything.
"""

from collections.abc import Callable, Iterator

from router.memory import Stage
from tests.adapters.teams.talks.house import Town
from tests.adapters.teams.talks.links import fetched, file_of
from tests.platforms.teams import Message, shown
from tests.platforms.teams.cards.filling import inputs_of

Cut = Iterator[Message | None]
"""A talk: it yields when it is ready, then what was asked in it, and goes on after the kill."""

NUMBERS = "SELECT n FROM numbers ORDER BY n"
SLOW = "SELECT SUM(a.n * b.n + c.n * d.n + e.n) AS s FROM numbers a, numbers b, numbers c, numbers d, numbers e"
INTERRUPTED = "I was interrupted at this step"


def _form(town: Town, asked: Message) -> tuple[Message, str]:
    """Return the form to edit SQL, and the id of its field."""
    form = town.offered(asked, "Check it")
    assert form.card is not None
    return form, str(inputs_of(form.card)[0]["id"])


def _choose(town: Town, message: Message, entry: str, user: str = "mia") -> None:
    assert message.card is not None
    town.press(message, "OK", user, fill={inputs_of(message.card)[0]["id"]: entry})


def ask_sql_method(town: Town) -> Cut:
    """The two ways to a query are offered."""
    asked = town.ask("hello")
    town.shown(asked, "Write it for me")
    yield None
    yield asked
    town.press(town.shown(asked, "Write it for me"), "Write it for me")
    town.shown(asked, "What would you like to know?")


def need_natural_language(town: Town) -> Cut:
    """A question is waited for."""
    asked = town.ask("hello")
    town.press(town.shown(asked, "Write it for me"), "Write it for me")
    town.shown(asked, "What would you like to know?")
    yield None
    yield asked
    town.ask("revenue by region, at last?", thread=asked)
    town.offered(asked, "Run")


def need_user_sql(town: Town) -> Cut:
    """A form with the SQL is open."""
    asked = town.ask("revenue by region?")
    town.press(town.offered(asked, "Edit"), "Edit")
    form, field = _form(town, asked)
    yield None
    yield asked
    town.press(form, "Check it", fill={field: "SELECT name FROM regions"})
    town.press(town.offered(asked, "Run"), "Run")
    assert "North\nSouth" in shown(town.shown(asked, "CSV"))


def choose_connection(town: Town) -> Cut:
    """A menu of databases is open."""
    asked = town.ask("How many stools?", "mia")
    menu = town.shown(asked, "Which database is it about?")
    yield None
    yield asked
    _choose(town, menu, "Archive")
    town.shown(asked, "Which schema is it about?")


def choose_schema(town: Town) -> Cut:
    """A menu of schemas is open."""
    asked = town.ask("How many stools?", "mia")
    _choose(town, town.shown(asked, "Which database is it about?"), "Archive")
    menu = town.shown(asked, "Which schema is it about?")
    yield None
    yield asked
    _choose(town, menu, "archive")
    town.shown(asked, "Run this on Archive")


def choose_tables(town: Town) -> Cut:
    """A menu of tables is open, and so is typing into it."""
    asked = town.ask("How much is invoiced?", "mia")
    _choose(town, town.shown(asked, "Which database is it about?"), "Wide")
    menu = town.shown(asked, "There are 400 tables")
    yield None
    yield asked
    assert menu.card is not None
    field = inputs_of(menu.card)[0]["id"]
    assert [each["title"] for each in town.teams.search(menu, field, "invoice", user="mia")] == ["invoices"]
    town.press(menu, "The likely ones", "mia")
    town.shown(asked, "Run this on Wide")


def confirm_generated_sql(town: Town) -> Cut:
    """Run is pressed, and the process dies before the approval is written down: the next one takes the click."""
    asked = town.ask("revenue by region?", where="board")
    approval = town.offered(asked, "Run")
    yield None
    town.press(approval, "Run")
    yield asked
    assert "North | 1235.75" in shown(town.shown(asked, "CSV"))


def confirm_user_sql(town: Town) -> Cut:
    """Somebody's own SQL waits for a Yes."""
    asked = town.ask("SELECT name FROM regions", where="ana")
    approval = town.offered(asked, "Run")
    yield None
    yield asked
    town.press(approval, "Run")
    town.shown(asked, "CSV")


def show_results(town: Town) -> Cut:
    """A page of rows is shown: its next one, and its file, come from the next process."""
    asked, table = town.ran(NUMBERS, "bob", "bob")
    yield None
    yield asked
    town.press(table, "Next", "bob")
    town.teams.wait(lambda: "rows 21 to 40" in shown(table))
    assert fetched(town, file_of(town, table, "bob"))[0] == 200


def done(town: Town) -> Cut:
    """The talk is over; the next question in its thread begins another."""
    asked, table = town.ran(NUMBERS)
    town.press(table, "Done")
    town.shown(asked, "Goodbye")
    yield None
    yield asked
    town.ask("revenue by region?", thread=asked)
    town.offered(asked, "Run")


def read_schema(town: Town) -> Cut:
    """The database does not say which tables it has; then it does."""
    yield None
    asked = town.ask("How many measurements?", "lars")
    town.shown(asked, "Reading the schema")
    yield asked
    interrupted = town.shown(asked, INTERRUPTED)
    _choose(town, interrupted, "Large", "lars")
    town.shown(asked, "Run this on Large")


def write_sql(town: Town) -> Cut:
    """The model is writing."""
    asked = town.ask("revenue by region, slowly?")
    town.shown(asked, "Writing the SQL")
    town.teams.wait(lambda: any("slowly" in each for each in town.model.prompts))
    yield None
    yield asked
    town.shown(asked, INTERRUPTED)
    town.press(town.offered(asked, "Ask it again"), "Ask it again")
    town.offered(asked, "Run")


def check_sql(town: Town) -> Cut:
    """Edited SQL is being checked."""
    asked = town.ask("revenue by region?")
    town.press(town.offered(asked, "Edit"), "Edit")
    form, field = _form(town, asked)
    yield None
    town.teams.press(form, "Check it", user="ana", fill={field: "SELECT name FROM regions"})
    town.shown(asked, "Checking the SQL")
    yield asked
    town.shown(asked, INTERRUPTED)
    form, field = _form(town, asked)
    town.press(form, "Check it", fill={field: "SELECT name FROM regions"})
    town.offered(asked, "Run")


def execute_sql(town: Town) -> Cut:
    """The query is running; it is not run again unasked."""
    asked = town.ask(SLOW)
    town.press(town.offered(asked, "Run"), "Run")
    town.shown(asked, "Running the query")
    yield None
    yield asked
    again = town.shown(asked, INTERRUPTED)
    assert "Run this on Shop?" in shown(again)
    town.press(again, "Cancel")


def _taken_away(words: str, button: str, doing: str, then: Callable[[Town, Message], object]) -> Callable[[Town], Cut]:
    """Return a talk in which something is made of a result, and can be made again after the kill."""

    def talk(town: Town) -> Cut:
        asked, table = town.ran(words)
        yield None
        town.teams.press(table, button, user="ana")
        town.shown(asked, doing)
        yield asked
        then(town, town.shown(asked, INTERRUPTED))

    return talk


def share_result(town: Town) -> Cut:
    """A private result is about to be shared; it is shared when the asker presses again."""
    asked = town.ask(NUMBERS, where="secret")
    town.press(town.offered(asked, "Run"), "Run")
    table = town.teams.wait_message("ana", "Share in channel", after=asked)
    yield None
    town.teams.press(table, "Share in channel", user="ana")
    town.teams.wait_message("ana", "Sharing the result", after=table)
    yield asked
    again = town.teams.wait_message("ana", INTERRUPTED, after=asked)
    assert not any("\n20\n" in each for each in town.said(asked))
    town.press(again, "Share in channel")
    town.shown(asked, "\n20\n")


def _chart(town: Town, table: Message) -> None:
    town.press(table, "Chart")
    town.teams.wait_message("General", "South 14", after=table)


TALKS: dict[Stage, Callable[[Town], Cut]] = {
    Stage.ASK_SQL_METHOD: ask_sql_method,
    Stage.NEED_NATURAL_LANGUAGE: need_natural_language,
    Stage.NEED_USER_SQL: need_user_sql,
    Stage.CHOOSE_CONNECTION: choose_connection,
    Stage.CHOOSE_SCHEMA: choose_schema,
    Stage.CHOOSE_TABLES: choose_tables,
    Stage.CONFIRM_USER_SQL: confirm_user_sql,
    Stage.SHOW_RESULTS: show_results,
    Stage.DONE: done,
    Stage.CONFIRM_GENERATED_SQL: confirm_generated_sql,
    Stage.WRITE_SQL: write_sql,
    Stage.CHECK_SQL: check_sql,
    Stage.WRITE_FILE: _taken_away(
        "SELECT name FROM regions", "CSV", "Writing the file", lambda town, table: file_of(town, table, "ana")
    ),
    Stage.DRAW_CHART: _taken_away("SELECT name, id * 7 AS weight FROM regions", "Chart", "Drawing the chart", _chart),
    Stage.SHARE_RESULT: share_result,
    Stage.READ_SCHEMA: read_schema,
    Stage.EXECUTE_SQL: execute_sql,
}
