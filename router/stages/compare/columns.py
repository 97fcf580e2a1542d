"""The columns of two queries that belong together or tell rows apart: proposed, and accepted by a person."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Head, Option, Table, Text
from router.jobs.match_sql import MatchSql
from router.jobs.payloads import MATCH_SQL, likeness_of
from router.machine import Ask, Work
from router.memory.comparing import ComparedColumns, Tolerances
from router.stages.compare.form import Changed, change_form, changed
from router.stages.compare.plan import key_sentence, left_over_sentences
from router.stages.compare.sides import (
    REOPENING,
    Reopened,
    approved_query,
    keep_approved,
    label_of,
    reopen_if_asked,
    reopen_unapproved,
)
from router.stages.confirm import CANCEL
from router.stages.tasks import comparing_of, set_comparing
from router.turn import Turn


class MatchColumns(Work):
    """Look at the first rows of both queries, and propose which columns belong together, unless that is known."""

    doing = "Looking at the columns of both queries…"

    def work(self, turn: Turn) -> Literal["read", "mapped", "first", "second"]:
        keep_approved(turn, "right")
        if which := reopen_unapproved(turn):
            return which
        comparing = comparing_of(turn)
        if comparing.columns:
            return "mapped"
        left, right = approved_query(turn, "left"), approved_query(turn, "right")
        job = MatchSql.of(left, right, turn.owner, thread=str(turn.incoming.key))
        key = f"{turn.incoming.key} {turn.memory.turn} match {job.approval}"
        found = likeness_of(turn.does(MATCH_SQL.request(job, key), left.approver))
        columns = ComparedColumns(found.left, found.right, found.pairs, found.key.places, found.key.reason)
        tolerances = comparing.tolerances if comparing.tolerances != Tolerances() else found.tolerances
        set_comparing(turn, replace(comparing, columns=columns, tolerances=tolerances))
        return "read"


class AskAutoMatch(Ask):
    """Show which columns seem to belong together, and why; accept that, or match them by hand."""

    card = "compare_columns"
    accepts = frozenset(["columns", "key", "by_hand"])
    help = (
        "Accept takes the pairs as they are, and leaves other columns out. Map by hand lets you choose each pair, and "
        "what tells the rows apart."
    )

    def decide_unasked(self, turn: Turn) -> Literal["mapped"] | None:
        """Take pairs of which none is in doubt: every column of both queries has its own."""
        found = comparing_of(turn).columns
        whole = found and len(found.left) == len(found.right) == len(found.matched)
        return "mapped" if whole else None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        found = comparing_of(turn).columns
        if found is None:
            ways = (Option("again", "Try again", "primary"), *REOPENING, CANCEL)
            return (Buttons("The columns are not known yet. What's next?", ways),)
        by_hand = Option("map", "Map by hand", form=change_form(turn))
        over = tuple(Text(sentence, "quiet") for sentence in left_over_sentences(turn, found))
        if not found.matched:
            said = "No two columns seem to belong together. What's next?"
            return (*over, Buttons(said, (by_hand, *REOPENING, CANCEL)))
        heads = (Head(label_of(turn, "left")), Head(label_of(turn, "right")), Head("Why"))
        rows = tuple((found.left[each.left], found.right[each.right], each.why) for each in found.matched)
        asked = Buttons("Compare these columns?", (Option("accept", "Accept", "primary"), by_hand, CANCEL))
        return (Table(heads, rows, len(rows)), *over, Text(key_sentence(found)), asked)

    def answer(self, turn: Turn) -> Changed | Reopened | Literal["again", "unclear"]:
        found = comparing_of(turn).columns
        if which := reopen_if_asked(turn):
            return which
        if found is None:
            return "again" if turn.word("again") else turn.unclear()
        if found.matched and turn.word("accept", "yes"):
            return "mapped"
        return changed(turn)
