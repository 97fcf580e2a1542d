"""Sentences that say which queries are compared, and those that only begin like it."""

import pytest

from router.memory.comparing import WishedSide
from router.understanding.compared_queries import CompareWish, Same, comparison_of, same_elsewhere
from tests.support.rows import every_row

CALLED = {
    "sample": "sample",
    "Tarn & Trail (sample company)": "sample",
    "warehouse": "warehouse",
    "Warehouse copy": "warehouse",
    "prod": "prod",
    "Production": "prod",
}
TABLES = frozenset({"orders", "orders_archive", "customers"})


def compared(text: str) -> CompareWish | None:
    return comparison_of(text, CALLED, lambda: TABLES)


def sides(text: str) -> tuple[tuple[str, str], tuple[str, str]] | None:
    found = compared(text)
    return found and ((found.left.connection, found.left.what), (found.right.connection, found.right.what))


@every_row(
    ("text", "expected"),
    [
        ("compare orders in prod and warehouse", (("prod", "orders"), ("warehouse", "orders"))),
        (
            "Compare the orders in Production with the customers in Warehouse.",
            (("prod", "orders"), ("warehouse", "customers")),
        ),
        (
            "what is the difference between orders in the prod database and Tarn & Trail?",
            (("prod", "orders"), ("sample", "orders")),
        ),
        ("compare orders with orders_archive", (("", "orders"), ("", "orders_archive"))),
        (
            "compare orders from March in Production with orders from March in Warehouse",
            (("prod", "orders from March"), ("warehouse", "orders from March")),
        ),
        (
            "compare orders on hold in prod with the warehouse",
            (("prod", "orders on hold"), ("warehouse", "orders on hold")),
        ),
        ("vergleiche orders in prod mit denen in warehouse", (("prod", "orders"), ("warehouse", "orders"))),
        ("compara orders en prod con warehouse", (("prod", "orders"), ("warehouse", "orders"))),
        ("compare revenue by region and year", None),
        ("compare sales in Germany and France", None),
        ("compare orders in 2023 and 2024", None),
        ("is revenue the same as turnover?", None),
        ("what's the difference between gross and net?", None),
        ("compare the sample and", None),
        ("compare", None),
        ("don't compare orders in prod with warehouse", None),
        ("compare orders in prod and last year", None),
        ("compare revenue in prod and returns", None),
        ("compare " + "x" * 400 + " and y", None),
    ],
)
def test_both_sides(text: str, expected: object) -> None:
    """The word alone is not enough: both sides name a database or a table that is there."""
    assert expected == sides(text)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("compare this with orders in warehouse", CompareWish(right=WishedSide("warehouse", "orders"), shown=True)),
        ("compare with Warehouse", CompareWish(right=WishedSide("warehouse"), shown=True)),
        ("vergleiche das mit prod", CompareWish(right=WishedSide("prod"), shown=True)),
        ("compare it with", None),
    ],
)
def test_the_result_on_show_is_a_side(text: str, wish: CompareWish | None) -> None:
    """Then only the other query is left to be named."""
    assert wish == compared(text)


@pytest.mark.parametrize(
    "text",
    [
        "compare orders in prod and warehuose",
        "compare orders in lakke with orders in prod",
        "are orders the same as customers?",
    ],
)
def test_what_is_asked_for(text: str) -> None:
    """A side that nobody knows, and other ways to say it, are no wish: the person is asked."""
    assert compared(text) is None


@every_row(
    ("typed", "expected"),
    [
        ("same question on the warehouse", ("question", "warehouse")),
        ("compare it with the same question in the warehouse please", ("question", "warehouse")),
        ("I'd like the same question for Tarn & Trail", ("question", "sample")),
        ("run exactly the same query against the warehouse database as well", ("sql", "warehouse")),
        ("dieselbe Frage an das Warehouse", ("question", "warehouse")),
        ("la même question sur warehouse", ("question", "warehouse")),
        ("la misma pregunta en el warehouse, por favor", ("question", "warehouse")),
        ("with the warehouse", ("either", "warehouse")),
        ("what about the warehouse?", ("either", "warehouse")),
        ("the same for 2023", None),
        ("the same on tarn", None),
        ("what is in the warehouse?", None),
        ("not the warehouse", None),
        ("with prod or warehouse", None),
        ("orders in the warehouse", None),
        ("the same", None),
        ("", None),
    ],
)
def test_the_same_elsewhere(typed: str, expected: tuple[Same, str] | None) -> None:
    """Another time, a value, a part of a name, or a question of its own is not the same elsewhere."""
    assert expected == same_elsewhere(typed, CALLED)
