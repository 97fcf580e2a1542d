"""The two sides of a comparison: what each is called, and the Yes to read it once."""

from dataclasses import replace
from typing import Literal

from router.cards import Option
from router.catalog.connection import Connection
from router.errors import Unclear
from router.jobs.compared_queries import Queried
from router.jobs.read_sql import digest
from router.jobs.results.cells import line
from router.memory.comparing import ComparedSide
from router.memory.draft import Draft, Place
from router.policy import may_approve
from router.sql.comparing.difference_rows import of_side
from router.sql.explain.tables import only_table
from router.stages.approvals import approval_of
from router.stages.tasks import Side, comparing_of, set_comparing, side_of
from router.turn import Turn

SIDES: tuple[Side, Side] = ("left", "right")

NEW_YES = "To be compared, this query needs a new Yes: the one before was for one run, or is too old."
TITLE_MAX_CHARS = 60
"""Characters of a question that stands for its query."""

Reopened = Literal["first", "second"]
"""The query that is to be confirmed again."""

REOPENING = (
    Option("first", "Change the first query", overflow=True),
    Option("second", "Change the second query", overflow=True),
)
"""The buttons that lead back to either query."""


def label_of(turn: Turn, side: Side) -> str:
    """Return the shortest name that tells a query from the other: its database, its table, or its place."""
    comparing, mine = comparing_of(turn), side_of(turn, side)
    both = [each for each in (comparing.left, comparing.right) if each]
    for name_of in (_database, _table):
        names = {name_of(turn, each) for each in both}
        if len(names) == len(both) and name_of(turn, mine):
            return name_of(turn, mine)
    return "query 1" if side == "left" else "query 2"


def title_of(turn: Turn, side: Side) -> str:
    """Return what a query is about: "orders in Production", or its question with what tells it from the other."""
    found, label = side_of(turn, side), label_of(turn, side)
    asked = found.draft.answers or (found.draft.leans and found.draft.title)
    table = _table(turn, found)
    if table and not asked:
        title = f"{table} in {connection_of(turn, side).label}"
        return of_side(title, label) if label.startswith("query ") else title
    about = asked or found.draft.title
    return of_side(f"“{line(about[:1].upper() + about[1:], TITLE_MAX_CHARS)}”" if about else "a query", label)


def _database(turn: Turn, side: ComparedSide) -> str:
    return turn.services.connections.require(side.place.connection).label


def _table(turn: Turn, side: ComparedSide) -> str:
    return only_table(side.draft.sql, turn.services.connections.require(side.place.connection).dialect.name)


def connection_of(turn: Turn, side: Side) -> Connection:
    """Return the connection that a query reads."""
    return turn.services.connections.require(side_of(turn, side).place.connection)


def approved_query(turn: Turn, side: Side) -> Queried:
    """Return a query as the jobs take it; raises Unclear if it was not approved."""
    found = side_of(turn, side)
    approval, draft = found.draft.approval, found.draft
    if approval is None:
        raise Unclear("One of the queries was not approved yet.")
    return Queried(*found.place.at, draft.sql, label_of(turn, side), approval.by, approval.digest, draft.question)


def keep_approved(turn: Turn, side: Side) -> None:
    """Keep the query that was just approved, if one was; of another text, the columns are not known."""
    memory, comparing = turn.memory, comparing_of(turn)
    if memory.draft.approval is None:
        return
    found, before = ComparedSide(memory.place, memory.draft), comparing.left if side == "left" else comparing.right
    _set_side(turn, side, found)
    if not found.is_same_query(before):
        set_comparing(turn, replace(comparing_of(turn), columns=None, name=""))
    memory.draft = Draft()
    memory.place = Place(comparing.wished[1].connection) if side == "left" else memory.place


def approve_sides(turn: Turn) -> None:
    """Take the Yes of who acts for each query that they may approve."""
    for side in SIDES:
        found = side_of(turn, side)
        if may_approve(turn.user, connection_of(turn, side), turn.owner):
            approval = approval_of(turn, digest(found.draft.sql, *found.place.at, turn.owner.id))
            _set_side(turn, side, ComparedSide(found.place, replace(found.draft, approval=approval)))


def reopen_if_asked(turn: Turn) -> Reopened | None:
    """Put a query back on the table if the person wants to change it."""
    which: Reopened | None = turn.word("first", "second")
    return which and _reopen(turn, which)


def reopen_unapproved(turn: Turn) -> Reopened | None:
    """Put a query that has no Yes (any more) back on the table, to be confirmed as any other query is."""
    for side in SIDES:
        if not _has_yes(turn, side):
            turn.note(NEW_YES)
            return _reopen(turn, "first" if side == "left" else "second")
    return None


def _reopen(turn: Turn, which: Reopened) -> Reopened:
    found = side_of(turn, "left" if which == "first" else "right")
    turn.memory.draft, turn.memory.place = replace(found.draft, method="provide", approval=None), found.place
    return which


def _has_yes(turn: Turn, side: Side) -> bool:
    """Return whether a query has a Yes that counts still."""
    found, services = side_of(turn, side), turn.services
    approval = found.draft.approval
    if approval is None or found.spent or services.clock() - approval.at > services.approval_time:
        return False
    exact = approval.digest == digest(found.draft.sql, *found.place.at, turn.owner.id)
    return exact and may_approve(approval.by, connection_of(turn, side), turn.owner)


def _set_side(turn: Turn, side: Side, found: ComparedSide) -> None:
    comparing = comparing_of(turn)
    set_comparing(turn, replace(comparing, left=found) if side == "left" else replace(comparing, right=found))
