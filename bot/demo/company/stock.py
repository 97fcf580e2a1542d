"""Stock in the stores, and the gift cards sold there."""

from collections.abc import Sequence
from datetime import date, timedelta

from bot.demo.company.chance import stream
from bot.demo.company.fulfilment import Row
from bot.demo.company.goods import Product
from bot.demo.company.places import SampleStore
from bot.demo.company.sales import PlacedOrder


def count_stock(stores: Sequence[SampleStore], products: Sequence[Product], today: date) -> list[Row]:
    """Return a row for every store and every product it carries; about one in twelve is below its reorder level."""
    rows: list[Row] = []
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


def sell_gift_cards(orders: Sequence[PlacedOrder], today: date) -> list[Row]:
    """Return a gift card for about one in sixty orders at a store; those for employees' jubilees never run out."""
    rows: list[Row] = []
    for order in orders:
        dice = stream("gift card", order.id) if order.store and order.id % 3 == 0 else None
        if dice is None or dice.random() > 0.05:
            continue
        value = dice.choice((25.0, 50.0, 50.0, 100.0, 200.0))
        left = value if dice.random() < 0.4 else round(value * dice.choice((0, 0, 0.1, 0.35, 0.62)), 2)
        until = date(order.day.year + 3, 12, 31).isoformat() if dice.random() < 0.9 else None
        code = f"TT-{dice.randint(0, 16**6):06X}-{order.id}"
        rows.append((len(rows) + 1, code, order.id, value, left, order.day.isoformat(), until))
    return rows
