"""Whether the table of an order is there as its mode needs it, and which of its columns are written."""

from router.sql.writing.order import Column, Existing, Field, Order
from router.sql.writing.refusal import Refusal, nothing_written

MOST_COUNTED = 1_000_000
"""Rows of a table beyond which nobody counts on."""


def demand_mode(order: Order, there: Existing | None) -> None:
    """Do nothing if the order can go on with what is there; raises Refusal."""
    name = f'"{order.table}"' + (f' in the schema "{order.schema}"' if order.schema else "")
    if there is None:
        if order.mode in ("append", "truncate"):
            raise nothing_written(f"There is no table {name} (any more)", "Choose another one, or create it.")
    elif order.mode == "create":
        raise taken(order)
    elif there.view:
        raise nothing_written(f"{name} is a view, and only tables are written", "Choose a table, or another name.")


def demand_seen(order: Order, there: Existing | None) -> None:
    """Do nothing if what is deleted is what a person was told of; `there` was counted. Raises Refusal."""
    if order.deletes and there is not None and there.seen != order.seen:
        raise nothing_written(
            f'"{order.table}" has other rows than when this was approved: {there.seen:,} now, {order.seen:,} then',
            "Look at it again.",
        )


def taken(order: Order) -> Refusal:
    """Return the refusal for a new table whose name somebody else has."""
    return nothing_written(
        f'There is a table or view "{order.table}" already',
        "Choose another name, or add the rows to it, or replace it.",
    )


def chosen(order: Order, there: Existing, caseless: bool = False) -> tuple[Field, ...]:
    """Return the columns of the table that the order names, as they are now; raises Refusal for one that is not there.

    Also for a column that nobody gives a value and that must have one.
    """
    columns = {_key(column.field.name, caseless): column for column in there.columns}
    fields: list[Field] = []
    for field in order.fields:
        column = columns.pop(_key(field.name, caseless), None)
        if column is None:
            raise nothing_written(
                f'"{order.table}" has no column "{field.name}" (any more)', "Choose the columns again."
            )
        if column.generated:
            raise nothing_written(
                f'The column "{column.field.name}" is computed by the database', "Leave it out of what is written."
            )
        fields.append(column.field)
    for column in columns.values():
        if unfilled(column):
            raise nothing_written(
                f'The column "{column.field.name}" must have a value, and none of the columns is written into it',
                "Choose one for it.",
            )
    return tuple(fields)


def unfilled(column: Column) -> bool:
    """Tell whether a column must be given a value, as neither NULL nor the database fills it."""
    return not (column.nullable or column.filled or column.generated)


def _key(name: str, caseless: bool) -> str:
    return name.casefold() if caseless else name
