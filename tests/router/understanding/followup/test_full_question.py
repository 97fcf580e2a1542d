"""Messages that make sense after an earlier question only."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.understanding.followup.full_question import FOLLOWUP_MAX_CHARS, full_question, put_behind
from router.understanding.followup.previous import PreviousQuestion
from tests.router.understanding.followup.shop_words import WORDS
from tests.support.rows import every_row

FOLDER = Path(__file__).parent
AFTER: list[dict[str, Any]] = tomllib.loads((FOLDER / "full_questions.toml").read_text(encoding="utf-8"))["after"]
CASES = [(case["question"], case["sql"], *ask) for case in AFTER for ask in case["asks"]]
ALONE = (FOLDER / "alone.txt").read_text(encoding="utf-8").splitlines()
REVENUE = PreviousQuestion("Revenue by region", "SELECT region, SUM(amount) FROM orders GROUP BY region", names=WORDS)
HOMES = {"france": "countries.name", "germany": "countries.name", "web": "orders.channel", "store": "orders.channel"}


def homes(text: str) -> frozenset[str]:
    """Know four values."""
    return frozenset({HOMES[text.lower()]}) if text.lower() in HOMES else frozenset()


@every_row(("question", "sql", "message", "full"), CASES)
def test_becomes_a_full_question(question: str, sql: str, message: str, full: str) -> None:
    """The message and the question before it make one full question."""
    understood = full_question(message, [PreviousQuestion(question, sql, names=WORDS)])
    assert understood
    assert full == understood.question


@every_row("message", ALONE)
@pytest.mark.parametrize(
    "before",
    [
        REVENUE,
        PreviousQuestion(
            "Which five customers brought the most revenue in 2024?",
            "SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.channel = 'web' LIMIT 5",
            names=WORDS,
        ),
    ],
    ids=["after revenue", "after customers"],
)
def test_stands_on_its_own(message: str, before: PreviousQuestion) -> None:
    """A message that is a question of its own, or none at all, takes nothing from the question before it."""
    assert full_question(message, [before]) is None


def test_nothing_before() -> None:
    """Without a question before it, nothing is a follow-up."""
    assert full_question("and by month?", []) is None


@pytest.mark.parametrize("message", ["list the places", "List the places!", "list  the places?"])
def test_the_same_again(message: str) -> None:
    """The last question once more, apart from case and marks, is that question, and no part of it."""
    before = PreviousQuestion("list the places", "SELECT * FROM places", names=frozenset(("place", "places")))
    assert (None, None) == (full_question(message, [before]), put_behind(message, [before]))


def test_newest_first() -> None:
    """A message follows the newest question, in a talk of several."""
    first = full_question("only 2024", [REVENUE])
    assert first
    second = full_question("top 5 only", [PreviousQuestion(first.question, REVENUE.sql, names=WORDS), REVENUE])
    assert second
    assert "Revenue by region, 2024 only, top 5 only" == second.question
    third = full_question("and 2025?", [PreviousQuestion(second.question, REVENUE.sql, names=WORDS)])
    assert third
    assert "Revenue by region, 2025 only, top 5 only" == third.question


def test_other_readings_are_told() -> None:
    """Where a grouping may stand beside the old one or in its place, the other reading is told, too."""
    beside, instead = full_question("and by month?", [REVENUE]), full_question("by month", [REVENUE])
    assert beside
    assert instead
    assert ("Revenue by region and month", ("Revenue by month",)) == (beside.question, beside.options)
    assert ("Revenue by month", ("Revenue by region and month",)) == (instead.question, instead.options)
    assert max(beside.confidence, instead.confidence) < 0.8


@pytest.mark.parametrize(
    ("message", "full"),
    [
        ("what about France?", "How many web orders came from France?"),
        ("France", "How many web orders came from France?"),
        ("and store?", "How many store orders came from Germany?"),
        ("only store orders", "How many store orders came from Germany?"),
        ("and France and Germany?", "How many web orders came from France and Germany?"),
    ],
)
def test_known_values(message: str, full: str) -> None:
    """A value of the database takes the place of the value of its own column."""
    sql = (
        "SELECT COUNT(*) FROM orders o JOIN countries k ON k.id = o.country"
        " WHERE k.name = 'Germany' AND o.channel = 'web'"
    )
    understood = full_question(
        message, [PreviousQuestion("How many web orders came from Germany?", sql, names=WORDS)], homes
    )
    assert full == (understood.question if understood else None)


def test_unknown_values_are_asked_back() -> None:
    """Where it cannot be told which of two values is meant, both readings are told and neither is sure."""
    sql = "SELECT id FROM orders WHERE status = 'pending' AND channel = 'web'"
    understood = full_question("cancelled ones", [PreviousQuestion("List all pending web orders", sql, names=WORDS)])
    assert understood
    assert 0.6 == understood.confidence
    assert {"List all pending cancelled orders", "List all cancelled web orders"} == {
        understood.question,
        *understood.options,
    }


def test_money_is_not_converted() -> None:
    """A currency is put into the question, with a sentence that says that nothing is converted."""
    understood = full_question("in euros", [REVENUE])
    assert understood
    assert "Revenue by region, in euros" == understood.question
    assert "nothing is converted" in understood.problem
    assert understood.confidence < 0.65


def test_what_was_left_out_comes_back() -> None:
    """What a follow-up left out is put in again by the next one."""
    without = PreviousQuestion("Number of orders by status, without the cancelled orders", REVENUE.sql, names=WORDS)
    understood = full_question("including the cancelled ones", [without])
    assert understood
    assert "Number of orders by status" == understood.question


def test_words_that_no_rule_knows() -> None:
    """What is known to be a follow-up, and has no place in the question, is put behind it in its own words."""
    understood = put_behind("ok, mind the gap please", [REVENUE])
    assert understood
    assert ("Revenue by region, mind the gap", 0.5) == (understood.question, understood.confidence)
    assert put_behind("…", [REVENUE]) is None
    assert put_behind("mind the gap", []) is None


WORDS_TYPED = (
    "and only now what about the same for by per month region customer Germany France 2024 2023 last year"
    " top 5 bottom ten without cancelled ones sorted descending revenue average they their them that it"
    " which how many is also too instead und nur pro Monat et par mois y por mes ohne sans sin in of to"
    " not all first Q1 March between 100 ' \" , ? ! ;"
)
WORD = st.sampled_from(WORDS_TYPED.split())
MESSAGE = st.one_of(st.text(max_size=60), st.lists(WORD, max_size=12).map(" ".join))
BEFORE = st.one_of(st.sampled_from([case["question"] for case in AFTER]), MESSAGE)


@given(MESSAGE, BEFORE, st.one_of(st.sampled_from([case["sql"] for case in AFTER]), st.text(max_size=40)))
def test_any_message(message: str, before: str, sql: str) -> None:
    """Whatever is typed, nothing is raised, and what comes of it is one line of bounded length."""
    understood = full_question(message, [PreviousQuestion(before, sql, names=WORDS)])
    if understood:
        assert len(understood.question) <= 2 * (len(before) + FOLLOWUP_MAX_CHARS)
        assert understood.question == " ".join(understood.question.split())
        assert 0 < understood.confidence <= 1


NAME = st.text("abcdefghijklmnopqrstuvwz", min_size=3, max_size=9).map(lambda text: f"Zq{text}")


@given(
    st.sampled_from(["only {}", "what about {}?", "without {}", "and for {}", "by {}", "only 2023 for {}", "{} only"]),
    NAME,
    st.sampled_from([case["question"] for case in AFTER]),
)
def test_no_word_is_lost(form: str, name: str, before: str) -> None:
    """A name that a person typed stands in the full question."""
    understood = full_question(form.format(name), [PreviousQuestion(before, "SELECT 1", names=WORDS)])
    assert understood
    assert re.search(rf"\b{name}\b", understood.question)


@pytest.mark.parametrize(
    ("question", "message", "full"),
    [
        ("Top 10 customers by revenue", "you gave me customers, I asked for suppliers", "Top 10 suppliers by revenue"),
        ("Orders from Spain", "I said Spain but I need Portugal", "Orders from Portugal"),
        ("Orders per month 2025", "2024 not 2025", "Orders per month 2024"),
        ("Die 10 größten Kunden", "ich wollte Lieferanten, nicht Kunden", "Die 10 größten Lieferanten"),
        ("Los 10 mejores clientes", "te pedí proveedores, no clientes", "Los 10 mejores proveedores"),
        ("Staff per store", "that looks like customers, I want employees", None),
        ("Total billed in 2025", "wrong table, use payments", "Total billed in 2025, from the table payments"),
    ],
)
def test_a_contradiction_changes_the_question(question: str, message: str, full: str | None) -> None:
    """Who says what they got, and what they wanted, has the one put in the other's place; where it is not there, both
    are put behind the question, unsure."""
    found = full_question(message, [PreviousQuestion(question, "SELECT 1", names=WORDS)])
    assert found
    assert (0.9, full) == (found.confidence, found.question) if full else found.confidence == 0.5


@every_row(
    ("question", "message", "full"),
    [
        (
            "How many customers are in France",
            "my bad, I actually meant suppliers not customers",
            "How many suppliers are in",
        ),
        (
            "Offene Beträge je Kunde",
            "falsche tabelle, nimm payments",
            "Offene Beträge je Kunde, aus der Tabelle payments",
        ),
        ("Customers in Spain", "names only, i dont need the rest", "Customers in Spain, only names"),
        ("List of customers", "you left out the archived ones", "List of customers, including the archived ones"),
        ("Shipments this year", "until end of july only", "Shipments this year until end of july"),
        ("Orders in 2025", "end of June", "Orders end of June 2025"),
    ],
)
def test_what_was_wanted_stands_in_place(question: str, message: str, full: str) -> None:
    """What is wanted goes in, and reasons and fillers stay out."""
    asked = [PreviousQuestion(question)]
    found = full_question(message, asked) or put_behind(message, asked)
    assert found
    assert found.question.startswith(full)
