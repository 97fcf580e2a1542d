"""Goods of the sample company: categories, suppliers, products with a price for each year, and stock in the stores."""

import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from random import Random
from typing import Any

from bot.demo.company.chance import stream
from bot.demo.company.places import SampleStore


@dataclass(frozen=True, slots=True)
class GoodsCategory:
    """A category: the range of its prices and weights, and the share of its lines that come back."""

    id: int
    name: str
    department: str
    noun: str
    cheapest: int
    dearest: int
    kilos: float
    returned: float


@dataclass(frozen=True)
class Product:
    """A product; `prices` by year, rising; `liked` weighs how often it is bought."""

    id: int
    name: str
    category: GoodsCategory
    supplier_id: int
    prices: Mapping[int, float]
    cost: float
    weight: float | None
    launched_on: date
    ended_on: date | None
    liked: float

    @cached_property
    def sku(self) -> str:
        """The number on the label."""
        return f"{self.category.name[:2].upper()}-{self.id:05d}"


CATEGORIES = tuple(
    GoodsCategory(number, *row)
    for number, row in enumerate(
        (
            ("Road Bikes", "Cycling", "Road Bike", 890, 4200, 8.5, 0.03),
            ("Mountain Bikes", "Cycling", "Mountain Bike", 790, 3900, 13.5, 0.03),
            ("City Bikes", "Cycling", "City Bike", 490, 1500, 15.0, 0.03),
            ("E-Bikes", "Cycling", "E-Bike", 1900, 5600, 23.0, 0.04),
            ("Helmets", "Cycling", "Helmet", 39, 219, 0.3, 0.07),
            ("Bike Lights", "Cycling", "Light Set", 15, 119, 0.1, 0.04),
            ("Bike Parts", "Cycling", "Drivetrain Kit", 12, 340, 0.6, 0.05),
            ("Bike Bags", "Cycling", "Pannier", 35, 189, 0.9, 0.04),
            ("Tents", "Camping", "Tent", 119, 890, 2.8, 0.06),
            ("Sleeping Bags", "Camping", "Sleeping Bag", 69, 520, 1.2, 0.05),
            ("Stoves", "Camping", "Stove", 29, 210, 0.4, 0.03),
            ("Headlamps", "Camping", "Headlamp", 19, 129, 0.1, 0.04),
            ("Backpacks", "Hiking", "Backpack", 59, 320, 1.4, 0.06),
            ("Hiking Boots", "Hiking", "Boot", 89, 330, 1.1, 0.15),
            ("Trekking Poles", "Hiking", "Trekking Poles", 39, 179, 0.5, 0.03),
            ("Jackets", "Clothing", "Jacket", 79, 590, 0.5, 0.13),
            ("Base Layers", "Clothing", "Base Layer", 29, 119, 0.2, 0.09),
            ("Gloves", "Clothing", "Gloves", 19, 99, 0.1, 0.08),
            ("Skis", "Winter Sports", "Touring Ski", 349, 990, 2.9, 0.05),
            ("Snowshoes", "Winter Sports", "Snowshoe", 89, 299, 1.8, 0.04),
        ),
        start=1,
    )
)

THUMBNAIL_PIXELS = 16
"""Sides of the pictures of products."""

# fmt: off
SERIES = (
    "Kestrel", "Fjord", "Tarn", "Cairn", "Alba", "Boreal", "Corrie", "Dune", "Ember",
    "Firn", "Garrigue", "Heath", "Isar", "Juniper", "Karst", "Lynx", "Arête", "Señda",
)
# fmt: on

SUPPLIERS = (
    ("Alpenrad GmbH", "DE", "Jürgen Böhm", 14),
    ("Van der Veen Cycles B.V.", "NL", "Femke Vos", 10),
    ("O'Shea & Sons Saddlery", "IE", "Niamh O'Shea", 21),
    ("Møller Friluft A/S", "DK", "Søren Jørgensen", 12),
    ("Tessuti Tecnici S.r.l.", "IT", "Chiara Ricci", 18),
    ("Pirineos Montaña S.A.", "ES", None, 25),
    ("Atelier Cévenol", "FR", "Benoît Lefèvre", 16),
    ("Karpaty Outdoor Sp. z o.o.", "PL", "Łukasz Nowak", 11),
    ("Fjällverk AB", "SE", "Linnéa Sjöberg", 13),
    ("Granite Peak Supply Inc.", "US", "Emily Parker", 35),
    ("山田光学株式会社", "JP", "田中 健一", 42),
    ("Helvetia Components AG", "CH", None, 15),
)


