"""Rows that are odd as the answer to a question: there are none, or all of their values are empty."""

from router.cards import Table
from router.language.phrases import has_phrase

NO_ROWS = (
    "The query ran and found no rows: nothing in the data meets all of its conditions at once. Ask for fewer of them, "
    "or in other words."
)
NONE_JOINED = "The query ran and found no rows: none is left after its joins. What they leave out stands below."
NONE_OF_THEM = "The query ran and found no rows: there is nothing of which this holds."
ALL_EMPTY = "All of its values are empty: what you want to know may be kept elsewhere. Ask in other words."


def odd(question: str, table: Table, compared: bool) -> str:
    """Return what is to be said of rows that say nothing; "" where they look right."""
    negated = has_phrase("values.negated", question)
    if not table.total:
        if table.unmatched:
            return NONE_JOINED
        return "There are no rows to show." if compared else NONE_OF_THEM if negated else NO_ROWS
    empty = table.total == len(table.rows) and all(cell is None for row in table.rows for cell in row)
    return ALL_EMPTY if empty and not compared and not negated else ""
