"""Sales of the sample company: campaigns, and orders day by day, with seasons, growth and weekends."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

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


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One product of an order; `line_total` is exact to the cent. Its id is given by the database."""

    order_id: int
    product_id: int
    quantity: int
    unit_price: float
    discount: float
    line_total: float
    id: None = None


@dataclass(frozen=True, slots=True)
class PlacedOrder:
    """An order as it was placed; what became of it is decided by `books.sql`."""

    id: int
    customer_id: int
    channel: str
    store_id: int | None
    employee_id: int | None
    campaign_id: int | None
    order_date: date
    lines: list[OrderLine]
    status: str = "placed"
    total_amount: None = None


@dataclass(frozen=True, slots=True)
class Market:
    """Everything that can be part of an order."""

    customers: Sequence[Customer]
    products: Sequence[Product]
    stores: Sequence[SampleStore]
    employees: Sequence[Employee]
    campaigns: Sequence[Campaign]


def place_orders(market: Market, first: date, today: date) -> Iterator[PlacedOrder]:
    """Yield the orders from `first` to `today`, oldest first; at least a dozen a day, also on the last one."""
    urn = Urn(market.customers, [customer.weight for customer in market.customers])
    joined = [customer.joined_on for customer in market.customers]
    goods = [_goods_of(market.products, month) for month in range(12)]
    number = 0
    for day in days_of(first, today):
        dice = stream("orders", day)
        known = bisect_right(joined, day)
        campaign = next((each for each in market.campaigns if each.start_date <= day <= each.end_date), None)
        for _ in range(_require(day, first, dice)):
            number += 1
            customer = urn.draw(dice, known)
            store = _choose_store(dice, market.stores, customer, day)
            seller = _choose_seller(dice, market.employees, store, day) if store else None
            brought = campaign if campaign and not store and dice.random() < 0.35 else None
            lines = _fill_basket(dice, customer, brought, goods[day.month - 1], day, number)
            yield PlacedOrder(
                id=number,
                customer_id=customer.id,
                channel="store" if store else "web",
                store_id=store.id if store else None,
                employee_id=seller.id if seller else None,
                campaign_id=brought.id if brought else None,
                order_date=day,
                lines=lines,
            )


def _require(day: date, first: date, dice: Random) -> int:
    growth = 1 + 0.11 * (day - first).days / 365
    wish: float = ORDERS_A_DAY * growth * FACTS["months"][day.month - 1] * FACTS["weekdays"][day.weekday()]
    return max(12, round(wish * dice.uniform(0.8, 1.2)))


def _goods_of(products: Sequence[Product], month: int) -> Urn[Product]:
    return Urn(products, [p.liked * FACTS["seasons"][p.category.department][month] for p in products])


def _choose_store(dice: Random, stores: Sequence[SampleStore], customer: Customer, day: date) -> SampleStore | None:
    """Return the store where the customer buys today, or None for the web shop."""
    nearby = [store for store in stores if store.country_id == customer.country.id and store.opened_on <= day]
    if not nearby or dice.random() > (0.55 if customer.segment == "consumer" else 0.2):
        return None
    return dice.choices(nearby, [store.pull for store in nearby])[0]


def _choose_seller(dice: Random, employees: Sequence[Employee], store: SampleStore, day: date) -> Employee:
    """Return one of those who sell in `store` on `day`."""
    crew = [each for each in employees if each.store_id == store.id and each.is_employed(day)]
    return dice.choice([each for each in crew if each.job_title != "Bicycle Mechanic"])


def _fill_basket(
    dice: Random, customer: Customer, campaign: Campaign | None, goods: Urn[Product], day: date, number: int
) -> list[OrderLine]:
    organisation = customer.segment != "consumer"
    wanted = _LINES.draw(dice) + (organisation and dice.randint(0, 2))
    picked: dict[int, Product] = {}
    while len(picked) < wanted:
        product = goods.draw(dice)
        if product.launched_on <= day and (product.ended_on is None or product.ended_on > day):
            picked[product.id] = product
    usual = 0.1 if organisation and dice.random() < 0.5 else 0.0
    discount = campaign.discount if campaign else usual
    return [_line(dice, product, organisation, discount, day, number) for product in picked.values()]


def _line(dice: Random, product: Product, organisation: bool, discount: float, day: date, number: int) -> OrderLine:
    price = product.prices[day.year]
    quantity = _QUANTITIES.draw(dice)
    if organisation:
        quantity += dice.randint(0, 2 if price > 400 else 5)
    return OrderLine(number, product.id, quantity, price, discount, round(quantity * price * (1 - discount), 2))
