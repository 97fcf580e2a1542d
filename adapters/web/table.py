"""A page of a result as a table whose heads sort."""

from collections.abc import Callable
from typing import Literal, cast

from nicegui.element import Element
from nicegui.events import GenericEventArguments

from adapters.fitting import cut
from adapters.plain import count_of
from router.cards import Table

WIDEST = 400
"""Characters of a cell that are sent to a browser."""

Sort = Callable[[int, Literal["up", "down"]], None]


def cells_for_page(table: Table) -> list[list[str | None]]:
    """Return the rows as a browser gets them."""
    return [[None if cell is None else cut(cell, WIDEST) for cell in row] for row in table.rows]


class ResultTable(Element, component="table.js"):
    """The table itself; `on_sort` is called with the column's index and the direction that its head was pressed for."""

    def __init__(self, table: Table, on_sort: Sort | None) -> None:
        super().__init__()
        self.props["columns"] = [{"name": cut(head.name, WIDEST), "kind": head.kind} for head in table.columns]
        self.props["rows"] = cells_for_page(table)
        self.props["sort"] = list(table.sort) if table.sort else None
        self.props["sortable"] = on_sort is not None and bool(table.result) and table.total > 1
        self.props["caption"] = f"Result: {count_of(table)}"

        def sort(event: GenericEventArguments) -> None:
            index, direction = event.args
            assert on_sort is not None
            on_sort(int(index), cast(Literal["up", "down"], direction))

        if on_sort:
            self.on("sort", sort)
