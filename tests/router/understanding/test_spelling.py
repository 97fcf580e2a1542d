"""Typing errors in what people ask."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.understanding.spelling import Correction, corrected
from tests.router.understanding.shop_words import WORDS


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("reveneu by regoin", "revenue by region"),
        ("Reveneu by region", "Revenue by region"),
        ("how mnay cutsomers are there", "how many customers are there"),
        ("ordes per monht", "orders per month"),
        ("top 10 prodcuts by reveune", "top 10 products by revenue"),
        ("shwo me the employes", "show me the employees"),
        ("averge salery by job titel", "average salary by job title"),
        ("withuot the canceled ones", "without the canceled ones"),
        ("onyl 2024", "only 2024"),
        ("last yaer", "last year"),
        ("total shiping cost by carier", "total shipping cost by carrier"),
        ("list of tickts with piority urgent", "list of tickets with priority urgent"),
        ("teh same for 2023", "the same for 2023"),
        ("wich suppliers", "which suppliers"),
        ("quaterly revenue", "quarterly revenue"),
        ("compaer to last year", "compare to last year"),
        ("descnding", "descending"),
    ],
)
def test_put_right(typed: str, meant: str) -> None:
    """What can only be one word is put right."""
    words = WORDS | {"shipping"}
    assert meant == corrected(typed, words)[0]


@pytest.mark.parametrize(
    "typed",
    [
        "and by moth?",
        "prize of products",
        "coast per order",
        "trial orders",
        "reason",
        "stores in Milano",
        "what about Zurich",
        "Kestrel Mountan Bike",
        "orders from 'Zuerihc'",
        'customers with the note "custmer"',
        "customers named smtih",
        "customers called ordes",
        "does anna work here",
        "mail of ana.ordes@example.com",
        "column cust_ordes",
        "orders123",
        "www.ordes.com/regoin",
        "Umsatz pro Regoin",
        "ventas por regoin",
        "chiffre d'affaires par regoin",
        "are there orders without a shipment",
        "abort my export, I asked for the wrong year",
        "show me new joiners",
        "",
    ],
)
def test_left_alone(typed: str) -> None:
    """Names, values, what is quoted, words that exist and other languages stay as they are."""
    assert (typed, ()) == corrected(typed, WORDS)


def test_values_are_left_alone() -> None:
    """A value of the database is no misspelt word, though it looks like one."""
    assert (
        "orders of hikng"
        == corrected("ordes of hikng", WORDS, lambda text: frozenset({"a.b"} if text == "hikng" else ()))[0]
    )


def test_what_was_put_right_is_told() -> None:
    """Each correction says what was typed and what was meant."""
    _, corrections = corrected("reveneu by regoin", WORDS)
    assert (Correction("reveneu", "revenue"), Correction("regoin", "region")) == corrections


def test_what_cannot_be_told_apart_is_left() -> None:
    """Where two words are as near, neither is taken."""
    assert ("boxes by colsr", ()) == corrected("boxes by colsr", {"boxes", "color", "coler", "colss"})


@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(sorted(WORDS)), max_size=9).map(" ".join)))
def test_any_text(text: str) -> None:
    """Words of the database are never changed, nothing is raised, and a second look changes nothing more."""
    once, _ = corrected(text, WORDS)
    assert corrected(once, WORDS)[0] == once
    if set(text.split()) <= WORDS:
        assert text == once
