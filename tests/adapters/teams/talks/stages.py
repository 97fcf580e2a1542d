"""Talks that are cut in two by a kill, one for each stage of reading.

Each stops twice: before the last step into its stage, and where a person sees that it is there. START and
NEED_WRITE_OR_EMAIL have none: nobody has said anything yet, or nobody is asked anything.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from router.memory.stage import Stage
from tests.adapters.teams.talks.links import fetched, file_of, handed
from tests.adapters.teams.talks.site import TeamsCompany
from tests.platforms.teams.cards.filling import Impossible, inputs_of
from tests.platforms.teams.looking import shown
from tests.platforms.teams.world import Message

Cut = Iterator[Message | None]
"""A talk: it yields when it is ready, then what was asked in it, and goes on after the kill."""

NUMBERS = "SELECT n FROM numbers ORDER BY n"
SLOW = "SELECT SUM(a.n * b.n + c.n * d.n + e.n) AS s FROM numbers a, numbers b, numbers c, numbers d, numbers e"
INTERRUPTED = "I was interrupted while I was at this step"


def _until_taken(press: Callable[[], str]) -> None:
    """Press again while the bot works on what it took up after the kill, or draws the card again."""
    for _ in range(300):
        with suppress(Impossible):
            if "I'm still working" not in press():
                return
        time.sleep(0.1)
    raise AssertionError("what was pressed after the kill was not taken")


def _form(company: TeamsCompany, asked: Message) -> tuple[Message, str]:
    """Return the form to edit SQL, and the id of its field."""
    form = company.offered(asked, "Check it")
    assert form.card is not None
    return form, str(inputs_of(form.card)[0]["id"])


def _choose(company: TeamsCompany, message: Message, entry: str, user: str = "mia") -> None:
    company.press(message, entry, user)


def ask_sql_method(company: TeamsCompany) -> Cut:
    """The two ways to a query are offered."""
    asked = company.ask("hello")
    company.shown(asked, "Write it for me")
    yield None
    yield asked
    company.press(company.shown(asked, "Write it for me"), "Write it for me")
    company.shown(asked, "What would you like to know?")


def need_natural_language(company: TeamsCompany) -> Cut:
    """A question is waited for."""
    asked = company.ask("hello")
    company.press(company.shown(asked, "Write it for me"), "Write it for me")
    company.shown(asked, "What would you like to know?")
    yield None
    yield asked
    company.ask("revenue by region, at last?", thread=asked)
    company.offered(asked, "Run")


def need_user_sql(company: TeamsCompany) -> Cut:
    """A form with the SQL is open."""
    asked = company.ask("revenue by region?")
    company.press(company.offered(asked, "Edit"), "Edit", dialogs=False)
    form, field = _form(company, asked)
    yield None
    yield asked
    company.press(form, "Check it", fill={field: "SELECT name FROM regions"})
    company.press(company.offered(asked, "Run"), "Run")
    assert "North\nSouth" in shown(company.shown(asked, "CSV"))


def choose_connection(company: TeamsCompany) -> Cut:
    """A menu of databases is open."""
    asked = company.ask("How many stools?", "mia")
    menu = company.shown(asked, "Which database is it about?")
    yield None
    yield asked
    _choose(company, menu, "Archive")
    company.shown(asked, "Which schema is it about?")


def choose_schema(company: TeamsCompany) -> Cut:
    """A menu of schemas is open."""
    asked = company.ask("How many stools?", "mia")
    _choose(company, company.shown(asked, "Which database is it about?"), "Archive")
    menu = company.shown(asked, "Which schema is it about?")
    yield None
    yield asked
    _choose(company, menu, "archive")
    company.shown(asked, "Run on Archive")


def choose_tables(company: TeamsCompany) -> Cut:
    """A menu of tables is open, and so is typing into it."""
    asked = company.ask("How many did we sell in May?", "mia")
    _choose(company, company.shown(asked, "Which database is it about?"), "Wide")
    menu = company.shown(asked, "There are 400 tables")
    yield None
    yield asked
    assert menu.card is not None
    field = inputs_of(menu.card)[0]["id"]
    assert [each["title"] for each in company.teams.search(menu, field, "invoice", user="mia")] == ["invoices"]
    company.press(menu, "The likely ones", "mia")
    company.shown(asked, "Run on Wide")


def confirm_generated_sql(company: TeamsCompany) -> Cut:
    """Run is pressed, and the process dies before the approval is written down: the next one takes the click."""
    asked = company.ask("revenue by region?", where="board")
    approval = company.offered(asked, "Run")
    yield None
    company.press(approval, "Run")
    yield asked
    assert "North | 1235.75" in shown(company.shown(asked, "CSV"))


def confirm_user_sql(company: TeamsCompany) -> Cut:
    """Somebody's own SQL waits for a Yes."""
    asked = company.ask("SELECT name FROM regions", where="ana")
    approval = company.offered(asked, "Run")
    yield None
    yield asked
    company.press(approval, "Run")
    company.shown(asked, "CSV")


