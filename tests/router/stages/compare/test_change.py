"""The form of a comparison: sent with the press that opened it, or asked; stale, wrong, wide, or of a few fields."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.rendering.controls import QuestionRef
from adapters.slack.modals import view_of
from adapters.teams.forms import form_dialog
from router.cards import Buttons, Option
from router.memory.comparing import ComparedColumns, MatchedColumns, Tolerances
from router.memory.stage import Stage
from router.memory.thread import Tasks
from router.turn import Filled
from tests.router.stages.compare.test_columns import columns_of, fields, keys_of, looked
from tests.router.stages.compare.test_forms import ORDERS, tolerances_of
from tests.support.talk import KEY, Talk


def model() -> Any:
    raise AssertionError("no model is asked")


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Iterator[Talk]:
    talk = Talk(tmp_path, model, ("shop", "backup", "depot"))
    looked(talk, ORDERS, ORDERS)
    yield talk
    talk.close()


def button(talk: Talk, answer: str = "change") -> Option:
    """Return the button that opens the form."""
    every = (o for card in talk.replies[-1].cards if isinstance(card, Buttons) for o in card.options)
    return next(option for option in every if option.answer == answer)


def send(talk: Talk, answer: str = "change", turn: int | None = None, **values: str) -> str:
    """Send the form that a button opened, as it was shown but for these values; returns why it was refused."""
    form = button(talk, answer).form
    assert form
    shown = {field.name: field.value for field in form.fields}
    return talk.send(Filled(shown | values, talk.memory.turn if turn is None else turn, answer))[-1].refused


def test_the_form_of_the_button(talk: Talk) -> None:
    """It has all that can be changed, and one press leads back to the card with the new plan."""
    assert "" == send(talk, report="all", k0="1", k1="0", apart="0,5", name="Orders", table="kept", database="backup")
    comparing = talk.memory.tasks.comparing
    assert comparing
    assert (Stage.CONFIRM_COMPARE_SQL, "all", [1, 0]) == (talk.stage, comparing.reporting, keys_of(talk))
    assert (Tolerances(0.5), "Orders") == (comparing.tolerances, comparing.name)
    assert ("backup", "main", "kept") == (
        comparing.target.connection,
        comparing.target.schema,
        comparing.target.table,
    )
    form = button(talk).form
    assert form
    assert [
        "report",
        "k0",
        "k1",
        "k2",
        "apart",
        "blanks",
        "fold",
        "precision",
        "empty",
        "name",
        "table",
        "database",
    ] == [field.name for field in form.fields[:-3]]
    assert "main.kept" == next(field.value for field in form.fields if field.name == "table")


def test_the_form_of_the_look(talk: Talk) -> None:
    """Map by hand opens the same form; a new pair is looked at, and the card comes."""
    talk.say("restart")
    looked(talk, "SELECT id, total, status FROM orders", "SELECT id AS number, total FROM orders")
    assert button(talk, "map").form
    send(talk, "map", c0="0", k0="0", report="summary")
    assert Stage.CONFIRM_COMPARE_SQL == talk.stage
    assert ("id / number", [0]) == (columns_of(talk).names[0], keys_of(talk))


def test_a_wrong_field(talk: Talk) -> None:
    """The form is asked with what is wrong at its field, and all that was sent stays; then it is taken."""
    send(talk, report="columns", apart="much", c1="out", name="Mine")
    form = fields(talk)
    assert Stage.WAITING_MAP_TABLE == talk.stage
    assert ["apart"] == [name for name, field in form.items() if field.problem]
    assert ("columns", "much", "out", "Mine") == tuple(form[name].value for name in ("report", "apart", "c1", "name"))
    talk.fill(**{name: field.value for name, field in form.items()} | {"apart": ""})
    comparing = talk.memory.tasks.comparing
    assert comparing
    assert (Stage.CONFIRM_COMPARE_SQL, "Mine", {}) == (talk.stage, comparing.name, comparing.filled)
    assert "status" not in str(columns_of(talk).names)


def test_a_form_that_was_left(talk: Talk) -> None:
    """What was wrong in it is not in the next one."""
    send(talk, apart="much")
    talk.press("back")
    form = button(talk).form
    assert form
    assert "much" not in str(form)


def test_a_stale_form(talk: Talk) -> None:
    """Where the card was asked anew meanwhile, the form of the card before changes nothing, and says so."""
    turn = talk.memory.turn
    talk.say("only the summary")
    before = talk.memory.tasks
    assert send(talk, turn=turn, report="all")
    assert (Stage.CONFIRM_COMPARE_SQL, before) == (talk.stage, talk.memory.tasks)


def test_totals_have_no_key(talk: Talk) -> None:
    """Their key is hidden, so that nothing is wrong with it; what is compared of it stays."""
    form = button(talk).form
    assert form
    (key,) = {field.when for field in form.fields if field.name.startswith("k")}
    assert ("report", ("summary", "columns", "differences", "all")) == key
    send(talk, report="aggregates", c0="out")
    assert (Stage.CONFIRM_COMPARE_SQL, []) == (talk.stage, keys_of(talk))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("nightly.kept", "You can't write to a schema “nightly” in Depot. There are: main, archive."),
        ("archive.", "That can't be a table's name."),
        ("ok", "That can't be a table's name."),
    ],
)
def test_a_table_that_is_none(talk: Talk, table: str, said: str) -> None:
    """Its field says so."""
    send(talk, table=table, database="depot")
    assert said in fields(talk)["table"].problem


@pytest.mark.parametrize(
    ("table", "place"),
    [
        ("kept", ("main", "kept")),
        ("Archive.kept", ("archive", "kept")),
        ('"nightly.kept"', ("main", "nightly.kept")),
        ("order differences", ("main", "order differences")),
    ],
)
def test_a_table_and_its_schema(talk: Talk, table: str, place: tuple[str, str]) -> None:
    """The schema stands before the first dot, or it is the default one; quotes hold a name together."""
    send(talk, table=table, database="depot")
    comparing = talk.memory.tasks.comparing
    assert comparing
    assert place == (comparing.target.schema, comparing.target.table)
    send(talk, report="all")
    again = talk.memory.tasks.comparing
    assert again
    assert comparing.target == again.target
    send(talk, table="")
    assert "Its rows go to" not in str(talk.replies[-1].cards)


def test_a_database_that_is_away(talk: Talk) -> None:
    """It is said at the field, and nothing that was filled in is lost."""
    (talk.folder / "depot.duckdb").unlink()
    send(talk, table="kept", database="depot", report="all")
    form = fields(talk)
    assert "Depot is away" in form["table"].problem
    assert "all" == form["report"].value


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("0.01", Tolerances(0.01)),
        ("1 %, case", Tolerances(relative=0.01, fold=True)),
        ("within 2 percent", Tolerances(relative=0.02)),
    ],
)
def test_tolerances_typed_at_the_form(talk: Talk, typed: str, expected: Tolerances) -> None:
    """A line that says what does not count is taken as it is at the card."""
    talk.press("change")
    talk.say(typed)
    assert (Stage.CONFIRM_COMPARE_SQL, expected) == (talk.stage, tolerances_of(talk))


@pytest.mark.parametrize("name", ["n{}", "a_rather_long_name_of_a_column_{}", "x" * 120 + "{}"])
@pytest.mark.parametrize("width", [1, 12, 20, 40, 300])
def test_a_wide_form_can_be_drawn(talk: Talk, name: str, width: int) -> None:
    """Slack takes 100 blocks, and Teams 70 kB; columns that nothing was found for are asked first."""
    names, memory = tuple(name.format(n) for n in range(width)), talk.memory
    pairs = tuple(MatchedColumns(n, n) for n in range(width) if n < width - 1 or not n)
    columns = ComparedColumns(names, names, pairs, (0,))
    comparing = memory.tasks.comparing
    assert comparing
    memory.tasks = Tasks(comparing=replace(comparing, columns=columns))
    talk.store.save(KEY, memory)
    talk.open()
    form, asked = button(talk).form, QuestionRef(KEY, 1, 0)
    assert form
    assert f"c{width - 1}" in [field.name for field in form.fields]
    assert all(field.value in [option.answer for option in field.options] for field in form.fields if field.options)
    drawn = view_of(form, asked, "change")
    assert drawn
    assert len(drawn["blocks"]) <= 100
    assert form_dialog(form, asked, "m", "change")
