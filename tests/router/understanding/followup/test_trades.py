"""Messages after a question, in the words of many trades."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from router.language.inflection import stem
from router.understanding.followup.full_question import full_question
from router.understanding.followup.previous import PreviousQuestion
from tests.support.rows import every_row

FILE = Path(__file__).parent / "trades.toml"
AFTER: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["after"]
ACTIVE = "List active and cancelled orders"
CASES = [(case, *ask) for case in AFTER for ask in case["asks"]]


@every_row(("case", "message", "full"), CASES)
def test_trade(case: dict[str, Any], message: str, full: str) -> None:
    """A condition, a number or a column takes the place of one of its kind, and stands beside what is of another."""
    known: dict[str, str] = case["homes"]

    def homes(text: str) -> frozenset[str]:
        home = known.get(text.lower()) or known.get(stem(text))
        return frozenset({home}) if home else frozenset()

    names = frozenset(each for name in case["names"].replace("_", " ").split() for each in (name, stem(name)))
    understood = full_question(message, [PreviousQuestion(case["question"], case["sql"], names=names)], homes)
    assert full == (understood.question if understood else "")


@every_row(
    ("before", "message", "full"),
    [
        (
            "List customers with phone number and city",
            "remove the phone number",
            "List customers with phone number and city, without the phone number",
        ),
        (
            "List customers with phone number and city",
            "drop the city column",
            "List customers with phone number and city, without the city column",
        ),
        (
            "List customers, with the phone number",
            "without the phone number",
            "List customers, without the phone number",
        ),
        ("List customers, without the phone number", "add the phone number", "List customers"),
        ("List customers", "show the city too", "List customers, with the city"),
        ("List customers", "I also need the phone number", "List customers, with the phone number"),
        ("List customers", "can you add a column for the city", "List customers, with the city"),
        ("List customers", "remove the e-mail column", "List customers, without the e-mail column"),
        ("Revenue by region and month", "without the month", "Revenue by region and month, without the month"),
        (ACTIVE, "without the cancelled ones", f"{ACTIVE}, without the cancelled orders"),
        (
            "Name, phone and city of all customers",
            "hide the city",
            "Name, phone and city of all customers, without the city",
        ),
        ("Name, phone and city of all customers", "no phone", "Name, phone and city of all customers, without phone"),
        ("List customers with open orders", "without open orders", "List customers without open orders"),
        ("List customers with orders", "no orders", "List customers without orders"),
        ("List customers with orders in 2024", "without the orders", "List customers without orders in 2024"),
        ("List customers with a phone", "without a phone", "List customers without a phone"),
        (
            "List customers with phone, only active",
            "hide the phone",
            "List customers with phone, only active, without the phone",
        ),
        ("Average price per order, with tax", "without tax", "Average price per order, without tax"),
        ("Customers with debts and city Graz", "no debts", "Customers with debts and city Graz, without debts"),
        ("Revenue of France and Italy", "drop Italy", "Revenue of France and Italy, without Italy"),
        (
            "Which customers bought bread and butter?",
            "no butter",
            "Which customers bought bread and butter, without butter?",
        ),
        ("Orders with parts, only active", "without the parts", "Orders without parts, only active"),
        ("Orders with city, only active", "drop the filter", "Orders with city, only active, without the filter"),
        ("Orders with city, only active", "drop the part", "Orders with city, only active, without the part"),
        ("Orders by city, only active", "drop the active bit", "Orders by city, only active, without the active bit"),
    ],
)
def test_columns(before: str, message: str, full: str) -> None:
    """What is not wanted is said behind the question, and what it left out comes back; a condition is negated."""
    sql = "SELECT name, phone, city FROM orders"
    names = frozenset(("orders", "order", "customers", "customer", "phone", "city", "email", "name"))
    understood = full_question(message, [PreviousQuestion(before, sql, names=names)])
    assert full == (understood.question if understood else "")


@pytest.mark.parametrize(
    ("message", "full", "sure"),
    [
        ("change Germany to Italy", "Revenue by region in Italy", 0.85),
        ("replace Germany with New Zealand", "Revenue by region in New Zealand", 0.85),
        ("New Zealand instead of Germany", "Revenue by region in New Zealand", 0.9),
        ("Spain", "Revenue by region in Spain", 0.7),
    ],
)
def test_a_value_in_place_of_a_named_one(message: str, full: str, sure: float) -> None:
    """It is surer where the old value is named, and never wholly sure: data could be meant."""
    understood = full_question(message, [PreviousQuestion("Revenue by region in Germany", "SELECT 1")])
    assert (full, sure) == ((understood.question, understood.confidence) if understood else None)


def test_the_best() -> None:
    """The best stays the best: the model tells from what is measured whether that is the highest or the lowest."""
    understood = full_question("which is the best one?", [PreviousQuestion("Delivery costs by region", "SELECT 1")])
    assert understood
    assert "Delivery costs by region, only the best one" == understood.question


@pytest.mark.parametrize("message", ["remove them", "drop it", "set the status to open", "delete last year's orders"])
def test_nothing_to_leave_out(message: str) -> None:
    """What only points, and what changes data, is no part of a question."""
    assert full_question(message, [PreviousQuestion("Revenue by region", "SELECT 1")]) is None


def test_a_whole_question_with_only_in_it() -> None:
    """A question of its own stays one, though a follow-up could end like it."""
    before = [PreviousQuestion("Revenue by month", "SELECT 1", names=frozenset(("month", "revenue")))]
    assert full_question("Which month has the highest revenue, only the worst one?", before) is None
