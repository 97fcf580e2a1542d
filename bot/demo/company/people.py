"""People of the sample company: customers, each with a weight of their own, and employees."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Literal

from bot.demo.company.facts import FACTS, Urn, days_of, stream
from bot.demo.company.places import COUNTRIES, COUNTRY_BY_CODE, Country, SampleStore

Segment = Literal["consumer", "club", "business"]
SEGMENTS: tuple[Segment, ...] = ("consumer", "club", "business")

NAMES = {language: (names["given"].split(), names["family"].split()) for language, names in FACTS["names"].items()}
"""Given names and family names, by language."""


def mailbox(name: str) -> str:
    """Return `name` as the part of an address before the @: "Seán O'Brien" becomes "sean.obrien"."""
    plain = unicodedata.normalize("NFKD", name.lower().replace("ø", "o").replace("ł", "l").replace("ß", "ss"))
    words = "".join(c for c in plain if c.isascii() and (c.isalnum() or c == " ")).split()
    return ".".join(words)


# Customers.


FIRST_CUSTOMERS = 1100
"""Customers who were there before the first day of the books."""
KEY_ACCOUNT_EVERY = 40


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

    @property
    def country_id(self) -> int:
        """The id of the country."""
        return self.country.id


def meet_customers(first: date, today: date) -> list[Customer]:
    """Return the customers in the order in which they joined; each day's are the same whenever they are asked for."""
    countries = Urn(COUNTRIES, [country.share for country in COUNTRIES])
    key_accounts = iter(FACTS["key_accounts"])
    taken: set[str] = set()
    customers: list[Customer] = []
    for number, (joined, dice) in enumerate(_arrivals(first, today), 1):
        key = next(key_accounts, None) if number % KEY_ACCOUNT_EVERY == 0 else None
        segment: Segment
        if key:
            segment, country, city, name = "business", COUNTRY_BY_CODE[key["country"]], key["city"], key["name"]
            weight = 14.0 * key["weight"]
        else:
            segment, country, city, name = _someone(dice, countries, taken)
            taken.add(name)
            weight = min(dice.paretovariate(0.9), 30) * (1.0 if segment == "consumer" else 1.6)
        has_email, has_phone = dice.random() < 0.94, dice.random() < 0.6
        host = dice.choice(("example.com", "example.org", "example.net"))
        email = f"{mailbox(name) or 'customer'}.{number}@{host}" if has_email else None
        phone = f"{country.phone} 555 {dice.randint(0, 9999):04d}" if has_phone else None
        newsletter = has_email and dice.random() < 0.45
        customers.append(Customer(number, name, segment, email, phone, city, country, joined, newsletter, weight))
    return customers


def _arrivals(first: date, today: date) -> Iterator[tuple[date, Random]]:
    early = stream("early customers")
    for day in sorted(first - timedelta(early.randint(1, 1800)) for _ in range(FIRST_CUSTOMERS)):
        yield day, early
    for day in days_of(first, today):
        dice = stream("customers", day)
        for _ in range(dice.choice((0, 1, 1, 2, 2))):
            yield day, dice


def _someone(dice: Random, countries: Urn[Country], taken: set[str]) -> tuple[Segment, Country, str, str]:
    """Draw a customer whose name nobody has yet: results by name are then results by customer."""
    while True:
        country = countries.draw(dice)
        city = dice.choice(country.cities)
        segment: Segment = dice.choices(SEGMENTS, (90, 4, 6))[0]
        if segment == "consumer":
            name = _person(dice, country)
        elif segment == "club":
            name = dice.choice(FACTS["clubs"]).format(city)
        else:
            name = dice.choice(FACTS["businesses"]).format(dice.choice(NAMES[country.language][1]))
        if name not in taken:
            return segment, country, city, name


def _person(dice: Random, country: Country) -> str:
    given, family = NAMES["fr" if country.code == "CH" and dice.random() < 0.3 else country.language]
    first, last = dice.choice(given), dice.choice(family)
    if country.language == "ja":
        return f"{last} {first}"
    # An initial tells apart some of the many with the same two names; other scripts have none.
    initial = dice.choice("ABDEFGHJKLMNPRSTV") + ". " if first < "Ā" and dice.random() < 0.3 else ""
    return f"{first} {initial}{last}"


# Employees.


AGENTS = 9


@dataclass(frozen=True, slots=True)
class Employee:
    """An employee; `store_id` is None at the head office, `left_on` while they stay."""

    id: int
    name: str
    job_title: str
    store_id: int | None
    manager_id: int | None
    email: str
    hired_on: date
    left_on: date | None
    salary: float

    def is_employed(self, day: date) -> bool:
        """Return whether they were employed on `day`."""
        return self.hired_on <= day and (self.left_on is None or self.left_on > day)


def hire_employees(stores: Sequence[SampleStore], today: date) -> list[Employee]:
    """Return all employees: the director first, then the head office, the agents and the stores' crews.

    Every store has had somebody to sell since it opened; of those who joined later, some have left again.
    """
    dice = stream("employees", today.year)
    founded = date(today.year - 15, 1, 2)
    crew: list[Employee] = []
    for post in FACTS["head_office"]:
        manager = crew[0].id if crew else None
        start = founded + timedelta(dice.randint(0, 4000))
        _hire(crew, dice, post["job_title"], None, manager, "de", start, post["salary"])
    lead = next(employee.id for employee in crew if employee.job_title == "Head of Customer Support")
    for _ in range(AGENTS):
        start = founded + timedelta(dice.randint(1500, 3900))
        _hire(crew, dice, "Support Agent", None, lead, "en", start, 39000)
    for store in stores:
        _staff(crew, dice, store, today)
    return crew


def _staff(crew: list[Employee], dice: Random, store: SampleStore, today: date) -> None:
    language = COUNTRIES[store.country_id - 1].language
    head_of_sales = crew[1].id
    manager = _hire(crew, dice, "Store Manager", store.id, head_of_sales, language, store.opened_on, 56000)
    for place in range(2 + store.pull // 2 + dice.randint(0, 3)):
        title = "Sales Associate" if place % 3 else "Bicycle Mechanic"
        since = 0 if place == 1 else dice.randint(0, max((date(today.year, 1, 1) - store.opened_on).days, 0))
        start = store.opened_on + timedelta(since)
        leaves = place > 1 and dice.random() < 0.2
        left = start + timedelta(dice.randint(120, 1400)) if leaves else None
        left = left if left is None or left <= today else None
        _hire(crew, dice, title, store.id, manager, language, start, 35500, left)


def _hire(
    crew: list[Employee],
    dice: Random,
    title: str,
    store: int | None,
    manager: int | None,
    language: str,
    start: date,
    pay: int,
    left: date | None = None,
) -> int:
    """Add an employee whose name nobody has yet, and return their id."""
    given, family = NAMES[language]
    taken = {employee.name for employee in crew}
    while (name := f"{dice.choice(given)} {dice.choice(family)}") in taken:
        pass
    salary = round(pay * dice.uniform(0.92, 1.12) / 50) * 50 + 0.0
    number = len(crew) + 1
    email = f"{mailbox(name)}.{number}@tarn-and-trail.example"
    crew.append(Employee(number, name, title, store, manager, email, start, left, salary))
    return number
