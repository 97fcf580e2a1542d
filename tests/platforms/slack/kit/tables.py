"""The two blocks that hold rows."""

from typing import Any

from tests.platforms.slack.kit.check import Check, Found, boolean, many, number, one_of, shape, string, typed
from tests.platforms.slack.kit.rich import rich_cell, words_of

TEXT = shape({"text": string(100_000, 1)})
NUMBER = shape({"value": number(), "text": string(100_000, 1)})
CELLS: dict[str, Check] = {"raw_text": TEXT, "raw_number": NUMBER, "rich_text": rich_cell}
HEADER = ("raw_text", "raw_number")
COLUMN = shape({}, {"align": one_of("left", "center", "right"), "is_wrapped": boolean})


def column(value: Any, path: str, found: Found) -> None:
    """Demand the settings of one column, or null for the usual ones."""
    if value is not None:
        COLUMN(value, path, found)


TABLE_FIELDS = shape(
    {"rows": many(many(typed(CELLS), most=20), most=100)}, {"column_settings": many(column, least=0, most=20)}
)
# The page of the block says 100 rows under the header, an example elsewhere 200: the stricter one holds here.
DATA_TABLE_FIELDS = shape(
    {"rows": many(many(typed(CELLS), most=20), least=2, most=101), "caption": string(3000, 1)},
    {"page_size": number(1, 100, whole=True), "row_header_column_index": number(0, 19, whole=True)},
)


def characters(rows: Any) -> int:
    """Count the characters of all cells."""
    if not isinstance(rows, list):
        return 0
    cells = [cell for row in rows if isinstance(row, list) for cell in row if isinstance(cell, dict)]
    return sum(len(_shown(cell)) for cell in cells)


def _shown(cell: dict[str, Any]) -> str:
    if "elements" in cell:
        return words_of(cell)
    return str(cell.get("text", cell.get("value", "")))


def table(value: Any, path: str, found: Found) -> None:
    """Check a table: 100 rows of 20 cells, 10,000 characters."""
    TABLE_FIELDS(value, path, found)
    if characters(value.get("rows")) > 10_000:
        found.say("table exceeds the maximum of 10000 characters", f"{path}/rows")


def data_table(value: Any, path: str, found: Found) -> None:
    """Check a data_table: a header and 100 rows of one width, 20,000 characters."""
    DATA_TABLE_FIELDS(value, path, found)
    rows = value.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return
    if characters(rows) > 20_000:
        found.say("data_table exceeds the maximum of 20000 characters", f"{path}/rows")
    if len({len(row) for row in rows}) > 1:
        found.say("all rows must have the same number of cells", f"{path}/rows")
    for number_, cell in enumerate(rows[0] if rows else []):
        if isinstance(cell, dict) and cell.get("type") not in HEADER:
            found.say(f"unsupported type: {cell.get('type')}", f"{path}/rows/0/{number_}/type")
    index = value.get("row_header_column_index", 0)
    if rows and isinstance(index, int) and index >= len(rows[0]):
        found.say("row_header_column_index is not a column", f"{path}/row_header_column_index")
