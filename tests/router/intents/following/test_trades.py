"""Messages after a question, in the words of many trades."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from router.catalog.stems import stem
from router.intents.following import Asked, full_question
from router.intents.understood import SURE

FILE = Path(__file__).parent / "trades.toml"
AFTER: list[dict[str, Any]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["after"]
ACTIVE = "List active and cancelled orders"
CASES = [pytest.param(case, *ask, id=f"{case['question']} {ask[0]}") for case in AFTER for ask in case["asks"]]


@pytest.mark.parametrize(("case", "message", "full"), CASES)
def test_trade(case: dict[str, Any], message: str, full: str) -> None:
    """A condition, a number or a column takes the place of one of its kind, and stands beside what is of another."""
    known: dict[str, str] = case["homes"]

    def homes(text: str) -> frozenset[str]:
        home = known.get(text.lower()) or known.get(stem(text))
        return frozenset({home}) if home else frozenset()

    names = frozenset(each for name in case["names"].replace("_", " ").split() for each in (name, stem(name)))
    understood = full_question(message, [Asked(case["question"], case["sql"], names=names)], homes)
    assert full == (understood.question if understood else "")


@pytest.mark.parametrize(
    ("before", "message", "full"),
    [
        ("List customers with phone number and city", "remove the phone number", "List customers with city"),
        ("List customers with phone number and city", "drop the city column", "List customers with phone number"),
        ("List customers, with the phone number", "without the phone number", "List customers"),
        ("List customers, without the phone number", "add the phone number", "List customers"),
        ("List customers", "show the city too", "List customers, with the city"),
        ("List customers", "I also need the phone number", "List customers, with the phone number"),
        ("List customers", "can you add a column for the city", "List customers, with the city"),
        ("List customers", "remove the e-mail column", "List customers, without the e-mail column"),
        ("Revenue by region and month", "without the month", "Revenue by region"),
        (ACTIVE, "without the cancelled ones", f"{ACTIVE}, without the cancelled orders"),
        ("Name, phone and city of all customers", "hide the city", "Name and phone of all customers"),
        ("Name, phone and city of all customers", "no phone", "Name and city of all customers"),
        ("List customers with open orders", "without open orders", "List customers without open orders"),
        ("List customers with orders", "no orders", "List customers without orders"),
        ("List customers with orders in 2024", "without the orders", "List customers without orders in 2024"),
        ("List customers with a phone", "without a phone", "List customers without a phone"),
        ("List customers with phone, only active", "hide the phone", "List customers, only active"),
        ("Average price per order, with tax", "without tax", "Average price per order, without tax"),
        ("Customers with debts and city Graz", "no debts", "Customers with debts and city Graz, without debts"),
        ("Revenue of France and Italy", "drop Italy", "Revenue of France and Italy, without Italy"),
        (
            "Which customers bought bread and butter?",
            "no butter",
            "Which customers bought bread and butter, without butter?",
        ),
        ("Orders with parts, only active", "without the parts", "Orders without parts, only active"),
        ("Orders with city, only active", "drop the filter", "Orders with city"),
        ("Orders with city, only active", "drop the part", "Orders with city, only active, without the part"),
        ("Orders by city, only active", "drop the active bit", "Orders by city"),
    ],
)
def test_columns(before: str, message: str, full: str) -> None:
    """What is a column for certain is taken out of the list, and is put in again; a condition is kept or negated."""
    sql = "SELECT name, phone, city FROM orders"
    names = frozenset(("orders", "order", "customers", "customer", "phone", "city", "email", "name"))
    understood = full_question(message, [Asked(before, sql, names=names)])
    assert full == (understood.question if understood else "")


@pytest.mark.parametrize(
    ("message", "full", "sure"),
    [
        ("change Germany to Italy", "Revenue by region in Italy", 0.85),
        ("replace Germany with New Zealand", "Revenue by region in New Zealand", 0.85),
        ("New Zealand instead of Germany", "Revenue by region in New Zealand", 0.9),
        ("Spain", "Revenue by region in Spain", 0.6),
    ],
)
def test_a_value_in_place_of_a_named_one(message: str, full: str, sure: float) -> None:
    """It is surer where the old value is named, and never wholly sure: data could be meant."""
    understood = full_question(message, [Asked("Revenue by region in Germany", "SELECT 1")])
    assert (full, sure) == ((understood.question, understood.confidence) if understood else None)


@pytest.mark.parametrize(
    ("before", "best"),
    [
        ("Revenue by region", ["highest revenue"]),
        ("Cost savings by region", ["highest cost savings"]),
        ("Delivery costs by region", ["lowest delivery costs"]),
        ("Number of late shipments by region", ["lowest number of late shipments"]),
        ("Churn rate by region", ["lowest churn rate"]),
        ("Average returns by region in 2024", ["highest average returns in 2024", "lowest average returns in 2024"]),
        ("Average delivery time by region", ["highest average delivery time", "lowest average delivery time"]),
        (
            "Number of shipments delivered late by region",
            ["highest number of shipments delivered late", "lowest number of shipments delivered late"],
        ),
    ],
)
def test_the_best(before: str, best: list[str]) -> None:
    """The best is the highest or the lowest by the noun of what is measured; where it may be either, both are told."""
    understood = full_question("which is the best one?", [Asked(before, "SELECT 1")])
    assert understood
    assert [f"Which region has the {each}?" for each in best] == [understood.question, *understood.options]
    assert (len(best) == 1) == (understood.confidence >= SURE)


@pytest.mark.parametrize("message", ["remove them", "drop it", "set the status to open", "delete last year's orders"])
def test_nothing_to_leave_out(message: str) -> None:
    """What only points, and what changes data, is no part of a question."""
    assert full_question(message, [Asked("Revenue by region", "SELECT 1")]) is None


def test_a_whole_question_with_only_in_it() -> None:
    """A question of its own stays one, though a follow-up could end like it."""
    before = [Asked("Revenue by month", "SELECT 1", names=frozenset(("month", "revenue")))]
    assert full_question("Which month has the highest revenue, only the worst one?", before) is None
