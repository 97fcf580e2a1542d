"""What the two queries of a comparison are called, so that each is told from the other."""

from router.jobs.results.cells import line
from router.memory.comparing import ComparedSide
from router.sql.comparing.report import of_side
from router.sql.explain.explanation import only_table
from router.stages.tasks import Side, comparing_of, side_of
from router.turn import Turn

SIDES: tuple[Side, Side] = ("left", "right")

TITLE_MAX_CHARS, JOINED_MAX_CHARS = 80, 40
"""Characters of a question that stands for its query, alone and beside the other one in a line."""


def label_of(turn: Turn, side: Side) -> str:
    """Return the shortest name that tells a query from the other: its database, its table, or its place."""
    both = _both(turn)
    for name in (_database, _table):
        names = {which: name(turn, found) for which, found in both.items()}
        if len(set(names.values())) == len(both) and names[side]:
            return names[side]
    return "query 1" if side == "left" else "query 2"


def title_of(turn: Turn, side: Side, chars: int = TITLE_MAX_CHARS) -> str:
    """Return what a query is about, unlike the other: "orders in Production", its question, or what its SQL does."""
    both = _both(turn)
    about = {which: _about(turn, found, chars) for which, found in both.items()}
    title, alike = about[side], len(set(about.values())) < len(both)
    elsewhere = len({found.place.connection for found in both.values()}) > 1
    return of_side(title, label_of(turn, side)) if alike or (elsewhere and title.endswith("”")) else title


def both_titles(turn: Turn, joined: str) -> str:
    """Return what both queries are about, in a line; a question that both answer is said once."""
    left, right = side_of(turn, "left"), side_of(turn, "right")
    if (asked := left.draft.answers) and asked == right.draft.answers:
        return f"{_quoted(asked, JOINED_MAX_CHARS)}: {label_of(turn, 'left')} {joined} {label_of(turn, 'right')}"
    first, second = (title_of(turn, side, JOINED_MAX_CHARS) for side in SIDES)
    return f"{first} {joined} {second}"


def _about(turn: Turn, side: ComparedSide, chars: int) -> str:
    """Return what a query is about, whatever the other one is."""
    if asked := side.draft.answers or (side.draft.leans and side.draft.title):
        return _quoted(asked, chars)
    table, database = _table(turn, side), _database(turn, side)
    return f"{table} in {database}" if table else _quoted(side.draft.title, chars) or f"a query on {database}"


def _quoted(text: str, chars: int) -> str:
    """Return a question, or what SQL does, as it stands in a sentence; empty where there is none."""
    return f"“{line(text[:1].upper() + text[1:], chars)}”" if text else ""


def _both(turn: Turn) -> dict[Side, ComparedSide]:
    comparing = comparing_of(turn)
    found: dict[Side, ComparedSide | None] = {"left": comparing.left, "right": comparing.right}
    return {which: side for which, side in found.items() if side}


def _database(turn: Turn, side: ComparedSide) -> str:
    return turn.services.connections.demand(side.place.connection).label


def _table(turn: Turn, side: ComparedSide) -> str:
    return only_table(side.draft.sql, turn.services.connections.demand(side.place.connection).dialect.name)
