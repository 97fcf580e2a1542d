"""The division of questions into parts, by rules and by a model that is believed or not."""

from datetime import date

import pytest

from router.errors import AgentAway, AgentFailed, Stopped
from router.text_to_sql.agents import Division, analyse, operation_of
from router.text_to_sql.question import Operation, Question
from tests.router.text_to_sql.scripted import Scripted, sql_task
from tests.support.trade import trade

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Compare revenue this month and last month by category", "beside"),
        ("Revenue this year and last year by region?", "beside"),
        ("Did we sell more this month than last month?", "beside"),
        ("Online versus store orders by month", "beside"),
        ("How many customers and how many products are there?", "beside"),
        ("For each region, the number of customers and the number of orders", "beside"),
        ("What is the ratio of orders to customers?", "ratio"),
        ("Ratio between open orders and paid orders by region", "ratio"),
        ("What is the difference between orders this year and last year?", "difference"),
    ],
)
def test_what_is_divided(text: str, expected: Operation) -> None:
    """Comparisons, ratios, differences, and totals of several tables."""
    assert operation_of(Question(text, TODAY), trade()) == expected


@pytest.mark.parametrize(
    "text",
    [
        "How many orders?",
        "Total amount by region this month",
        "Which customers ordered this year and last year?",
        "Orders from last month to this month",
        "Names of customers and their countries",
        "Total amount and average amount by status",
        "The number of orders and the number of open orders",
        "What is the pixel aspect ratio of each channel?",
        "Ratio of population per area for each state",
        "Difference between the highest and the lowest amount",
        "Top 5 customers this year and last year",
        "Compare orders",
        "Compare orders this month and last month. Then show the customers.",
        "Days between the first and the last order",
        f"Compare {'x ' * 200} and y",
    ],
)
def test_what_is_not_divided(text: str) -> None:
    """One statement does it, or does it better."""
    assert operation_of(Question(text, TODAY), trade()) is None


def analysed(text: str, *parts: str, error: Exception | None = None) -> Division | None:
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
    assert found == Division(
        (("Revenue t", "Revenue this month by category"), ("What is t", "What is the revenue last month by category")),
        "beside",
    )


@pytest.mark.parametrize(
    "parts",
    [
        ("How many orders?", "How many regions?"),  # says something else
        ("How many orders?", "How many customers?"),  # leaves something out
        ("How many open orders?", "How many open orders?"),
        ("How many open orders?", "How many customers?", "How many open customers?"),  # a ratio has two
    ],
)
def test_a_division_that_does_not_say_the_question_is_not_believed(parts: tuple[str, ...]) -> None:
    """The question is then answered as a whole."""
    assert analysed("What is the ratio of open orders to customers?", *parts) is None


def test_each_time_belongs_to_one_part() -> None:
    """Two times in one part would compare nothing."""
    text = "Compare revenue this month and last month"
    assert analysed(text, "Revenue this month and last month", "Revenue last month") is None
    assert analysed(text, "Revenue this month", "Revenue last month") is not None


def test_a_simple_question_asks_no_model() -> None:
    """It costs nothing."""
    assert analysed("How many orders?", error=AssertionError("asked")) is None


def test_a_model_that_cannot_divide_leaves_the_question_whole() -> None:
    """So does one that knows no answers of a shape; a person who stops ends the work."""
    text = "What is the ratio of orders to customers?"
    assert analysed(text, error=AgentFailed("no JSON")) is None
    assert analysed(text, error=AgentAway("response_format is not known")) is None
    with pytest.raises(Stopped):
        analysed(text, error=Stopped("Stopped, as you asked."))
