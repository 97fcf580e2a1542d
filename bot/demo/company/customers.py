"""Customers of the sample company: people, clubs and businesses, each with a weight of their own."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Literal

from bot.demo.company.chance import Urn, stream
from bot.demo.company.places import COUNTRIES, FIRST_AND_LAST_NAMES, SURNAME_FIRST, Country

Segment = Literal["consumer", "club", "business"]
SEGMENTS: tuple[Segment, ...] = ("consumer", "club", "business")

FIRST_CUSTOMERS = 1100
"""Customers who were there before the first day of the books."""


@dataclass(frozen=True, slots=True)
class Customer:
    """A customer; `weight` is how often they order, compared with others."""

    id: int
    name: str
    segment: Segment
    email: str | None
    phone: str | None
    city: str
    country: Country
    joined_on: date
    newsletter: bool
    weight: float


KEY_ACCOUNTS = (
    ("Radverleih Nordsee GmbH", "DE", "Hamburg", 15.0),
    ("Tulip Cycle Tours B.V.", "NL", "Amsterdam", 13.0),
    ("O'Brien Cycle Tours Ltd.", "IE", "Galway", 12.0),
    ("Refuge des Écrins", "FR", "Grenoble", 10.0),
    ("Fjellsport Utleie AS", "NO", "Tromsø", 9.0),
    ("Bergschule Engadin AG", "CH", "Zürich", 9.0),
    ("自転車倶楽部 京都", "JP", "京都", 8.0),
    ("Rocky Ridge Outfitters, Inc.", "US", "Boulder", 8.0),
    ("Łódź Rowerowa Sp. z o.o.", "PL", "Łódź", 7.0),
    ("Dolomiti Noleggio S.r.l.", "IT", "Bologna", 7.0),
    ("نادي دبي للدراجات", "AE", "دبي", 6.0),
    ("Highland & Islands Hostels", "GB", "Glasgow", 6.0),
    ("Camino Bikes S.L.", "ES", "Málaga", 6.0),
    ("מועדון אופני הכרמל", "IL", "חיפה", 5.0),
    ("Stadtwerke Würzburg", "DE", "Würzburg", 5.0),
)

_BUSINESS = ("{} Bike Rental", "{} & Sons", "Hotel {}", "{} Outdoor", "{} Delivery Services", "{} Events")
_CLUBS = ("{} Cycling Club", "{} Hiking Society", "{} Scouts", "{} School Sports")


def meet_customers(first: date, today: date) -> list[Customer]:
    """Return the customers in the order in which they joined; each day's are the same whenever they are asked for."""
    countries = Urn(COUNTRIES, [country.share for country in COUNTRIES])
    by_code = {country.code: country for country in COUNTRIES}
    taken: set[str] = set()
    customers: list[Customer] = []
    for joined, dice in _arrivals(first, today):
        number = len(customers) + 1
        if number % 40 == 0 and number // 40 <= len(KEY_ACCOUNTS):
            name, code, city, weight = KEY_ACCOUNTS[number // 40 - 1]
            customers.append(_introduce(number, name, "business", by_code[code], city, joined, 14.0 * weight, dice))
            continue
        segment, country, city, name = _someone(dice, countries, taken)
        taken.add(name)
        weight = min(dice.paretovariate(0.9), 30) * (1.0 if segment == "consumer" else 1.6)
        customers.append(_introduce(number, name, segment, country, city, joined, weight, dice))
    return customers


def _arrivals(first: date, today: date) -> Iterator[tuple[date, Random]]:
    early = stream("early customers")
    for day in sorted(first - timedelta(early.randint(1, 1800)) for _ in range(FIRST_CUSTOMERS)):
        yield day, early
    for ago in range((today - first).days + 1):
        day = first + timedelta(ago)
        dice = stream("customers", day)
        for _ in range(dice.choice((0, 1, 1, 2, 2))):
            yield day, dice


def _someone(dice: Random, countries: Urn[Country], taken: set[str]) -> tuple[Segment, Country, str, str]:
    """Draw a customer whose name nobody has yet: results by name are then results by customer."""
    while True:
        country = countries.draw(dice)
        city = dice.choice(country.cities)
        segment: Segment = dice.choices(SEGMENTS, (90, 4, 6))[0]
        name = _person(dice, country) if segment == "consumer" else _organisation(dice, country, city, segment)
        if name not in taken:
            return segment, country, city, name


def _person(dice: Random, country: Country) -> str:
    given, family = FIRST_AND_LAST_NAMES["fr" if country.code == "CH" and dice.random() < 0.3 else country.language]
    first, last = dice.choice(given), dice.choice(family)
    if country.language in SURNAME_FIRST:
        return f"{last} {first}"
    # An initial tells apart some of the many with the same two names; other scripts have none.
    initial = dice.choice("ABDEFGHJKLMNPRSTV") + ". " if first < "Ā" and dice.random() < 0.3 else ""
    return f"{first} {initial}{last}"


def _organisation(dice: Random, country: Country, city: str, segment: Segment) -> str:
    if segment == "club":
        return dice.choice(_CLUBS).format(city)
    return dice.choice(_BUSINESS).format(dice.choice(FIRST_AND_LAST_NAMES[country.language][1]))


def _introduce(
    number: int,
    name: str,
    segment: Segment,
    country: Country,
    city: str,
    joined: date,
    weight: float,
    dice: Random,
) -> Customer:
    has_email, has_phone = dice.random() < 0.94, dice.random() < 0.6
    host = dice.choice(("example.com", "example.org", "example.net"))
    email = f"{mailbox(name) or 'customer'}.{number}@{host}" if has_email else None
    phone = f"{country.phone} 555 {dice.randint(0, 9999):04d}" if has_phone else None
    newsletter = has_email and dice.random() < 0.45
    return Customer(number, name, segment, email, phone, city, country, joined, newsletter, weight)


def mailbox(name: str) -> str:
    """Return `name` as the part of an address before the @: "Seán O'Brien" becomes "sean.obrien"."""
    plain = unicodedata.normalize("NFKD", name.lower().replace("ø", "o").replace("ł", "l").replace("ß", "ss"))
    words = "".join(c for c in plain if c.isascii() and (c.isalnum() or c == " ")).split()
    return ".".join(words)
