"""Support tickets of the sample company's customers."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

from bot.demo.company.facts import FACTS, days_of, stream
from bot.demo.company.fulfilment import Row, moment
from bot.demo.company.people import Employee
from bot.demo.company.sales import PlacedOrder

_COMPLAINTS_MAX = 400
"""Times that the most patient customer repeats the complaint in one message."""


def open_tickets(orders: Sequence[PlacedOrder], agents: Sequence[Employee], first: date, today: date) -> list[Row]:
    """Return the tickets of each day; the last days' are open, and so are a few that somebody forgot."""
    days = [order.day for order in orders]
    rows: list[Row] = []
    for day in days_of(first, today):
        dice = stream("tickets", day)
        recent = bisect_left(days, day - timedelta(30)), bisect_left(days, day + timedelta(1))
        for _ in range(dice.randint(1, 4)):
            order = orders[dice.randrange(*recent)]
            rows.append((len(rows) + 1, *_ticket(order, agents, day, dice, today, len(rows) + 1)))
    return rows


def _ticket(order: PlacedOrder, agents: Sequence[Employee], day: date, dice: Random, today: date, number: int) -> Row:
    priority = dice.choices(FACTS["priorities"], (30, 48, 17, 5))[0]
    subject = dice.choice(FACTS["subjects"])
    names_order, forgotten = dice.random() < 0.8, dice.random() < 0.012
    score = dice.choice((None, None, 1, 2, 3, 4, 5, 5))
    opened, answered = dice.randint(8 * 3600, 16 * 3600), dice.randint(16 * 3600, 21 * 3600)
    closes = day + timedelta(dice.randint(0, priority["hours"]) // 24)
    agent = dice.choice(agents)
    new = day >= today - timedelta(1) and dice.random() < 0.6
    closed = closes <= today and not forgotten and not new
    status = "closed" if closed else "open" if new or dice.random() < 0.7 else "waiting"
    return (
        order.customer.id,
        order.id if names_order else None,
        None if new else agent.id,
        subject["subject"],
        priority["name"],
        status,
        moment(day, opened, today),
        moment(closes, answered, today) if closed else None,
        score if closed else None,
        "\n".join([subject["message"]] * (_COMPLAINTS_MAX if number == 100 else dice.randint(1, 3))),
    )
