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
from router.understanding.compared_queries import CompareWish, compares_earlier, comparison_of, says_only_compare
from router.understanding.named_database import database_in

COMPARE, AGAIN = Option("compare", "Compare", overflow=True), Option("again", "Compare again")
BEGIN = Option("compare", "Compare two queries", overflow=True)

TOO_LONG_AGO = "This query was run too long ago to be compared as it is. Run it again, then press Compare."

Begun = Literal["compare", "unclear"]
"""The outcome of a wish to compare."""


def wishes_comparing(turn: Turn) -> Begun | None:
    """Begin a comparison of two queries, where the person presses or types that; a sentence may name them."""
    wish = names_both(turn)
    if wish is None and turn.word("compare"):
        _begin(turn, CompareWish())
        return "compare"
    return wish


def names_both(turn: Turn) -> Begun | None:
    """Begin a comparison of two queries that a sentence names; None where it names no two."""
    wish = wish_of(turn)
    if wish is None or wish.shown:
        return None
    return _unknown(turn, wish) if wish.unknown else _begin(turn, wish)


def wishes_comparing_this(turn: Turn) -> Begun | Literal["comparison"] | None:
    """Begin a comparison below rows: with the query of these, or of two others that a sentence names."""
    wish = wish_of(turn)
    if (wish and wish.shown) or (wish is None and turn.word("compare")):
        return _compare_this(turn, wish or CompareWish())
    begun = names_both(turn) if wish else None
    return "comparison" if begun == "compare" else begun


def begin_comparing(turn: Turn, shown: bool) -> Begun | Literal["comparison"]:
    """Begin a comparison that was wished for in other words; `shown`: with the result that is on show, if it can be."""
    answer, other = turn.memory.answer, database_in(turn.text, called(turn))
    if not other and not says_only_compare(turn.text):
        turn.note("I did not read from your words what to compare, so I ask for it.", "quiet")
    if shown and answer and not answer.compared:
        beside = WishedSide(other if other != answer.connection else "")
        return _compare_this(turn, CompareWish(right=beside))
    _begin(turn, CompareWish())
    return "comparison"


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


def wish_of(turn: Turn) -> CompareWish | None:
    """Return what a typed sentence wants to have compared; None for any other one."""
    given = turn.incoming.input
    if not isinstance(given, Said):
        return None
    if compares_earlier(given.text):
        return CompareWish(right=WishedSide("", given.text), shown=True)
    sql = turn.typed_sql()
    if sql is None:
        return comparison_of(given.text, called(turn), turn.known_tables)
    # Only "compare this with SELECT …" is a wish: what else stands in SQL is no sentence.
    head = re.sub(r"\W+\Z", "", given.text.partition(sql.text)[0]) if sql.cut else ""
    found = comparison_of(f"{head} it", called(turn), turn.known_tables) if head else None
    return replace(found, right=WishedSide("", sql.text)) if found and found.shown else None


def _unknown(turn: Turn, wish: CompareWish) -> Literal["unclear"]:
    labels = ", ".join(each.label for each in readable(turn.services.connections, turn.owner))
    return turn.unclear(f"I know no database “{wish.unknown[:80]}” that you may read. There are: {labels}.")


def _compare_this(turn: Turn, wish: CompareWish) -> Begun:
    memory, answer = turn.memory, answer_of(turn)
    sql, place = answer.draft.sql, replace(memory.place, connection=answer.connection)
    if answer.compared:
        return turn.unclear("This is a comparison already. Press Compare again, or ask for other rows first.")
    if answer.approval is None or answer.approval.digest != digest(sql, *place.at, turn.owner.id):
        return turn.unclear(TOO_LONG_AGO)
    # Somebody else's Yes was for that run alone; who said it themselves is asked again before all rows are read.
    spent = answer.approval.by.id != turn.owner.id
    return _begin(turn, wish, ComparedSide(place, replace(answer.draft, approval=answer.approval), spent))


def _begin(turn: Turn, wish: CompareWish, first: ComparedSide | None = None) -> Literal["compare"]:
    if wish != CompareWish():
        remember(turn, turn.text)
    if wish.unused:
        turn.note(f"Not used: {wish.unused}.", "quiet")
    memory = turn.memory
    before = place_after(memory)  # the next question is asked there, and not where the second query ran
    set_comparing(turn, Comparing(first, wished=(wish.left, wish.right), before=before))
    memory.draft, memory.choosing = Draft(), ""
    memory.place = Place((wish.right if first else wish.left).connection)
    return "compare"
