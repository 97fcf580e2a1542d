"""How rows go to a server: as arrays by the driver's executemany, or as INSERTs of many rows each."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from router.sql.writing.fitting import Row
from router.sql.writing.names import quoted
from router.sql.writing.order import Field
from router.sql.writing.server_tongues import Tongue, valued

Send = Callable[[Any, list[Row]], None]


def inserting(name: str, fields: Sequence[Field], tongue: Tongue, module: Any) -> Send:
    """Return a function that sends rows into the table `name`, which is quoted, through a cursor."""
    columns = ", ".join(quoted(field.name, mark=tongue.quote) for field in fields)
    marks = ", ".join(_mark(field, number, tongue) for number, field in enumerate(fields, 1))
    insert = valued(f"INSERT INTO {name} ({columns}) VALUES ", tongue)
    sizes = [_size(field, tongue, module) for field in fields]

    def arrays(cursor: Any, rows: list[Row]) -> None:
        if any(sizes):
            cursor.setinputsizes(*sizes)
        cursor.executemany(f"{insert}({marks})", rows)

    def many(cursor: Any, rows: list[Row]) -> None:
        for start in range(0, len(rows), tongue.many):
            part = rows[start : start + tongue.many]
            cursor.execute(insert + ", ".join([f"({marks})"] * len(part)), tuple(chain.from_iterable(part)))

    return many if tongue.many else arrays


def _mark(field: Field, number: int, tongue: Tongue) -> str:
    mark = tongue.mark.format(number=number)
    return tongue.marks.get(field.kind, "{mark}").format(mark=mark)


def _size(field: Field, tongue: Tongue, module: Any) -> Any:
    found = tongue.sizes.get(field.native.upper())
    return getattr(module, found) if found else None
