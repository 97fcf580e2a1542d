"""Places of the sample company: countries with their customers' languages, and stores."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from bot.demo.company.facts import FACTS, read_facts


@dataclass(frozen=True, slots=True)
class Country:
    """A country; `share` weighs its customers."""

    id: int
    code: str
    name: str
    region: str
    share: int
    phone: str
    language: str
    cities: Sequence[str]


@dataclass(frozen=True, slots=True)
class SampleStore:
    """A store; `pull` weighs its orders among those of its country."""

    id: int
    name: str
    city: str
    country_id: int
    opened_on: date
    floor_area_m2: int | None
    pull: int


COUNTRIES = read_facts("countries", Country)
COUNTRY_BY_CODE = {country.code: country for country in COUNTRIES}


def open_stores(today: date) -> list[SampleStore]:
    """Return the stores that are open on `today`; the youngest two opened within the last years."""
    stores = [
        SampleStore(
            number,
            fact["name"],
            fact["city"],
            COUNTRY_BY_CODE[fact["country"]].id,
            date(today.year - fact["years"], fact["month"], fact["day"]),
            fact.get("area"),
            fact["pull"],
        )
        for number, fact in enumerate(FACTS["stores"], 1)
    ]
    return [store for store in stores if store.opened_on <= today]
