"""Sales of the sample company: campaigns, gift cards, and orders day by day, with seasons, growth and weekends."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from random import Random
from typing import Any, Literal

from bot.demo.company.facts import FACTS, Urn, days_of, stream, urn_of
from bot.demo.company.goods import Product
from bot.demo.company.people import Customer, Employee
from bot.demo.company.places import SampleStore

ORDERS_A_DAY = 19

_LINES, _QUANTITIES = urn_of("order_lines"), urn_of("quantities")


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign; `discount` is taken off the lines of the orders it brought."""

    id: int
    name: str
    channel: str
    start_date: date
    end_date: date
    budget: float | None
    discount: float


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One product of an order; `total` is exact to the cent."""

    product: Product
    quantity: int
    price: float
    discount: float
    total: float


@dataclass(frozen=True, slots=True)
class PlacedOrder:
    """An order as it was placed; what became of it is decided by `fulfilment`."""

    id: int
    customer: Customer
    channel: Literal["web", "store"]
    store: SampleStore | None
    employee: Employee | None
    campaign: Campaign | None
    day: date
    lines: tuple[OrderLine, ...]


@dataclass(frozen=True, slots=True)
class Market:
    """Everything that can be part of an order."""

    customers: Sequence[Customer]
    products: Sequence[Product]
    stores: Sequence[SampleStore]
    employees: Sequence[Employee]
    campaigns: Sequence[Campaign]


def plan_campaigns(first: date, today: date) -> list[Campaign]:
    """Return the campaigns that have started since `first`, oldest first; every fifth or so has no budget on record."""
    campaigns: list[Campaign] = []
    for year in range(first.year, today.year + 1):
        dice = stream("campaigns", year)
        for fact in FACTS["campaigns"]:
            start = date(year, fact["month"], fact["day"])
            budget = dice.randint(40, 240) * 100.0 if dice.random() < 0.8 else None
            if start <= today:
                number, end = len(campaigns) + 1, start + timedelta(fact["days"])
                name, channel, discount = f"{fact['name']} {year}", fact["channel"], fact["discount"]
                campaigns.append(Campaign(number, name, channel, start, end, budget, discount))
    return campaigns


def place_orders(market: Market, first: date, today: date) -> Iterator[PlacedOrder]:
    """Yield the orders from `first` to `today`, oldest first; at least a dozen a day, also on the last one."""
    urn = Urn(market.customers, [customer.weight for customer in market.customers])
    joined = [customer.joined_on for customer in market.customers]
    goods = [_goods_of(market.products, month) for month in range(12)]
    counters = _Counters(market)
    number = 0
    for day in days_of(first, today):
        dice = stream("orders", day)
        known = bisect_right(joined, day)
        campaign = next((each for each in market.campaigns if each.start_date <= day <= each.end_date), None)
        for _ in range(_demand(day, first, dice)):
            number += 1
            customer = urn.draw(dice, known)
            store = counters.choose(dice, customer, day)
            channel: Literal["web", "store"] = "store" if store else "web"
            seller = counters.seller(dice, store, day) if store else None
            brought = campaign if campaign and not store and dice.random() < 0.35 else None
            lines = _fill_basket(dice, customer, brought, goods[day.month - 1], day)
            yield PlacedOrder(number, customer, channel, store, seller, brought, day, lines)


def _demand(day: date, first: date, dice: Random) -> int:
    growth = 1 + 0.11 * (day - first).days / 365
    wish: float = ORDERS_A_DAY * growth * FACTS["months"][day.month - 1] * FACTS["weekdays"][day.weekday()]
    return max(12, round(wish * dice.uniform(0.8, 1.2)))


def _goods_of(products: Sequence[Product], month: int) -> Urn[Product]:
    return Urn(products, [p.liked * FACTS["seasons"][p.category.department][month] for p in products])


class _Counters:
    """The stores' counters: who buys where, and who serves them."""

    def __init__(self, market: Market) -> None:
        crews: dict[int, list[Employee]] = {store.id: [] for store in market.stores}
        for employee in market.employees:
            if employee.store_id is not None and employee.job_title != "Bicycle Mechanic":
                crews[employee.store_id].append(employee)
        self._stores = market.stores
        # Asked for every order, with few different days and countries.
        self._nearby = cache(self._find_nearby)
        self._sellers = cache(lambda store_id, day: [e for e in crews[store_id] if e.works(day)])

    def choose(self, dice: Random, customer: Customer, day: date) -> SampleStore | None:
        """Return the store where the customer buys today, or None for the web shop."""
        nearby = self._nearby(customer.country.id, day)
        if not nearby or dice.random() > (0.55 if customer.segment == "consumer" else 0.2):
            return None
        return dice.choices(nearby, [store.pull for store in nearby])[0]

    def seller(self, dice: Random, store: SampleStore, day: date) -> Employee:
        """Return one of those who work in `store` on `day`."""
        return dice.choice(self._sellers(store.id, day))

    def _find_nearby(self, country: int, day: date) -> list[SampleStore]:
        return [store for store in self._stores if store.country_id == country and store.opened_on <= day]


def _fill_basket(
    dice: Random, customer: Customer, campaign: Campaign | None, goods: Urn[Product], day: date
) -> tuple[OrderLine, ...]:
    organisation = customer.segment != "consumer"
    wanted = _LINES.draw(dice) + (organisation and dice.randint(0, 2))
    picked: dict[int, Product] = {}
    while len(picked) < wanted:
        product = goods.draw(dice)
        if product.launched_on <= day and (product.ended_on is None or product.ended_on > day):
            picked[product.id] = product
    usual = 0.1 if organisation and dice.random() < 0.5 else 0.0
    discount = campaign.discount if campaign else usual
    return tuple(_line(dice, product, organisation, discount, day) for product in picked.values())


def _line(dice: Random, product: Product, organisation: bool, discount: float, day: date) -> OrderLine:
    price = product.prices[day.year]
    quantity = _QUANTITIES.draw(dice)
    if organisation:
        quantity += dice.randint(0, 2 if price > 400 else 5)
    return OrderLine(product, quantity, price, discount, round(quantity * price * (1 - discount), 2))


def sell_gift_cards(orders: Sequence[PlacedOrder], today: date) -> list[tuple[Any, ...]]:
    """Return a gift card for about one in sixty orders at a store; those for employees' jubilees never run out."""
    rows: list[tuple[Any, ...]] = []
    for order in orders:
        dice = stream("gift card", order.id) if order.store and order.id % 3 == 0 else None
        if dice is None or dice.random() > 0.05:
            continue
        value = dice.choice((25.0, 50.0, 50.0, 100.0, 200.0))
        left = value if dice.random() < 0.4 else round(value * dice.choice((0, 0, 0.1, 0.35, 0.62)), 2)
        until = date(order.day.year + 3, 12, 31) if dice.random() < 0.9 else None
        code = f"TT-{dice.randint(0, 16**6):06X}-{order.id}"
        rows.append((len(rows) + 1, code, order.id, value, left, order.day, until))
    return rows
