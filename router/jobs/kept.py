"""What of a query's rows was not kept, in words for people."""

from router.cards import Table, Text
from router.jobs.cells import size
from router.memory import ResultRef

CUT_CELLS = "Some cells were too long to be kept whole: they are written as they were cut."


def not_kept(result: ResultRef | Table) -> str:
    """Return sentences about rows and cells that there was no room for; empty where all is there, or `max_rows` is."""
    said = []
    if result.full:
        rows = f"The first {result.total:,} rows are" if result.total != 1 else "The first row is"
        said.append(
            f"{rows} all that was read: one result takes at most {size(result.full).replace('.0 ', ' ')} here. "
            "Ask for fewer columns or rows to see the others."
        )
    if result.shortened:
        cells = "1 cell was" if result.shortened == 1 else f"{result.shortened:,} cells were"
        said.append(f"{cells} too long to be kept whole; “… (cut: …)” at the end says how long.")
    return " ".join(said)


def told_beside(table: Table) -> tuple[Text, ...]:
    """Return what is shown beside a page of a result that is not all there."""
    words = not_kept(table)
    return (Text(words, "quiet", table.connection),) if words else ()
