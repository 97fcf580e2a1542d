"""The columns of two queries that belong together or tell rows apart: proposed, and accepted by a person."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Head, Option, Table, Text
from router.jobs.match_sql import MatchSql, QueryLikeness
from router.jobs.payloads import MATCH_SQL, likeness_of
from router.machine import Ask, Work
from router.memory.comparing import ComparedColumns, Comparing, MatchedColumns
from router.memory.draft import Draft
from router.policy import demand_read
from router.stages.compare.form import NOT_READ, change_form, take_form
from router.stages.compare.plan import keyed, lapsed, left_over
from router.stages.compare.queries import Edited, change, edited, edits, queried, taken
from router.stages.compare.sentences import changed
from router.stages.compare.titles import SIDES, label_of
from router.stages.confirm import CANCEL
from router.stages.tasks import comparing_of, set_comparing
from router.turn import Turn

# The look at the first rows of both queries, which tells how their columns are matched.


class MatchColumns(Work):
    """Look at the first rows of both queries: propose what belongs together, or see how what was chosen is read."""

    doing = "Looking at the columns of both queries…"

    def work(self, turn: Turn) -> Literal["read", "mapped", "first", "second"]:
        memory = turn.memory
        if memory.draft.approval:
            set_comparing(turn, taken(turn, "right"))
            memory.draft = Draft(plan=memory.draft.plan)
        for side in SIDES:
            if why := lapsed(turn, side):
                turn.note(f"{why} To be compared, it needs a new Yes.")
                change(turn, side)
                return "first" if side == "left" else "second"
        left, right = queried(turn, "left"), queried(turn, "right")
        for each in (left, right):
            demand_read(turn.owner, turn.services.connections.demand(each.connection))
        chosen = _chosen_columns(comparing_of(turn))
        pairs = tuple((each.left, each.right) for each in chosen.matched) if chosen else None
        job = MatchSql.of(left, right, turn.owner, pairs=pairs, thread=str(turn.incoming.key))
        key = f"{turn.incoming.key} {memory.turn} match {job.approval}"
        found = likeness_of(turn.does(MATCH_SQL.request(job, key), left.approver))
        set_comparing(turn, _matched(comparing_of(turn), found))
        return "mapped" if chosen else "read"


def _chosen_columns(comparing: Comparing) -> ComparedColumns | None:
    """Return the columns as a person put them together, where that was not looked at yet."""
    return comparing.columns if comparing.columns and not comparing.columns.looked else None


def _matched(comparing: Comparing, found: QueryLikeness) -> Comparing:
    """Return the comparison with what was found; what a person chose stays."""
    before, chosen = comparing.columns, _chosen_columns(comparing)
    if chosen is None:
        columns = _proposed(found)
    else:
        forms = {(pair.left, pair.right): pair.form for pair in found.pairs}
        matched = tuple(replace(each, form=forms[each.left, each.right]) for each in chosen.matched)
        columns = replace(chosen, matched=matched, looked=True, suggested=found.tolerances)
        if not columns.keys and not columns.why:  # nobody chose, for nothing was known of these pairs
            columns = replace(columns, keys=found.key.places, why=found.key.reason)
    changed = before is not None and comparing.tolerances != before.suggested
    tolerances = comparing.tolerances if changed else found.tolerances
    return replace(comparing, columns=columns, tolerances=tolerances, failed=False)


def _proposed(found: QueryLikeness) -> ComparedColumns:
    left, right = (tuple(each.name for each in side) for side in (found.left, found.right))
    matched = tuple(
        MatchedColumns(each.left, each.right, each.form, f"{each.reason} ({each.score:.0%})")
        for each in found.matched.proposals
    )
    return ComparedColumns(left, right, matched, found.key.places, found.key.reason, suggested=found.tolerances)


Matched = Literal["accept", "map", "again", "changed"]
"""The outcome of the look at the columns."""


class AskAutoMatch(Ask):
    """Show which columns seem to belong together, and why; accept that, or match them by hand."""

    card = "compare_columns"
    accepts = frozenset(["columns", "key", "by_hand"])
    help = (
        "Accept takes the pairs as they are, and leaves other columns out. Map by hand lets you choose each pair, and "
        "what tells the rows apart."
    )

    def settle(self, turn: Turn) -> Literal["accept"] | None:
        """Take pairs of which none is in doubt: every column of both queries has its own."""
        found = comparing_of(turn).columns
        whole = found is not None and found.looked and bool(found.matched)
        return "accept" if found and whole and len(found.left) == len(found.right) == len(found.matched) else None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        found = comparing_of(turn).columns
        if found is None or not found.looked:
            ways = (Option("again", "Try again", "primary"), *edits(), CANCEL)
            return (Buttons("The columns are not known yet. What's next?", ways),)
        left, right = label_of(turn, "left"), label_of(turn, "right")
        rows = tuple((found.left[each.left], found.right[each.right], each.why) for each in found.matched)
        pairs = (Table((Head(left), Head(right), Head("Why")), rows, len(rows)),) if rows else ()
        over = (Text(sentence, "quiet") for sentence in left_over(found, left, right))
        accept = (Option("accept", "Accept", "primary"),) if rows else ()
        ways = (*accept, Option("map", "Map by hand", form=change_form(turn)), *(() if rows else edits()), CANCEL)
        prompt = "Compare these columns?" if rows else "No two columns seem to belong together. What's next?"
        together = (Text(keyed(found)),) if rows else ()
        return (*pairs, *over, *together, Buttons(prompt, ways))

    def answer(self, turn: Turn) -> Matched | Edited | Literal["unclear"]:
        found = comparing_of(turn).columns
        if word := edited(turn):
            return word
        if found is None or not found.looked:
            return "again" if turn.word("again") else turn.unclear()
        if found.matched and turn.word("accept", "yes"):
            return "accept"
        if turn.word("map", "change"):
            take_form(turn)
            return "map"
        return "changed" if changed(turn) else turn.unclear(NOT_READ)
