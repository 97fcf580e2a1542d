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
from router.memory.comparing import ComparedColumns, ComparedPair, Comparing, Tolerances
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
    sent = {"reporting": "all", "k0": "1", "k1": "0", "absolute": "0,5", "relative": "1", "fold": "True"}
    assert "" == send(talk, **sent, name="Orders", table="kept", database="backup")
    comparing = comparing_in(talk)
    assert (Stage.CONFIRM_COMPARE_SQL, "all", [1, 0]) == (talk.stage, comparing.reporting, keys_of(talk))
    assert (Tolerances(0.5, 0.01, fold=True), "Orders") == (comparing.tolerances, comparing.name)
    assert ("backup", "kept") == (comparing.database, comparing.table)
    shown = {field.name: field.value for field in form_of(talk).fields}
    assert ["reporting", "k0", "k1", "k2", "absolute", "relative", "blanks", "fold", "precision"] == list(shown)[:9]
    assert ("kept", "0.5", "1", "1") == (shown["table"], shown["absolute"], shown["relative"], shown["k0"])


@pytest.mark.parametrize("amount", ["1,000", "1%", "much", "-1", "1 or 2"])
def test_a_wrong_field(talk: Talk, amount: str) -> None:
    """What is wrong is said, and stays as it was; all else that was sent is taken."""
    send(talk, reporting="columns", absolute=amount, c1="out", name="Mine")
    form = fields(talk)
    assert Stage.WAITING_MAP_TABLE == talk.stage
    assert ["absolute"] == [name for name, field in form.items() if field.problem]
    assert f"“{amount}” is no number" in form["absolute"].problem
    assert ("columns", "", "out", "Mine") == tuple(form[name].value for name in ("reporting", "absolute", "c1", "name"))
    talk.fill(absolute="0,5")
    assert (Stage.CONFIRM_COMPARE_SQL, Tolerances(0.5)) == (talk.stage, comparing_in(talk).tolerances)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"c0": "1", "c1": "1"}, "A column is matched twice."),
        ({"c0": "out", "c1": "out", "c2": "out"}, "No columns are matched"),
        ({"name": "ok"}, "A job's name is one line"),
        ({"table": "ok"}, "That can't be a table's name."),
    ],
)
def test_what_cannot_be(talk: Talk, sent: dict[str, str], said: str) -> None:
    """It is said, and nothing of it is taken."""
    before = comparing_in(talk)
    send(talk, **sent)
    assert (Stage.WAITING_MAP_TABLE, before.columns) == (talk.stage, comparing_in(talk).columns)
    assert said in str(talk.replies[-1].cards)


def test_a_stale_form(talk: Talk) -> None:
    """Where the card was asked again meanwhile, the form of the card before changes nothing, and says so."""
    turn = talk.memory.turn
    talk.say("only the summary")
    before = talk.memory.tasks
    assert send(talk, turn=turn, reporting="all")
    assert (Stage.CONFIRM_COMPARE_SQL, before) == (talk.stage, talk.memory.tasks)


def test_typed_patches(talk: Talk) -> None:
    """A sentence changes the fields that it names, at the card and at the form; what it cannot be changes nothing."""
    talk.say("leave out status")
    assert ("id", "total") == columns_of(talk).names
    talk.press("change")
    talk.say("only the summary")
    assert (Stage.CONFIRM_COMPARE_SQL, [0]) == (talk.stage, keys_of(talk))
    assert "summary" == comparing_in(talk).reporting
    before = talk.memory.tasks
    assert "so nothing was changed" in talk.say("swap them")
    assert before == talk.memory.tasks


@pytest.mark.parametrize("name", ["n{}", "a_rather_long_name_of_a_column_{}", "x" * 120 + "{}"])
@pytest.mark.parametrize("width", [1, 12, 40, 300])
def test_a_wide_form_can_be_drawn(talk: Talk, name: str, width: int) -> None:
    """Slack takes 100 blocks, and Teams 70 kB; columns that nothing was found for are asked first."""
    names, memory = tuple(name.format(n) for n in range(width)), talk.memory
    pairs = tuple(ComparedPair(n, n) for n in range(width) if n < width - 1 or not n)
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
