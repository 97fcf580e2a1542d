"""The sample company's campaigns: the same five every year, and a discount on web orders while they run."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from bot.demo.company.chance import stream


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign; `discount` is taken off the lines of the orders it brought."""

    id: int
    name: str
    channel: str
    start: date
    end: date
    budget: float | None
    discount: float


_YEARLY = (
    ("Winter Clearance", "email", (1, 8), 24, 0.3),
    ("Spring Ride", "social", (4, 5), 27, 0.1),
    ("Summer Outdoors", "search", (6, 20), 30, 0.1),
    ("Back to School", "email", (8, 24), 18, 0.1),
    ("Black Week", "display", (11, 20), 10, 0.2),
)


def plan_campaigns(first: date, today: date) -> list[Campaign]:
    """Return the campaigns that have started since `first`, oldest first; every fifth or so has no budget on record."""
    campaigns: list[Campaign] = []
    for year in range(first.year, today.year + 1):
        dice = stream("campaigns", year)
        for name, channel, (month, day), length, discount in _YEARLY:
            start = date(year, month, day)
            budget = dice.randint(40, 240) * 100.0 if dice.random() < 0.8 else None
            if start <= today:
                end = start + timedelta(length)
                campaigns.append(Campaign(len(campaigns) + 1, f"{name} {year}", channel, start, end, budget, discount))
    return campaigns


def find_campaign(campaigns: Sequence[Campaign], day: date) -> Campaign | None:
    """Return the campaign that runs on `day`."""
    return next((c for c in campaigns if c.start <= day <= c.end), None)
