"""The look at the first rows of both queries, which tells how their columns are matched."""

from dataclasses import replace
from typing import Literal

from router.comparing import Columns, Comparing, Matched
from router.jobs.match_sql import Likeness, MatchSql
from router.jobs.payloads import MATCH_SQL, likeness_of
from router.machine import Work
from router.memory import Draft
from router.policy import demand_read
from router.stages.compare_approval import SIDES, lapsed
from router.stages.compare_sides import change, comparing_of, queried, taken
from router.turn import Turn


class MatchColumns(Work):
    """Look at the first rows of both queries: propose what belongs together, or see how what was chosen is read."""

    doing = "Looking at the columns of both queries…"

    def work(self, turn: Turn) -> Literal["read", "mapped", "first", "second"]:
        memory = turn.memory
        if memory.draft.approval:
            memory.comparing = taken(turn, "right")
            memory.draft = Draft()
        for side in SIDES:
            if why := lapsed(turn, side):
                turn.note(f"{why} To be compared, it needs a new Yes.")
                change(turn, side)
                return "first" if side == "left" else "second"
        left, right = queried(turn, "left"), queried(turn, "right")
        for each in (left, right):
            demand_read(turn.owner, turn.tools.connections.demand(each.connection))
        chosen = _chosen(comparing_of(turn))
        pairs = tuple((each.left, each.right) for each in chosen.matched) if chosen else None
        job = MatchSql.of(left, right, turn.owner, pairs=pairs, thread=str(turn.incoming.key))
        key = f"{turn.incoming.key} {memory.turn} match {job.approval}"
        found = likeness_of(turn.does(MATCH_SQL.request(job, key), left.approver))
        memory.comparing = _matched(comparing_of(turn), found)
        return "mapped" if chosen else "read"


def _chosen(comparing: Comparing) -> Columns | None:
    """Return the columns as a person put them together, where that was not looked at yet."""
    return comparing.columns if comparing.columns and not comparing.columns.looked else None


def _matched(comparing: Comparing, found: Likeness) -> Comparing:
    """Return the comparison with what was found; what a person chose stays."""
    before, chosen = comparing.columns, _chosen(comparing)
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


def _proposed(found: Likeness) -> Columns:
    left, right = (tuple(each.name for each in side) for side in (found.left, found.right))
    matched = tuple(
        Matched(each.left, each.right, each.form, f"{each.reason} ({each.score:.0%})")
        for each in found.matched.proposals
    )
    return Columns(left, right, matched, found.key.places, found.key.reason, suggested=found.tolerances)
