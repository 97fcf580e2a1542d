"""Which columns of two queries belong together, and which tell the rows apart: proposed, and confirmed by a person."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Literal

from router.cards import Buttons, Card, Head, Option, Table, Text
from router.comparing import Columns, ComparedSide, Lenience, Matched
from router.errors import Unclear
from router.jobs.match_sql import Likeness, MatchSql
from router.jobs.payloads import MATCH_SQL, likeness_of
from router.machine import Ask, Work
from router.memory import Draft
from router.policy import demand_read
from router.sql.comparing.plan import Pair, Plan, Tolerances
from router.sql.comparing.saying import tolerated
from router.stages.compare_sides import change, comparing_of, label_of, queried
from router.turn import Turn

MOST_NAMED = 12
"""Columns that a sentence names."""


class MatchColumns(Work):
    """Look at the first rows of both queries, and propose what belongs together."""

    doing = "Looking at the columns of both queries…"

    def work(self, turn: Turn) -> Literal["read"]:
        memory = turn.memory
        if memory.draft.approval:
            memory.comparing = replace(comparing_of(turn), right=ComparedSide(memory.place, memory.draft))
            memory.draft = Draft()
        left, right = queried(turn, "left"), queried(turn, "right")
        for side in (left, right):
            demand_read(turn.owner, turn.tools.connections.demand(side.connection))
        job = MatchSql.of(left, right, turn.owner, thread=str(turn.incoming.key))
        key = f"{turn.incoming.key} {memory.turn} match {job.approval}"
        found = likeness_of(turn.does(MATCH_SQL.request(job, key), left.approver))
        memory.comparing = replace(
            comparing_of(turn), columns=_columns(found), lenience=Lenience(**asdict(found.tolerances)), failed=False
        )
        return "read"


class AskAutoMatch(Ask):
    """Show which columns seem to belong together, and why; accept that, or match them by hand."""

    help = (
        "Accept takes the pairs as they are, and leaves other columns out. Map by hand lets you choose each pair, and "
        "what tells the rows apart."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        found = comparing_of(turn).columns
        leave = leaving(turn)
        if found is None:
            ways = (Option("again", "Try again", "primary"), *queries(), leave)
            return (Buttons("The columns are not known yet. How shall we go on?", ways),)
        left, right = label_of(turn, "left"), label_of(turn, "right")
        rows = tuple((found.left[each.left], found.right[each.right], each.why) for each in found.matched)
        pairs = (Table((Head(left), Head(right), Head("Why")), rows, len(rows)),) if rows else ()
        over = (Text(sentence, "quiet") for sentence in left_over(found, left, right))
        accept = (Option("accept", "Accept", "primary"),) if rows else ()
        ways = (*accept, Option("map", "Map by hand"), *(() if rows else queries()), leave)
        prompt = "Compare these columns?" if rows else "No two columns seem to belong together. How shall we go on?"
        together = (Text(keyed(found)),) if rows else ()
        return (*pairs, *over, *together, Buttons(prompt, ways))

    def answer(self, turn: Turn) -> Literal["accept", "map", "again", "first", "second", "cancel", "over"]:
        if left := left_comparison(turn):
            return left
        found = comparing_of(turn).columns
        if word := edited(turn):
            return word
        if found is None:
            turn.pick("again")
            return "again"
        if found.matched and turn.word("accept", "yes"):
            return "accept"
        turn.pick("map")
        return "map"


def columns_of(turn: Turn) -> Columns:
    """Return the columns of both queries; raises Unclear before they are known."""
    found = comparing_of(turn).columns
    if found is None:
        raise Unclear("The columns of the two queries are not known yet.")
    return found


def plan_of(turn: Turn) -> Plan:
    """Return the comparison as the engine takes it; raises Unclear where nothing can be compared."""
    comparing, found = comparing_of(turn), columns_of(turn)
    pairs = tuple(Pair(each.left, each.right, each.form) for each in found.matched)
    tolerances = Tolerances(**asdict(comparing.lenience))
    plan = Plan(found.left, found.right, pairs, found.keys, tolerances, comparing.reporting or "summary")
    if problem := plan.problem():
        raise Unclear(problem)
    return plan


def queries() -> tuple[Option, Option]:
    """Return the buttons that lead back to either query."""
    return Option("first", "Edit the first query"), Option("second", "Edit the second query")


def leaving(turn: Turn) -> Option:
    """Return the button that leaves the comparison: to the result that it began with, where there is one."""
    return Option("cancel", "Back to the result" if turn.memory.answer else "Cancel")


def left_comparison(turn: Turn) -> Literal["cancel", "over"] | None:
    """Tell whether the person leaves the comparison, and whether there is a result to go back to."""
    if not turn.word("cancel"):
        return None
    memory, left = turn.memory, comparing_of(turn).left
    if memory.answer is None:
        turn.note("Cancelled; nothing was compared.", "quiet")
        return "over"
    if left and left.place.connection == memory.answer.connection:
        memory.place = left.place
    return "cancel"


def keyed(found: Columns) -> str:
    """Say by what rows are found to be of one thing."""
    if not found.keys:
        return "No columns tell the rows apart, so whole rows are compared: each is there in both, or in one alone."
    return f"Rows belong together by {quoted([found.names[key] for key in found.keys])} ({found.why})."


def left_over(found: Columns, left: str, right: str) -> list[str]:
    """Say which columns are not compared."""
    mine = [name for place, name in enumerate(found.left) if place not in {each.left for each in found.matched}]
    others = [name for place, name in enumerate(found.right) if place not in {each.right for each in found.matched}]
    sides = ((mine, left), (others, right))
    parts = [f"{quoted(names)} of {label}" for names, label in sides if names]
    return [f"Left out: {'; '.join(parts)}."] if parts else []


def lenient(lenience: Lenience) -> str:
    """Say what does not count as a difference."""
    return tolerated(Tolerances(**asdict(lenience)))


def quoted(names: Sequence[str]) -> str:
    """Return names as a list in a sentence; of many, the first ones."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(f"`{name}`" for name in names[:MOST_NAMED]) + more


def edited(turn: Turn) -> Literal["first", "second"] | None:
    """Put a query back on the table where the person wants to change it."""
    word: Literal["first", "second"] | None = turn.word("first", "second")
    if word:
        change(turn, "left" if word == "first" else "right")
    return word


def _columns(found: Likeness) -> Columns:
    left, right = (tuple(each.name for each in side) for side in (found.left, found.right))
    matched = tuple(
        Matched(each.left, each.right, each.form, _reason(each.reason, each.score)) for each in found.matched.proposals
    )
    return Columns(left, right, matched, found.key.places, found.key.reason)


def _reason(reason: str, score: float) -> str:
    """Return why two columns were put together, and how sure that is."""
    return f"{reason} ({score:.0%})"
