"""Buttons in sight, in menus, and with forms."""

from adapters.rendering.controls import QuestionRef
from adapters.slack.controls import draw_buttons
from router.cards import Buttons, Option
from tests.platforms.slack.kit import message_problems
from tests.support.replies import KEY

ASKED = QuestionRef(KEY, 3, 1)
RESULT = Buttons(
    "",
    (
        Option("next", "Next"),
        Option("chart", "Chart"),
        Option("csv", "CSV", group="Download"),
        Option("xlsx", "Excel", group="Download"),
        Option("share", "Share", overflow=True, confirm="Share these rows?"),
        *(Option(word, word.title(), overflow=True) for word in ("write", "email", "repeat", "compare", "db", "done")),
    ),
    lasting=True,
)


def test_five_buttons_are_in_sight_and_the_rest_overflows() -> None:
    """What is asked about stands by itself; menus hold five entries, and Slack takes all of it."""
    blocks = draw_buttons(RESULT, ASKED).blocks
    assert message_problems(list(blocks)) == ("", [])
    elements = blocks[0]["elements"]
    assert [each["type"] for each in elements] == [*["button"] * 5, "overflow", "overflow"]
    assert [each["text"]["text"] for each in elements[:5]] == ["Next", "Chart", "CSV", "Excel", "Share"]
    assert elements[4]["confirm"]["text"]["text"] == "Share these rows?"
    assert [len(each["options"]) for each in elements[5:]] == [5, 1]


def test_a_button_for_some_people_is_hidden_from_others() -> None:
    """Addresses are no ids: where there is one, Slack hides nothing, and the press is checked alone."""
    mine = Buttons("", (Option("yes", "Run", only=("slack:U1",)), Option("no", "No", only=("slack:U1", "b@x.de"))))
    run, no = draw_buttons(mine, ASKED).blocks[0]["elements"]
    assert run["visible_to_user_ids"] == ["U1"]
    assert "visible_to_user_ids" not in no
