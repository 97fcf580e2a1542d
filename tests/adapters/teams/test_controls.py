"""What is answered in cards of Teams, and how the answer is read."""

from hypothesis import given, settings

from adapters.rendering.controls import QuestionRef, asked_from
from adapters.teams.controls import (
    CHOOSE,
    PRESS,
    answers_in,
    data_of,
    draw_ask,
    entries_of,
    menu_id,
)
from adapters.teams.dialogs import told_dialog
from adapters.teams.drawing import Element
from adapters.teams.forms import (
    TOO_LONG,
    draw_form,
    field_id,
    form_dialog,
    values_in,
)
from router.cards import Buttons, Choice, Field, Form, Option, Reply
from router.memory.thread import ThreadKey
from tests.support.replies import QUICK, choices

KEY = ThreadKey("teams", "tenant", "a:1f/2", "")
ASKED = QuestionRef(KEY, 5, 0)
TABLES = Choice("Which?", tuple(Option(f"menu:{n}", f"table {n}") for n in range(300)), True, ("menu:7", "menu:250"))


def chooser_of(choice: Choice) -> Element:
    """Return the input of a menu."""
    return next(each for each in draw_ask(choice, ASKED, 4) if each["type"] == "Input.ChoiceSet")


def test_a_long_menu_asks_while_the_person_types() -> None:
    """It names the question; what is ticked is among the few entries that it has all the same."""
    chooser = chooser_of(TABLES)
    assert asked_from(chooser["choices.data"]["dataset"]) == ASKED
    assert [each["value"] for each in chooser["choices"]][:3] == ["menu:7", "menu:250", "menu:0"]
    assert len(chooser["choices"]) == 20
    assert "choices.data" not in chooser_of(Choice("Which?", TABLES.options[:100]))


def test_an_answer_comes_back_as_the_router_knows_it() -> None:
    """From a button, from a menu of one and from a menu of several."""
    ways = Buttons("", (Option("yes", "Run"), Option("no, not yet", "Wait")))
    reply = Reply((ways, TABLES, Choice("", (Option("menu:a", "a"), Option("", "none")))), turn=5)
    assert answers_in(reply, data_of(ASKED, PRESS, "yes")) == ("yes",)
    assert answers_in(reply, data_of(ASKED, PRESS, "#1")) == ("no, not yet",)
    assert answers_in(reply, data_of(ASKED, CHOOSE) | {menu_id(0): "yes"}) == ("yes",)
    many = data_of(QuestionRef(KEY, 5, 1), CHOOSE) | {menu_id(1): "menu:3,menu:77,menu:evil"}
    assert answers_in(reply, many) == ("menu:3", "menu:77")
    assert answers_in(reply, data_of(QuestionRef(KEY, 5, 2), CHOOSE) | {menu_id(2): "#1"}) == ("",)
    assert answers_in(reply, data_of(QuestionRef(KEY, 5, 2), CHOOSE)) == ()
    assert answers_in(reply, data_of(QuestionRef(KEY, 5, 9), PRESS, "yes")) == ()


@settings(deadline=None, phases=QUICK)
@given(choices())
def test_every_entry_leads_to_its_answer(choice: Choice) -> None:
    """Whatever the answers are, and how many come in one string."""
    found = entries_of(choice.options)
    data = data_of(ASKED, CHOOSE) | {menu_id(0): ",".join(each["value"] for each in found)}
    many = Reply((Choice(choice.prompt, choice.options, many=True),), turn=5)
    assert answers_in(many, data) == tuple(option.answer for option in choice.options)


def test_a_form_comes_back_by_the_names_of_its_fields() -> None:
    """A field that was left empty, or was not sent, is an empty text."""
    form = Form("Edit", (Field("sql", "SQL", "code"), Field("why", "Why", optional=True)))
    assert values_in(form, 2, {field_id(2, "sql"): "SELECT 1", field_id(0, "why"): "no"}) == {
        "sql": "SELECT 1",
        "why": "",
    }


def test_what_stands_aside_is_behind_the_dots() -> None:
    """In their order; a group is a menu of its own, or named by its group where it stands aside."""
    options = (
        Option("chart", "Chart"),
        Option("csv", "CSV", group="Download"),
        Option("xlsx", "Excel", group="Download"),
        Option("done", "Done", overflow=True),
    )
    (row,) = draw_ask(Buttons("", options), ASKED, 4)
    chart, download, done = row["actions"]
    assert (chart["title"], chart.get("mode")) == ("Chart", None)
    assert (download["type"], download["title"]) == ("Action.ShowCard", "Download ▾")
    assert [each["title"] for each in download["card"]["body"][0]["actions"]] == ["CSV", "Excel"]
    assert (done["title"], done["mode"]) == ("Done", "secondary")
    (row,) = draw_ask(Buttons("", options), ASKED, 1)
    assert [each["title"] for each in row["actions"]] == ["Chart", "Download CSV", "Download Excel", "Done"]


def test_a_field_says_when_it_applies() -> None:
    """Teams shows all fields at all times; whatever has no place in it keeps its value."""
    every = Field(
        "every", "How often", "radio", "day", options=(Option("day", "Every day"), Option("week", "Every week"))
    )
    day = Field("day", "On which day", when=("every", ("week",)))
    form = Form("Repeat", (every, day, Field("where", "Where", "channel", "19:c")))
    radio, line, _ = draw_form(form, ASKED, 9_000).elements[1:]
    assert (radio["style"], line["label"]) == ("expanded", "On which day (only for: Every week)")
    assert values_in(form, 0, {radio["id"]: "week", line["id"]: "mon"}) == {
        "every": "week",
        "day": "mon",
        "where": "19:c",
    }
    assert form_dialog(Form("Edit", (Field("sql", "SQL", "code", "x" * 90_000),)), ASKED, "1") == told_dialog(TOO_LONG)
