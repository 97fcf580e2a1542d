"""Employees of the sample company: a head office, support agents and a crew in every store."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from bot.demo.company.chance import stream
from bot.demo.company.customers import mailbox
from bot.demo.company.places import COUNTRIES, FIRST_AND_LAST_NAMES, SampleStore

HEAD_OFFICE = (
    ("Managing Director", 148000),
    ("Head of Sales", 104000),
    ("Head of Purchasing", 99000),
    ("Head of Web Shop", 97000),
    ("Head of Customer Support", 82000),
    ("Accountant", 61000),
    ("Data Analyst", 58000),
    ("Buyer", 54000),
    ("Web Developer", 63000),
    ("Marketing Manager", 66000),
)
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

    def works(self, day: date) -> bool:
        """Tells whether they were employed on `day`."""
        return self.hired_on <= day and (self.left_on is None or self.left_on > day)


def hire_employees(stores: Sequence[SampleStore], today: date) -> list[Employee]:
    """Return all employees: the director first, then the head office, the agents and the stores' crews.

    Every store has had somebody to sell since it opened; of those who joined later, some have left again.
    """
    dice = stream("employees", today.year)
    founded = date(today.year - 15, 1, 2)
    crew: list[Employee] = []
    for title, salary in HEAD_OFFICE:
        manager = crew[0].id if crew else None
        crew.append(_hire(crew, dice, title, None, manager, "de", founded + timedelta(dice.randint(0, 4000)), salary))
    lead = next(e for e in crew if e.job_title == "Head of Customer Support")
    for _ in range(AGENTS):
        start = founded + timedelta(dice.randint(1500, 3900))
        crew.append(_hire(crew, dice, "Support Agent", None, lead.id, "en", start, 39000))
    for store in stores:
        _staff(crew, dice, store, today)
    return crew


def _staff(crew: list[Employee], dice: Random, store: SampleStore, today: date) -> None:
    language = COUNTRIES[store.country_id - 1].language
    head_of_sales = crew[1].id
    manager = _hire(crew, dice, "Store Manager", store, head_of_sales, language, store.opened_on, 56000)
    crew.append(manager)
    for place in range(2 + store.pull // 2 + dice.randint(0, 3)):
        title = "Sales Associate" if place % 3 else "Bicycle Mechanic"
        since = 0 if place == 1 else dice.randint(0, max((date(today.year, 1, 1) - store.opened_on).days, 0))
        start = store.opened_on + timedelta(since)
        leaves = place > 1 and dice.random() < 0.2
        left = start + timedelta(dice.randint(120, 1400)) if leaves else None
        left = left if left is None or left <= today else None
        crew.append(_hire(crew, dice, title, store, manager.id, language, start, 35500, left))


def _hire(
    crew: Sequence[Employee],
    dice: Random,
    title: str,
    store: SampleStore | None,
    manager: int | None,
    language: str,
    start: date,
    pay: int,
    left: date | None = None,
) -> Employee:
    given, family = FIRST_AND_LAST_NAMES[language]
    names = {employee.name for employee in crew}
    name = next(n for n in (f"{dice.choice(given)} {dice.choice(family)}" for _ in range(1000)) if n not in names)
    salary = round(pay * dice.uniform(0.92, 1.12) / 50) * 50 + 0.0
    number = len(crew) + 1
    email = f"{mailbox(name)}.{number}@tarn-and-trail.example"
    return Employee(number, name, title, store.id if store else None, manager, email, start, left, salary)
