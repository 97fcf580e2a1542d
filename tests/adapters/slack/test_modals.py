"""Forms as modals."""

from hypothesis import given, settings

from adapters.rendering.controls import QuestionRef, asked_from
from adapters.slack.menus import FORM
from adapters.slack.modals import values_of, view_of
from router.cards import Field, Form, Option
from tests.platforms.slack.kit.payload import view_problems
from tests.support.hypothesis_examples import examples
from tests.support.replies import KEY, QUICK, forms

ASKED = QuestionRef(KEY, 3, 1)
EDIT = Form("Edit the SQL", (Field("sql", "SQL (one SELECT)", "code", "SELECT a < 5", problem="No such table."),))


def test_a_form_becomes_a_modal_that_knows_its_question() -> None:
    """The SQL stands in a field of several lines, what was wrong with it above, and the question's id goes along."""
    view = view_of(EDIT, ASKED)
    assert view is not None
    assert asked_from(view["private_metadata"]) == ASKED
    assert view["callback_id"] == FORM
    alert, field = view["blocks"]
    assert alert["text"]["text"] == "No such table."
    assert field["element"]["initial_value"] == "SELECT a < 5"
    assert field["element"]["multiline"]


def test_a_field_with_a_few_answers_is_a_menu() -> None:
    """The one that holds is chosen already, and what is chosen comes back by the field's name."""
    options = (Option("day", "Every day"), Option("week", "Every week"))
    view = view_of(Form("Repeat this", (Field("every", "How often", "menu", "week", options=options),)), ASKED)
    assert view is not None
    assert view_problems(view, "modal") == []
    element = view["blocks"][0]["element"]
    assert element["initial_option"] == element["options"][1]
    assert values_of({"every": {"every": {"selected_option": element["options"][0]}}}) == {"every": "day"}


def test_a_value_that_is_too_long_for_slack_makes_no_modal() -> None:
    """It would be cut in the modal, and sent back cut."""
    assert view_of(Form("Edit", (Field("sql", "SQL", "code", "x" * 3_001),)), ASKED) is None


@settings(max_examples=examples(60), deadline=None, phases=QUICK)
@given(forms)
def test_slack_takes_every_form(form: Form) -> None:
    """Whatever the form holds, its modal is valid, or there is none."""
    view = view_of(form, ASKED)
    problems = view_problems(view, "modal") if view else []
    assert problems == []
