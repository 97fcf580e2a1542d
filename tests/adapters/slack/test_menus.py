"""Entries of menus."""

import pytest
from hypothesis import given

from adapters.rendering.controls import answers_of
from adapters.slack.menus import matching, options_of
from router.cards import Choice, Option
from tests.platforms.slack.kit.payload import options_problems
from tests.support.replies import choices

TABLES = Choice(
    "Which?",
    tuple(Option(f"menu:{name}", name) for name in ("customers", "lost_orders", "orders", "order_items", "borders")),
    many=True,
)


def found(choice: Choice, typed: str) -> list[str]:
    """Return the labels found."""
    return [entry["text"]["text"] for entry in matching(choice, typed)]


@pytest.mark.parametrize(
    ("typed", "labels"),
    [
        ("", ["customers", "lost_orders", "orders", "order_items", "borders"]),
        ("ord", ["orders", "order_items", "lost_orders", "borders"]),
        ("ORDERS", ["orders", "lost_orders", "borders"]),
        ("items order", ["order_items"]),
        ("ers", ["customers", "lost_orders", "orders", "borders"]),
        ("nothing", []),
    ],
)
def test_the_best_matches_come_first(typed: str, labels: list[str]) -> None:
    """First what begins with the typed text, then what has words that begin so, then what holds it anywhere."""
    assert found(TABLES, typed) == labels


def test_a_value_that_the_menu_does_not_have_says_nothing() -> None:
    """A forged value, or one of an older menu, is no answer."""
    assert answers_of(TABLES.options, ["menu:orders", "menu:salaries", "#77", "#1"]) == ("menu:orders",)


@given(choices())
def test_every_entry_leads_back_to_its_answer(choice: Choice) -> None:
    """Whatever the answers are, each value stands for exactly one, and Slack takes the entries."""
    entries = options_of(choice)
    assert answers_of(choice.options, [entry["value"] for entry in entries]) == tuple(o.answer for o in choice.options)
    assert options_problems({"options": matching(choice, "")}) == []
