"""The beginning of a comparison: by a button, or by a sentence that says what is compared."""

import re
from dataclasses import replace
from typing import Literal

from router.cards import Option
from router.jobs.read_sql import digest
from router.memory.comparing import ComparedSide, Comparing, WishedSide
from router.memory.draft import Draft, Place
from router.policy import readable
from router.stages.naming import called, place_after
from router.stages.shown import answer_of
from router.stages.side_questions import remember
from router.stages.tasks import set_comparing
from router.turn import Said, Turn
from router.understanding.compare_wishes import CompareWish, Phrase, comparison_of
from router.understanding.named_database import database_in
from router.understanding.second_query import compares_earlier

COMPARE, AGAIN = Option("compare", "Compare", overflow=True), Option("again", "Compare again")
BEGIN = Option("compare", "Compare two queries", overflow=True)

TOO_LONG_AGO = "This query was run too long ago to be compared as it is. Run it again, then press Compare."


Begun = Literal["compare", "unclear"]
"""The outcome of a wish to compare."""


def wishes_comparing(turn: Turn) -> Begun | None:
    """Begin a comparison of two queries that are still to be named, where the person wants one."""
    if named := names_both(turn):
        return named
    if not turn.word("compare"):
        return None
    _compare_two(turn, None)
    return "compare"


def names_both(turn: Turn) -> Begun | None:
    """Begin a comparison of two queries that a sentence names, where it is one."""
    wish = _wish(turn)
    if wish and wish.unknown:
        return _unknown(turn, wish)
    if wish is None or wish.shown:
        return None
    _compare_two(turn, wish)
    return "compare"


def wishes_comparing_this(turn: Turn) -> Begun | None:
    """Begin a comparison whose first query is that of the result on show, where the person wants one."""
    wish = _wish(turn)
    if wish and wish.unknown:
        return _unknown(turn, wish)
    if (wish is None or not wish.shown) and not turn.word("compare"):
        return None
    return _compare_this(turn, wish)


def begin_comparing(turn: Turn, shown: bool) -> Begun | Literal["comparison"]:
    """Begin a comparison that was wished for in other words; `shown`: with the result that is on show, if it can be."""
    answer = turn.memory.answer
    if shown and answer and not answer.compared:
        other = database_in(turn.text, called(turn))
        beside = CompareWish(Phrase(), Phrase(other), shown=True) if other not in ("", answer.connection) else None
        return _compare_this(turn, beside)
    _compare_two(turn, None)
    return "comparison"


def _compare_two(turn: Turn, wish: CompareWish | None) -> None:
    _begin(turn, wish)
    turn.memory.draft, turn.memory.place = Draft(), Place(wish.left.connection if wish else "")


def _compare_this(turn: Turn, wish: CompareWish | None) -> Begun:
    memory, answer = turn.memory, answer_of(turn)
    sql, place = answer.draft.sql, replace(memory.place, connection=answer.connection)
    if answer.compared:
        return turn.unclear("This is a comparison already. Press Compare again, or ask for other rows first.")
    if answer.approval is None or answer.approval.digest != digest(sql, *place.at, turn.owner.id):
        return turn.unclear(TOO_LONG_AGO)
    # Somebody else's Yes was for that run alone; who said it themselves is asked again before all rows are read.
    spent = answer.approval.by.id != turn.owner.id
    _begin(turn, wish, ComparedSide(place, replace(answer.draft, approval=answer.approval), spent))
    memory.draft, memory.place = Draft(), Place(wish.right.connection if wish else "")
    return "compare"


def wishes_comparing_again(turn: Turn) -> bool:
    """Put the comparison whose report is on show back on the table, where the person wants that."""
    answer = answer_of(turn)
    if answer.comparison is None or not turn.word("again", "compare"):
        return False
    set_comparing(turn, answer.comparison)
    if answer.comparison.left:
        turn.memory.place = answer.comparison.left.place
    return True


def ask_where(turn: Turn) -> None:
    """Have the menu of databases shown, unless it is known which one a query is for."""
    if not turn.memory.place.connection and len(readable(turn.services.connections, turn.owner)) > 1:
        turn.memory.choosing = "database"


def _wish(turn: Turn) -> CompareWish | None:
    given = turn.incoming.input
    if not isinstance(given, Said):
        return None
    if compares_earlier(given.text):
        return CompareWish(Phrase(), Phrase("", given.text), shown=True)
    names = {
        called.casefold(): each.name
        for each in readable(turn.services.connections, turn.owner)
        for called in (each.name, each.label)
    }
    sql = turn.typed_sql()
    if sql is None:
        return comparison_of(given.text, names, turn.known_tables)
    # Only "compare this with SELECT …" is a wish: what else stands in SQL is no sentence.
    head = re.sub(r"\W+\Z", "", given.text.partition(sql.text)[0]) if sql.cut else ""
    found = comparison_of(f"{head} it", names, turn.known_tables) if head else None
    return replace(found, right=Phrase("", sql.text)) if found and found.shown else None


def _unknown(turn: Turn, wish: CompareWish) -> Literal["unclear"]:
    labels = ", ".join(each.label for each in readable(turn.services.connections, turn.owner))
    return turn.unclear(f"I know no database “{wish.unknown[:80]}” that you may read. There are: {labels}.")


def _begin(turn: Turn, wish: CompareWish | None, first: ComparedSide | None = None) -> None:
    sides = (wish.left, wish.right) if wish else (Phrase(), Phrase())
    left, right = (WishedSide(side.connection, side.what) for side in sides)
    if wish:
        remember(turn, turn.text)
    place = place_after(turn.memory)  # the next question is asked there, and not where the second query ran
    set_comparing(turn, Comparing(first, wished=(left, right), before=place))
    turn.memory.choosing = ""
