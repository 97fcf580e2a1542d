"""Goods of the sample company: categories, suppliers, products with a price for each year."""

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from bot.demo.company.facts import FACTS, read_facts, stream
from bot.demo.company.places import COUNTRY_BY_CODE

THUMBNAIL = b64decode(FACTS["thumbnail"])
"""The picture on every product's page, a PNG."""


@dataclass(frozen=True, slots=True)
class GoodsCategory:
    """A category: the range of its prices, and the usual weight."""

    id: int
    name: str
    department: str
    noun: str
    cheapest: int
    dearest: int
    kilos: float


@dataclass(frozen=True, slots=True)
class Product:
    """A product; `prices` by year, rising; `liked` weighs how often it is bought."""

    id: int
    name: str
    category: GoodsCategory
    supplier_id: int
    prices: Mapping[int, float]
    price: float
    cost: float
    weight_kg: float | None
    launched_on: date
    ended_on: date | None
    liked: float

    @property
    def sku(self) -> str:
        """The number on the label."""
        return f"{self.category.name[:2].upper()}-{self.id:05d}"

    @property
    def category_id(self) -> int:
        """The id of the category."""
        return self.category.id

    @property
    def active(self) -> bool:
        """Return whether the product is on sale."""
        return self.ended_on is None

    @property
    def description(self) -> str | None:
        """The text of its page, some hundred words long; None for a few that nobody described yet."""
        if self.id % 41 == 0:
            return None
        dice = stream("description", self.id)
        named = {"product": self.name, "department": self.category.department.lower()}
        sentences = [sentence.format(**named) for sentence in FACTS["descriptions"]]
        return " ".join(dice.choices(sentences, k=dice.randint(6, 30)))

    @property
    def thumbnail(self) -> bytes:
        """A picture of 16 by 16 points."""
        return THUMBNAIL


CATEGORIES = read_facts("categories", GoodsCategory)


def list_suppliers() -> list[tuple[Any, ...]]:
    """Return the rows of the suppliers; those whose contact nobody wrote down have no address either."""
    return [
        (
            number,
            fact["name"],
            COUNTRY_BY_CODE[fact["country"]].id,
            fact.get("contact"),
            f"orders@supplier{number}.example" if "contact" in fact else None,
            fact["days"],
        )
        for number, fact in enumerate(FACTS["suppliers"], 1)
    ]


def design_products(today: date) -> list[Product]:
    """Return 360 products: most of them old, some launched within the last three years, some taken off sale."""
    dice = stream("products", today.year)
    pairs = [(category, place) for category in CATEGORIES for place in range(len(FACTS["series"]))]
    return [_design(number, category, place, dice, today) for number, (category, place) in enumerate(pairs, 1)]


def _design(number: int, category: GoodsCategory, series: int, dice: Random, today: date) -> Product:
    place = dice.betavariate(1.2, 2.4)
    wish = category.cheapest + (category.dearest - category.cheapest) * place
    cents = dice.choice((0.90, 0.90, 0.90, 0.50))
    rises = dice.uniform(0.01, 0.06)
    # Whole tens of cents: a discount of a tenth, a fifth or three tenths then never leaves a fraction of a cent.
    prices = {today.year - ago: int(wish * (1 - rises) ** ago) + cents for ago in range(4)}
    this_year, price = date(today.year, 1, 1), prices[today.year]
    age = dice.randint(60, 1100) if dice.random() < 0.18 else dice.randint(1500, 3600)
    ended = this_year - timedelta(dice.randint(30, 700)) if age > 1500 and dice.random() < 0.07 else None
    return Product(
        id=number,
        name=f"{FACTS['series'][series]} {category.noun}",
        category=category,
        supplier_id=1 + (series * 5 + category.id) % len(FACTS["suppliers"]),
        prices=prices,
        price=price,
        cost=round(price * dice.uniform(0.42, 0.68), 2),
        weight_kg=round(category.kilos * dice.uniform(0.7, 1.4), 2) if dice.random() < 0.95 else None,
        launched_on=this_year - timedelta(age),
        ended_on=ended,
        liked=min(dice.paretovariate(1.1), 25) * 120 / (120 + wish),
    )
