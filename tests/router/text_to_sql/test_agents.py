"""The division of questions into parts, by rules and by a model that is believed or not."""

from datetime import date

import pytest

from router.errors import AgentAway, AgentFailed, Stopped
from router.text_to_sql.agents import Parts, analyse, is_comparison
from router.text_to_sql.question import Question
from tests.router.text_to_sql.scripted import Scripted, sql_task

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    "text",
    [
        "Compare revenue this month and last month by category",
        "Compare revenue this month vs last month by category",
        "Comparison of orders this year to last year",
        "Online versus store orders by month",
    ],
)
def test_what_is_divided(text: str) -> None:
    """Comparisons of several results."""
    assert is_comparison(text)


@pytest.mark.parametrize(
    "text",
    [
        "How many orders?",
        "Total amount by region this month",
        "Which customers ordered this year and last year?",
        "What is the ratio of orders to customers?",
        "Top 5 customers this year versus last year",
        "Compare orders",
        "Compare orders this month and last month. Then show the customers.",
        f"Compare {'x ' * 200} and y",
    ],
)
def test_what_is_not_divided(text: str) -> None:
    """One statement does it, or does it better."""
    assert not is_comparison(text)


def analysed(text: str, *parts: str, error: Exception | None = None) -> Parts:
    model = Scripted([], [error or {"parts": [{"name": part[:9], "question": part} for part in parts]}])
    found = analyse(sql_task(Question(text, TODAY), model=model))
    assert all(user.endswith(f"Question: {text}") for _, user in model.filled)
    return found


def test_the_parts_are_the_models_and_their_rows_are_for_the_same() -> None:
    """A small model says "by category" once; each part has to say it."""
    found = analysed(
        "Compare revenue this month and last month by category",
        "Revenue this month by category",
        "What is the revenue last month?",
    )
    assert found == (
        ("Revenue t", "Revenue this month by category"),
        ("What is t", "What is the revenue last month by category"),
    )


@pytest.mark.parametrize(
    "parts",
    [
        ("How many orders?", "How many regions?"),  # says something else
        ("How many orders?", "How many customers?"),  # leaves something out
        ("How many open orders?", "How many open orders?"),
    ],
)
def test_a_division_that_does_not_say_the_question_is_not_believed(parts: tuple[str, ...]) -> None:
    """The question is then answered as a whole."""
    assert analysed("Compare open orders to customers", *parts) == ()


def test_a_model_that_cannot_divide_leaves_the_question_whole() -> None:
    """So does one that knows no answers of a shape; a person who stops ends the work."""
    text = "Compare orders to customers"
    assert analysed(text, error=AgentFailed("no JSON")) == ()
    assert analysed(text, error=AgentAway("response_format is not known")) == ()
    with pytest.raises(Stopped):
        analysed(text, error=Stopped("Stopped, as you asked."))
