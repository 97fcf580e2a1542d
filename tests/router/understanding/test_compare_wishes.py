"""Sentences that ask for a comparison of two queries, and those that only begin like it."""

import pytest

from router.understanding.compare_wishes import CompareWish, Phrase, comparison_of

CONNECTIONS = {
    "sample": "sample",
    "tarn & trail (sample company)": "sample",
    "warehouse": "warehouse",
    "warehouse copy (sample)": "warehouse",
    "prod": "prod",
    "production": "prod",
}
TABLES = frozenset({"orders", "orders_archive", "customers"})


def compared(text: str) -> CompareWish | None:
    return comparison_of(text, CONNECTIONS, lambda: TABLES)


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        ("compare orders in prod and warehouse", ("prod", "orders"), ("warehouse", "orders")),
        ("Compare the orders in Production with the customers in Warehouse.", ("prod", "the orders"), None),
        ("Is the warehouse copy the same as production?", ("warehouse", ""), ("prod", "")),
        ("is warehouse the same as the sample company?", ("warehouse", ""), ("sample", "")),
        ("what is the difference between orders in the prod database and Tarn & Trail?", ("prod", "orders"), None),
        ("compare orders with orders_archive", ("", "orders"), ("", "orders_archive")),
        ("compare revenue of the copy with that of the company", ("warehouse", "revenue"), ("sample", "revenue")),
        (
            "compare orders from March in Production with orders from March in Warehouse",
            ("prod", "orders from March"),
            ("warehouse", "orders from March"),
        ),
        (
            "compare orders on hold in prod with the warehouse",
            ("prod", "orders on hold"),
            ("warehouse", "orders on hold"),
        ),
        ("please compare customers in produ and the warehouse db", ("prod", "customers"), ("warehouse", "customers")),
    ],
)
def test_both_sides_are_told(text: str, left: tuple[str, str], right: tuple[str, str] | None) -> None:
    """A database may be called by its name, its label, or words of these that no other one has."""
    found = compared(text)
    assert found is not None
    assert Phrase(*left) == found.left
    if right is not None:
        assert Phrase(*right) == found.right
    assert {"prod", "warehouse", "sample", ""} >= {found.right.connection}


@pytest.mark.parametrize("text", ["compare this with orders in warehouse", "is this the same as customers?"])
def test_the_result_on_show_is_a_side(text: str) -> None:
    """Then only the other query is left to be named."""
    found = compared(text)
    assert found is not None
    assert found.shown


@pytest.mark.parametrize(
    "text",
    [
        "compare revenue by region and year",
        "compare sales in Germany and France",
        "compare orders in 2023 and 2024",
        "is revenue the same as turnover?",
        "compare the sample and",
        "what's the difference between gross and net?",
        "compare",
        "compare " + "x" * 400 + " and y",
    ],
)
def test_other_sentences_are_questions(text: str) -> None:
    """The word alone is not enough."""
    assert compared(text) is None


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("compare orders in prod and warehuose", "warehuose"),
        ("compare orders in lakke with orders in prod", "lakke"),
        ("is orders in prod the same as those in the lakke?", "lakke"),
        ("compare orders in prod with orders_archive", ""),
        ("compare orders in prod and last year", None),
        ("compare revenue in prod and returns", None),
    ],
)
def test_a_database_that_nobody_knows(text: str, unknown: str | None) -> None:
    """It is told by a known table that is named beside a known database."""
    found = compared(text)
    assert unknown == (found.unknown if found else None)