def show_results(company: TeamsCompany) -> Cut:
    """A page of rows is shown: its next one, and its file, come from the next process."""
    asked, table = company.ran(NUMBERS, "bob", "bob")
    yield None
    yield asked
    company.press(table, "Next", "bob")
    company.teams.wait(lambda: "rows 21 to 40" in shown(table))
    assert fetched(company, file_of(company, table, "bob"))[0] == 200


def done(company: TeamsCompany) -> Cut:
    """The talk is over; the next question in its thread begins another."""
    asked, table = company.ran(NUMBERS)
    company.press(table, "Done")
    company.shown(asked, "Mention me for")
    yield None
    yield asked
    company.ask("revenue by region?", thread=asked)
    company.offered(asked, "Run")


def read_schema(company: TeamsCompany) -> Cut:
    """The database does not say which tables it has; the next process looks again by itself."""
    yield None
    asked = company.ask("How many measurements?", "lars")
    company.shown(asked, "Reading the schema")
    yield asked
    company.shown(asked, "Run on Large")


def write_sql(company: TeamsCompany) -> Cut:
    """The model is writing; the next process has it write again by itself."""
    asked = company.ask("revenue by region, slowly?")
    company.shown(asked, "Writing the SQL")
    company.teams.wait(lambda: any("slowly" in each for each in company.model.prompts))
    yield None
    yield asked
    company.shown(asked, "Run on Shop")


def check_sql(company: TeamsCompany) -> Cut:
    """Edited SQL is being checked."""
    asked = company.ask("revenue by region?")
    company.press(company.offered(asked, "Edit"), "Edit", dialogs=False)
    form, field = _form(company, asked)
    yield None
    company.teams.press(form, "Check it", user="ana", fill={field: "SELECT name FROM regions"})
    company.shown(asked, "Checking the SQL")
    yield asked
    company.shown(asked, INTERRUPTED)

    def checked() -> str:
        form, field = _form(company, asked)
        return company.press(form, "Check it", fill={field: "SELECT name FROM regions"})

    for _ in range(5):  # the form is drawn again for what was sent before the kill, and the one before it is old then
        _until_taken(checked)
        with suppress(TimeoutError):
            company.teams.wait(lambda: any("Name of regions" in each for each in company.said(asked)), 5)
            break
    company.offered(asked, "Run")


def execute_sql(company: TeamsCompany) -> Cut:
    """The query is running; it is not run again unasked."""
    asked = company.ask(SLOW)
    company.press(company.offered(asked, "Run"), "Run")
    company.shown(asked, "Running the query")
    yield None
    yield asked
    again = company.shown(asked, INTERRUPTED)
    assert "Run on Shop" in shown(again)
    _until_taken(lambda: company.press(again, "Cancel"))


def _taken_away(
    words: str, button: str, doing: str, then: Callable[[TeamsCompany, Message], object]
) -> Callable[[TeamsCompany], Cut]:
    """Return a talk in which something is made of a result, and can be made again after the kill."""

    def talk(company: TeamsCompany) -> Cut:
        asked, table = company.ran(words)
        yield None
        company.teams.press(table, button, user="ana")
        company.shown(asked, doing)
        yield asked
        company.shown(asked, INTERRUPTED)
        then(company, table)  # which keeps its buttons

    return talk


def share_result(company: TeamsCompany) -> Cut:
    """A private result is about to be shared; it is shared when the asker presses again."""
    asked = company.ask(NUMBERS, where="secret")
    company.press(company.offered(asked, "Run"), "Run")
    table = company.teams.wait_message("ana", "Share in channel", after=asked)
    yield None
    company.teams.press(table, "Share in channel", user="ana").wait()
    company.teams.submit("ana")
    company.teams.wait_message("ana", "Sharing the result", after=table)
    yield asked
    company.teams.wait_message("ana", INTERRUPTED, after=asked)
    assert not any("\n20\n" in each for each in company.said(asked))
    company.press(table, "Share in channel", sure="Everybody in this channel will see these rows.")
    company.shown(asked, "\n20\n")


def _file(company: TeamsCompany, table: Message) -> None:
    _until_taken(lambda: company.press(table, "CSV"))
    handed(company, table)


def _chart(company: TeamsCompany, table: Message) -> None:
    _until_taken(lambda: company.press(table, "Chart"))
    company.teams.wait_message("General", "South 14", after=table)


TALKS: dict[Stage, Callable[[TeamsCompany], Cut]] = {
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
    Stage.WRITE_FILE: _taken_away("SELECT name FROM regions", "CSV", "Writing the file", _file),
    Stage.DRAW_CHART: _taken_away("SELECT name, id * 7 AS weight FROM regions", "Chart", "Drawing the chart", _chart),
    Stage.SHARE_RESULT: share_result,
    Stage.READ_SCHEMA: read_schema,
    Stage.EXECUTE_SQL: execute_sql,
}
