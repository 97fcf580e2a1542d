"""Clauses that only stand around a wish, and those that say what is wanted, in four languages."""

import pytest

from router.understanding.clauses import clauses_of, is_courtesy

NAMES = frozenset({"orders", "customers", "stores"})


@pytest.mark.parametrize(
    "clause",
    [
        "question 17",
        "only the Munich store",
        "but without returns",
        "for Germany",
        "since January",
        "the boss wants it by month",
        "if they ordered in May",
        "aber ohne Retouren",
        "sans les retours",
        "sin devoluciones",
        "cancel it",
        "today",
        "",
    ],
)
def test_what_is_content(clause: str) -> None:
    assert not is_courtesy(clause, NAMES)


def test_where_clauses_end() -> None:
    """They end at marks, and before a reason of the person who writes."""
    text = "stores by country because I need it, but only 2024"

    assert ["stores by country", "because I need it", "but only 2024"] == [text[at:end] for at, end in clauses_of(text)]
