"""The form of a comparison: sent with the press that opened it, asked, or patched by a sentence."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.rendering.controls import QuestionRef
from adapters.slack.modals import view_of
from adapters.teams.forms import form_dialog
from router.cards import Buttons, Form
from router.memory.comparing import ComparedColumns, Comparing, MatchedColumns, Tolerances
from router.memory.stage import Stage
from router.memory.thread import Tasks
from router.turn import Filled
from tests.router.stages.compare.test_columns import columns_of, fields, keys_of, looked
from tests.support.talk import KEY, Talk

ORDERS = "SELECT id, status, total FROM orders"


def model() -> Any:
    raise AssertionError("no model is asked")


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Iterator[Talk]:
    """A talk at the card of a comparison, with two databases that the rows can go to."""
    talk = Talk(tmp_path, model, ("shop", "backup", "depot"))
    looked(talk, ORDERS, ORDERS)
    yield talk
    talk.close()


def comparing_in(talk: Talk) -> Comparing:
    assert talk.memory.tasks.comparing
    return talk.memory.tasks.comparing


def form_of(talk: Talk, answer: str = "change") -> Form:
    """Return the form that a button opens."""
    every = (o for card in talk.replies[-1].cards if isinstance(card, Buttons) for o in card.options)
    form = next(option.form for option in every if option.answer == answer)
    assert form
    return form


def send(talk: Talk, answer: str = "change", turn: int | None = None, **values: str) -> str:
    """Send the form that a button opened, as it was shown but for these values; returns why it was refused."""
    shown = {field.name: field.value for field in form_of(talk, answer).fields}
    return talk.send(Filled(shown | values, talk.memory.turn if turn is None else turn, answer))[-1].refused


def test_the_form_of_the_button(talk: Talk) -> None:
    """It has all that can be changed, and one press leads back to the card with the new plan."""
    assert "" == send(talk, report="all", k0="1", k1="0", apart="0,5", name="Orders", table="kept", database="backup")
    comparing = comparing_in(talk)
    assert (Stage.CONFIRM_COMPARE_SQL, "all", [1, 0]) == (talk.stage, comparing.reporting, keys_of(talk))
    assert (Tolerances(0.5), "Orders") == (comparing.tolerances, comparing.name)
    target = comparing.target
    assert ("backup", "main", "kept") == (target.connection, target.schema, target.table)
    shown = {field.name: field.value for field in form_of(talk).fields}
    assert ["report", "k0", "k1", "k2", "apart", "blanks", "fold", "precision", "empty"] == list(shown)[:9]
    assert ("main.kept", "0.5", "1") == (shown["table"], shown["apart"], shown["k0"])


def test_the_form_of_the_look(talk: Talk) -> None:
    """Map by hand opens the same form; a new pair is looked at, and the card comes."""
    talk.say("restart")
    looked(talk, "SELECT id, total, status FROM orders", "SELECT id AS number, total FROM orders")
    send(talk, "map", c0="0", k0="0", report="summary")
    assert Stage.CONFIRM_COMPARE_SQL == talk.stage
    assert ("id / number", [0]) == (columns_of(talk).names[0], keys_of(talk))


@pytest.mark.parametrize("amount", ["1,000", "101%", "much", "-1", "1 or 2"])
def test_a_wrong_field(talk: Talk, amount: str) -> None:
    """The form is asked with what is wrong at its field, and all that was sent stays; then it is taken."""
    send(talk, report="columns", apart=amount, c1="out", name="Mine")
    form = fields(talk)
    assert Stage.WAITING_MAP_TABLE == talk.stage
    assert ["apart"] == [name for name, field in form.items() if field.problem]
    assert ("columns", amount, "out", "Mine") == tuple(form[name].value for name in ("report", "apart", "c1", "name"))
    talk.fill(**{name: field.value for name, field in form.items()} | {"apart": "0,5 or 1%"})
    comparing = comparing_in(talk)
    assert (Stage.CONFIRM_COMPARE_SQL, "Mine", {}) == (talk.stage, comparing.name, comparing.filled)
    assert Tolerances(0.5, 0.01) == comparing.tolerances
    assert "status" not in str(columns_of(talk).names)


def test_a_form_that_was_left(talk: Talk) -> None:
    """What was wrong in it is not in the next one."""
    send(talk, apart="much")
    talk.press("back")
    assert "much" not in str(form_of(talk))


def test_a_stale_form(talk: Talk) -> None:
    """Where the card was asked again meanwhile, the form of the card before changes nothing, and says so."""
    turn = talk.memory.turn
    talk.say("only the summary")
    before = talk.memory.tasks
    assert send(talk, turn=turn, report="all")
    assert (Stage.CONFIRM_COMPARE_SQL, before) == (talk.stage, talk.memory.tasks)


def test_totals_have_no_key(talk: Talk) -> None:
    """Their key is hidden, so that nothing is wrong with it; what is compared of it stays."""
    (key,) = {field.when for field in form_of(talk).fields if field.name.startswith("k")}
    assert ("report", ("summary", "columns", "differences", "all")) == key
    send(talk, report="aggregates", c0="out")
    assert (Stage.CONFIRM_COMPARE_SQL, []) == (talk.stage, keys_of(talk))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("nightly.kept", "You can't write to a schema “nightly” in Depot. There are: main, archive."),
        ("archive.", "That can't be a table's name."),
        ("ok", "That can't be a table's name."),
        ("kept", ("main", "kept")),
        ("Archive.kept", ("archive", "kept")),
        ('"nightly.kept"', ("main", "nightly.kept")),
    ],
)
def test_a_table_and_its_schema(talk: Talk, table: str, said: str | tuple[str, str]) -> None:
    """The schema stands before the first dot, or it is the default one; its field says what is wrong with a name."""
    send(talk, table=table, database="depot")
    if isinstance(said, str):
        assert said in fields(talk)["table"].problem
        return
    target = comparing_in(talk).target
    assert said == (target.schema, target.table)
    send(talk, report="all")
    assert target == comparing_in(talk).target
    send(talk, table="")
    assert "Its rows go to" not in str(talk.replies[-1].cards)


def test_a_database_that_is_away(talk: Talk) -> None:
    """It is said at the field, and nothing that was filled in is lost."""
    (talk.folder / "depot.duckdb").unlink()
    send(talk, table="kept", database="depot", report="all")
    form = fields(talk)
    assert "Depot is away" in form["table"].problem
    assert "all" == form["report"].value


def test_where_the_rows_go_typed_one_after_the_other(talk: Talk) -> None:
    """Where there is no form, the database, the table and the name of the job are asked for in turn."""
    talk.say("into a table")
    assert "type a database: Backup, Depot" in talk.say("somewhere")
    talk.say("depot")
    assert Stage.ASK_COMPARE_TABLE_NAME == talk.stage
    talk.say("kept_rows")
    assert Stage.ASK_COMPARE_JOB_NAME == talk.stage
    shown = talk.say("Second look")
    assert "Its rows go to `main.kept_rows` in Depot" in shown
    assert "Job: Second look" in shown


def test_typed_patches(talk: Talk) -> None:
    """A sentence changes the fields that it names, at the card and at the form; what it cannot be is said."""
    shown = talk.say("leave out status, they spell it badly")
    assert "Not used: they spell it badly." in shown
    assert ("id", "total") == columns_of(talk).names
    assert "so rows cannot be matched by it" in talk.say("leave out id")
    talk.press("change")
    talk.say("within 2 percent, only the summary")
    assert (Stage.CONFIRM_COMPARE_SQL, [0]) == (talk.stage, keys_of(talk))
    assert ("summary", Tolerances(relative=0.02)) == (comparing_in(talk).reporting, comparing_in(talk).tolerances)
    before = talk.memory.tasks
    assert "so nothing was changed" in talk.say("swap them")
    assert before == talk.memory.tasks


def test_back_keeps_what_was_chosen(talk: Talk) -> None:
    """Of the same two queries: the columns, what is tolerated, and the table for the rows."""
    send(talk, apart="5", table="kept", name="A name", database="backup")
    talk.say("into a table")
    talk.press("back")
    comparing = comparing_in(talk)
    assert (5.0, "kept", "A name") == (comparing.tolerances.absolute, comparing.target.table, comparing.name)


@pytest.mark.parametrize("name", ["n{}", "a_rather_long_name_of_a_column_{}", "x" * 120 + "{}"])
@pytest.mark.parametrize("width", [1, 12, 40, 300])
def test_a_wide_form_can_be_drawn(talk: Talk, name: str, width: int) -> None:
    """Slack takes 100 blocks, and Teams 70 kB; columns that nothing was found for are asked first."""
    names, memory = tuple(name.format(n) for n in range(width)), talk.memory
    pairs = tuple(MatchedColumns(n, n) for n in range(width) if n < width - 1 or not n)
    memory.tasks = Tasks(comparing=replace(comparing_in(talk), columns=ComparedColumns(names, names, pairs, (0,))))
    talk.store.save(KEY, memory)
    talk.open()
    form, asked = form_of(talk), QuestionRef(KEY, 1, 0)
    assert f"c{width - 1}" in [field.name for field in form.fields]
    assert all(field.value in [option.answer for option in field.options] for field in form.fields if field.options)
    drawn = view_of(form, asked, "change")
    assert drawn
    assert len(drawn["blocks"]) <= 100
    assert form_dialog(form, asked, "m", "change")
