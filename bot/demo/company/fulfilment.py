"""Fulfilment of the orders by today: paid, packed, sent, delivered, cancelled, sent back."""

from collections.abc import Iterable
from datetime import date, timedelta
from random import Random
from typing import Any

from bot.demo.company.facts import FACTS, Urn, stream, urn_of
from bot.demo.company.sales import OrderLine, PlacedOrder

Row = tuple[Any, ...]

_CARRIERS = Urn(FACTS["carriers"], (45, 30, 15, 10))
_PACKING_DAYS = urn_of("packing_days")
_PAYMENT_METHODS = {who: urn_of(f"{who}_payments") for who in ("counter", "consumer", "other")}
_RETURN_REASONS = (*FACTS["return_reasons"], None)


Books = dict[str, list[Row]]
"""Rows by table, in the order of its columns."""


def fulfil(orders: Iterable[PlacedOrder], today: date) -> Books:
    """Return the books as they stand on the evening of `today`; what happens later is not in them."""
    books: Books = {table: [] for table in ("orders", "order_items", "payments", "shipments", "returns")}
    for order in orders:
        _write(books, order, stream("fulfilment", order.id), today)
    for table, date_column in (("shipments", 4), ("returns", 2)):
        books[table] = _numbered(books[table], date_column)
    return books


def _numbered(rows: list[Row], by: int) -> list[Row]:
    """Return the rows with ids in the order of the date in column `by`, as if they had been written day by day."""
    return [(number, *row[1:]) for number, row in enumerate(sorted(rows, key=lambda row: (row[by], row[1])), start=1)]


def _write(books: Books, order: PlacedOrder, dice: Random, today: date) -> None:
    cancelled = dice.random() < 0.03 and order.channel == "web" and order.day < today
    if cancelled:
        books["orders"].append(_order_row(order, "cancelled", None))
        return
    total = round(sum(line.total for line in order.lines), 2)
    _pay(books, order, total, dice, today)
    status, received = ("completed", order.day) if order.channel == "store" else _ship(books, order, dice, today)
    sent_back = [_write_line(books, order, line, dice, received, today) for line in order.lines]
    books["orders"].append(_order_row(order, "returned" if all(sent_back) else status, total))


def _order_row(order: PlacedOrder, status: str, total: float | None) -> Row:
    store, employee, campaign = order.store, order.employee, order.campaign
    places = (store and store.id, employee and employee.id, campaign and campaign.id)
    return (order.id, order.customer.id, order.channel, *places, order.day, status, total)


def _pay(books: Books, order: PlacedOrder, total: float, dice: Random, today: date) -> None:
    payer = "consumer" if order.customer.segment == "consumer" else "other"
    method = _PAYMENT_METHODS["counter" if order.channel == "store" else payer].draw(dice)
    wait = {"invoice": dice.randint(8, 45), "bank transfer": dice.randint(1, 3)}.get(method, 0)
    forgotten = method == "invoice" and dice.random() < 0.02
    clock, second = _clock(dice), _clock(dice)
    if method in ("card", "paypal") and dice.random() < 0.03:
        tried_at = moment(order.day, clock, today)
        books["payments"].append((len(books["payments"]) + 1, order.id, method, total, "failed", tried_at))
        clock = max(clock, second)
    paid_on = order.day + timedelta(wait)
    settled = paid_on <= today and not forgotten
    paid_at = moment(paid_on, clock, today) if settled else None
    books["payments"].append(
        (len(books["payments"]) + 1, order.id, method, total, "paid" if settled else "open", paid_at)
    )


def _clock(dice: Random) -> int:
    return dice.randint(8 * 3600, 20 * 3600)


def moment(day: date, second: int, today: date) -> str:
    """Return a timestamp; today's are moved to the small hours, so that none lies ahead of whoever looks at it."""
    second = second if day < today else second // 3
    return f"{day.isoformat()} {second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"


def _ship(books: Books, order: PlacedOrder, dice: Random, today: date) -> tuple[str, date | None]:
    """Write the shipment, if it has left; return the order's status, and the day of its arrival."""
    packed = order.day + timedelta(_PACKING_DAYS.draw(dice))
    carrier = _CARRIERS.draw(dice)
    arrives = packed + timedelta(
        max(1, order.customer.country.days + carrier["slower"] + dice.choice((0, 0, 0, 1, 1, 2, 4)))
    )
    lost, tracked = dice.random() < 0.004, dice.random() < 0.93
    price = round(carrier["cost"] + 1.1 * order.customer.country.days + dice.randint(0, 900) / 100, 2)
    code = f"{carrier['name'][:2].upper()}{dice.randint(10**9, 10**10 - 1)}" if tracked else None
    if packed > today:
        return ("pending" if order.day == today else "processing"), None
    delivered = arrives if arrives <= today and not lost else None
    books["shipments"].append((0, order.id, carrier["name"], code, packed, delivered, price))
    return ("completed" if delivered else "shipped"), delivered


def _write_line(
    books: Books, order: PlacedOrder, line: OrderLine, dice: Random, received: date | None, today: date
) -> bool:
    """Write the line and its return, if there was one by today; return whether all of it came back."""
    number = len(books["order_items"]) + 1
    books["order_items"].append(
        (number, order.id, line.product.id, line.quantity, line.price, line.discount, line.total)
    )
    away = line.product.category.returned * (1.3 if order.channel == "web" else 0.5)
    if dice.random() > away:
        return False
    days, reason, count = dice.randint(2, 25), dice.choice(_RETURN_REASONS), dice.randint(1, line.quantity)
    if received is None or received + timedelta(days) > today:
        return False
    books["returns"].append(
        (0, number, received + timedelta(days), count, reason, round(line.total / line.quantity * count, 2))
    )
    return count == line.quantity
