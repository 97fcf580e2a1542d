"""Which columns of two queries belong together, and which tell the rows apart: proposed, and confirmed by a person."""

from typing import Literal

from router.cards import Buttons, Card, Head, Option, Table, Text
from router.machine import Ask
from router.stages.compare_form import forget_filled
from router.stages.compare_plan import keyed, left_over
from router.stages.compare_sides import comparing_of, label_of
from router.stages.compare_ways import edited, leaving, left_comparison, queries
from router.turn import Turn


class AskAutoMatch(Ask):
    """Show which columns seem to belong together, and why; accept that, or match them by hand."""

    help = (
        "Accept takes the pairs as they are, and leaves other columns out. Map by hand lets you choose each pair, and "
        "what tells the rows apart."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        found = comparing_of(turn).columns
        leave = leaving(turn)
        if found is None or not found.looked:
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
        if found is None or not found.looked:
            turn.pick("again")
            return "again"
        if found.matched and turn.word("accept", "yes"):
            return "accept"
        turn.pick("map")
        forget_filled(turn)
        return "map"
