"""How a comparison begins: by a button, or by a sentence that says what is compared."""

from dataclasses import replace
from typing import Literal

from router.cards import Option
from router.comparing import ComparedSide, Comparing, Wished
from router.errors import Unclear
from router.intents.comparisons import Comparison, Phrase, comparison_of
from router.jobs.read_sql import digest
from router.memory import Draft, Place
from router.policy import readable
from router.stages.recalled import remember
from router.stages.shown import answer_of
from router.turn import Said, Turn

COMPARE, AGAIN = Option("compare", "Compare", aside=True), Option("again", "Compare again")
BEGIN = Option("compare", "Compare two queries", aside=True)


def wishes_comparing(turn: Turn) -> bool:
    """Begin a comparison of two queries that are still to be named, where the person wants one."""
    if names_both(turn):
        return True
    if not turn.word("compare"):
        return False
    _compare_two(turn, None)
    return True


def names_both(turn: Turn) -> bool:
    """Begin a comparison of two queries that a sentence names, where it is one."""
    wish = _wish(turn)
    if wish is None or wish.shown:
        return False
    _compare_two(turn, wish)
    return True


def wishes_comparing_this(turn: Turn) -> bool:
    """Begin a comparison whose first query is that of the result on show, where the person wants one."""
    wish = _wish(turn)
    if (wish is None or not wish.shown) and not turn.word("compare"):
        return False
    _compare_this(turn, wish)
    return True


def begin_comparing(turn: Turn, shown: bool) -> Literal["compare", "comparison"]:
    """Begin a comparison that was wished for in other words; `shown`: with the result that is on show, if it can be."""
    answer = turn.memory.answer
    if shown and answer and not answer.compared:
        _compare_this(turn, None)
        return "compare"
    _compare_two(turn, None)
    return "comparison"


def _compare_two(turn: Turn, wish: Comparison | None) -> None:
    _begin(turn, wish)
    turn.memory.draft, turn.memory.place = Draft(), Place(wish.left.connection if wish else "")


def _compare_this(turn: Turn, wish: Comparison | None) -> None:
    memory, answer = turn.memory, answer_of(turn)
    sql, place = answer.draft.sql, replace(memory.place, connection=answer.connection)
    if answer.compared:
        raise Unclear("This is a comparison already. Press Compare again, or ask for other rows first.")
    if answer.approval is None or answer.approval.digest != digest(sql, *_at(place), turn.owner.id):
        raise Unclear("This query was run too long ago to be compared as it is. Run it again, then press Compare.")
    # Somebody else's Yes was for that run alone; who said it themselves is asked again before all rows are read.
    spent = answer.approval.by.id != turn.owner.id
    _begin(turn, wish, ComparedSide(place, replace(answer.draft, approval=answer.approval), spent))
    memory.draft, memory.place = Draft(), Place(wish.right.connection if wish else "")


def wishes_comparing_again(turn: Turn) -> bool:
    """Put the comparison whose report is on show back on the table, where the person wants that."""
    answer = answer_of(turn)
    if answer.comparison is None or not turn.word("again", "compare"):
        return False
    turn.memory.comparing = answer.comparison
    if answer.comparison.left:
        turn.memory.place = answer.comparison.left.place
    return True


def ask_where(turn: Turn) -> None:
    """Have the menu of databases shown, unless it is known which one a query is for."""
    if not turn.memory.place.connection and len(readable(turn.tools.connections, turn.owner)) > 1:
        turn.memory.choosing = "database"


def _at(place: Place) -> tuple[str, str]:
    return place.connection, place.schema


def _wish(turn: Turn) -> Comparison | None:
    given = turn.incoming.input
    if not isinstance(given, Said):
        return None
    names = {
        called.casefold(): each.name
        for each in readable(turn.tools.connections, turn.owner)
        for called in (each.name, each.label)
    }
    wish = comparison_of(given.text, names, turn.known_tables)
    if wish and wish.unknown:
        labels = ", ".join(each.label for each in readable(turn.tools.connections, turn.owner))
        raise Unclear(f"I know no database “{wish.unknown[:80]}” that you may read. There are: {labels}.")
    return wish


def _begin(turn: Turn, wish: Comparison | None, first: ComparedSide | None = None) -> None:
    sides = (wish.left, wish.right) if wish else (Phrase(), Phrase())
    left, right = (Wished(side.connection, side.what) for side in sides)
    if wish:
        remember(turn, turn.text)
    turn.memory.comparing, turn.memory.choosing = Comparing(first, wished=(left, right)), ""
