"""How the warehouse's tables differ from the company's: one row of `COPIES` a table that is not a plain copy.

Conditions and values are SQL over the company's table; `:taken` is the day whose evening the copy shows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Old = tuple[str, str]
"""The rows whose copy shows an older value, as a condition, and that value."""

Written = tuple[str, str]
"""The declared type of a column that the copy writes in another form, and that form, with {} for the value."""


@dataclass(frozen=True, slots=True)
class Copy:
    """What happens to a table: `missing` rows stay behind, `repeated` ones come twice, `extra` ones are new."""

    name: str = ""
    missing: str = "0"
    repeated: str = "0"
    old: Mapping[str, Old] = field(default_factory=dict)
    written: Mapping[str, Written] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    extra: tuple[tuple[Any, ...], ...] = ()


_LATER_ORDERS = "order_id IN (SELECT id FROM company.orders WHERE order_date > :taken)"
_LATER_LINES = f"order_item_id IN (SELECT id FROM company.order_items WHERE {_LATER_ORDERS})"
_SENT_LATER = "id IN (SELECT order_id FROM company.shipments WHERE shipped_date > :taken)"
_RECEIVED_LATER = (
    "id IN (SELECT order_id FROM company.shipments WHERE shipped_date <= :taken AND delivered_date > :taken)"
)
_RETURNED_LATER = (
    "status = 'returned' AND id IN (SELECT i.order_id FROM company.order_items AS i"
    " JOIN company.returns AS r ON r.order_item_id = i.id WHERE r.return_date > :taken)"
)
_CLOSED_LATER = "date(closed_at) > :taken"

_YES_NO = ("CHAR(1)", "CASE WHEN {} THEN 'Y' ELSE 'N' END")
_PLAIN_DATE = ("CHAR(8)", "replace({}, '-', '')")
_TWO_DIGITS = ("VARCHAR(12)", "printf('%.2f', {})")

COPIES: dict[str, Copy] = {
    "customers": Copy(
        missing="joined_on > :taken",
        old={"email": ("email IS NOT NULL AND id % 211 = 17", "'old.' || email")},
        written={"newsletter": _YES_NO},
        renamed={"name": "cust_name"},
    ),
    "products": Copy(
        name="dim_products",
        old={"price": ("id % 37 = 5", "round(price - 10, 2)")},
        written={"active": _YES_NO},
        renamed={"name": "product_name"},
        dropped=("description", "thumbnail"),
    ),
    "campaigns": Copy(
        missing="start_date > :taken",
        # Somebody's trial, deleted at the source since.
        extra=((9001, "TEST do not use", "email", "2020-02-01", "2020-02-29", None),),
    ),
    "orders": Copy(
        missing="order_date > :taken",
        old={
            "status": (
                f"{_SENT_LATER} OR {_RECEIVED_LATER} OR {_RETURNED_LATER}",
                f"CASE WHEN {_SENT_LATER} THEN 'processing' WHEN {_RECEIVED_LATER} THEN 'shipped' ELSE 'completed' END",
            )
        },
        renamed={"total_amount": "total"},
    ),
    "order_items": Copy(missing=_LATER_ORDERS),
    "payments": Copy(
        # One batch in the middle was lost, another was loaded twice.
        missing=f"{_LATER_ORDERS} OR id BETWEEN 9120 AND 9131",
        repeated="id BETWEEN 15000 AND 15004",
        old={
            "status": ("status = 'paid' AND date(paid_at) > :taken", "'open'"),
            "paid_at": ("date(paid_at) > :taken", "NULL"),
        },
        written={"amount": _TWO_DIGITS},
    ),
    "shipments": Copy(
        missing="shipped_date > :taken",
        old={"delivered_date": ("delivered_date > :taken", "NULL")},
        written={"shipped_date": _PLAIN_DATE, "delivered_date": _PLAIN_DATE},
    ),
    "returns": Copy(missing=f"return_date > :taken OR {_LATER_LINES}"),
    "inventory": Copy(
        old={
            "quantity": ("counted_on > :taken", "quantity + 3"),
            "counted_on": ("counted_on > :taken", "date(:taken, '-30 days')"),
        },
    ),
    "support_tickets": Copy(
        missing="date(opened_at) > :taken",
        old={
            "status": (_CLOSED_LATER, "'open'"),
            "closed_at": (_CLOSED_LATER, "NULL"),
            "satisfaction": (_CLOSED_LATER, "NULL"),
        },
    ),
    "gift cards": Copy(missing='"issuedOn" > :taken'),
}