def design_products(today: date) -> list[Product]:
    """Return 360 products: most of them old, some launched within the last three years, some taken off sale."""
    dice = stream("products", today.year)
    pairs = [(category, series) for category in CATEGORIES for series in SERIES]
    return [_design(number, category, series, dice, today) for number, (category, series) in enumerate(pairs, start=1)]


def _design(number: int, category: GoodsCategory, series: str, dice: Random, today: date) -> Product:
    place = dice.betavariate(1.2, 2.4)
    wish = category.cheapest + (category.dearest - category.cheapest) * place
    cents = dice.choice((0.90, 0.90, 0.90, 0.50))
    rises = dice.uniform(0.01, 0.06)
    # Whole tens of cents: a discount of a tenth, a fifth or three tenths then never leaves a fraction of a cent.
    prices = {today.year - ago: int(wish * (1 - rises) ** ago) + cents for ago in range(4)}
    age = dice.randint(60, 1100) if dice.random() < 0.18 else dice.randint(1500, 3600)
    ended = date(today.year, 1, 1) - timedelta(dice.randint(30, 700)) if age > 1500 and dice.random() < 0.07 else None
    return Product(
        id=number,
        name=f"{series} {category.noun}",
        category=category,
        supplier_id=1 + (SERIES.index(series) * 5 + category.id) % len(SUPPLIERS),
        prices=prices,
        cost=round(prices[today.year] * dice.uniform(0.42, 0.68), 2),
        weight=round(category.kilos * dice.uniform(0.7, 1.4), 2) if dice.random() < 0.95 else None,
        launched_on=date(today.year, 1, 1) - timedelta(age),
        ended_on=ended,
        liked=min(dice.paretovariate(1.1), 25) * 120 / (120 + wish),
    )


def describe(product: Product) -> str | None:
    """Return the text of the product's page, some hundred words long, or None for a few that nobody described yet."""
    if product.id % 41 == 0:
        return None
    dice = stream("description", product.id)
    sentences = (
        f"The {product.name} is made for long days outside and short nights in between.",
        "Tested on the rain side of the Alps, the wind side of the North Sea and the way to school.",
        f"It belongs to our {product.category.department.lower()} range and comes with a five-year guarantee.",
        "Every part can be bought on its own and changed with the tools you have at home.",
        "Customers say: “I didn't think about it once – which is the best I can say.”",
        "Care: wash cold, dry in the shade, don't iron.\nStore: dry and out of the sun.",
    )
    return " ".join(dice.choices(sentences, k=dice.randint(6, 30)))


def draw_thumbnail(number: int) -> bytes:
    """Return a 16 by 16 PNG whose colours depend on `number` alone; stored, not packed, so the bytes never vary."""
    dark = bytes((number * 37 % 160, number * 71 % 160, number * 113 % 160))
    light = bytes(channel + 80 for channel in dark)
    middle = (THUMBNAIL_PIXELS - 1) / 2
    pixels = b"".join(
        b"\0" + bytes((x - middle) ** 2 + (y - middle) ** 2 < 30 for x in range(THUMBNAIL_PIXELS))
        for y in range(THUMBNAIL_PIXELS)
    )
    header = struct.pack(">IIBBBBB", THUMBNAIL_PIXELS, THUMBNAIL_PIXELS, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", dark + light), (b"IDAT", zlib.compress(pixels, 0)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in parts)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def count_stock(stores: Sequence[SampleStore], products: Sequence[Product], today: date) -> list[tuple[Any, ...]]:
    """Return a row for every store and every product it carries; about one in twelve is below its reorder level."""
    rows: list[tuple[Any, ...]] = []
    for store in stores:
        dice = stream("stock", store.id)
        for product in products:
            carried = dice.random() < 0.86
            level = 2 + dice.randint(0, 3) if product.prices[today.year] > 400 else 4 + dice.randint(0, 10)
            count = dice.randint(0, level - 1) if dice.random() < 0.08 else level + dice.randint(0, level * 3)
            counted = (today - timedelta(dice.randint(1, 120))).isoformat() if dice.random() < 0.97 else None
            if carried and product.ended_on is None:
                rows.append((len(rows) + 1, store.id, product.id, count, level, counted))
    return rows
