"""The beginning of a comparison: by a button, or by a sentence that says what is compared."""

from dataclasses import replace
from typing import Literal

from router.cards import Option
from router.memory.comparing import ComparedSide, Comparing, WishedSide
from router.memory.draft import Draft, Place
from router.policy import readable_connections
from router.stages.naming import called, place_after
from router.stages.shown import answer_of
from router.stages.tasks import set_comparing
from router.turn import Said, Turn
from router.understanding.compared_queries import CompareWish, comparison_of, says_only_compare
from router.understanding.named_database import database_in

COMPARE, AGAIN = Option("compare", "Compare", overflow=True), Option("again", "Compare again")
BEGIN = Option("compare", "Compare two queries", overflow=True)

IS_COMPARISON = "The rows above are a comparison already, so I ask for both queries."

Begun = Literal["compare", "comparison"]
"""The outcome of a wish to compare: the second query is asked for, or both."""


def wishes_comparing(turn: Turn) -> Literal["compare"] | None:
    """Begin a comparison of two queries, if the person presses or types that; a sentence may name them."""
    if names_both(turn):
        return "compare"
    return _begin(turn, CompareWish()) if turn.word("compare") else None


def names_both(turn: Turn) -> bool:
    """Begin a comparison of two queries that a sentence names; return False if it names no two."""
    wish = wish_of(turn)
    if wish is None or wish.shown:
        return False
    _begin(turn, wish)
    return True


def wishes_comparing_this(turn: Turn) -> Begun | None:
    """Begin a comparison below rows: with the query of these, or of two others that a sentence names."""
    wish = wish_of(turn) or (CompareWish() if turn.word("compare") else None)
    if wish is None:
        return None
    if wish.shown or wish == CompareWish():
        return _compare_this(turn, wish)
    _begin(turn, wish)
    return "comparison"


def begin_comparing(turn: Turn, shown: bool) -> Begun:
    """Begin a comparison that was wished for in other words; `shown`: with the result that is on show, if it can be."""
    answer, other = turn.memory.answer, database_in(turn.text, called(turn))
    if not other and not says_only_compare(turn.text):
        turn.note("I did not read from your words what to compare, so I ask for it.", "quiet")
    if shown and answer:
        return _compare_this(turn, CompareWish(right=WishedSide(other if other != answer.connection else "")))
    _begin(turn, CompareWish())
    return "comparison"


def wishes_comparing_again(turn: Turn) -> bool:
    """Put the comparison whose report is on show back on the table, if the person wants that."""
    answer = answer_of(turn)
    if answer.comparison is None or not turn.word("again", "compare"):
        return False
    set_comparing(turn, answer.comparison)
    if answer.comparison.left:
        turn.memory.place = answer.comparison.left.place
    return True


def ask_where(turn: Turn) -> None:
    """Have the menu of databases shown, unless it is known which one a query is for."""
    if not turn.memory.place.connection and len(readable_connections(turn.services.connections, turn.owner)) > 1:
        turn.memory.choosing = "database"


def wish_of(turn: Turn) -> CompareWish | None:
    """Return what a typed sentence wants to have compared; None for any other one."""
    given, sql = turn.incoming.input, turn.typed_sql()
    if not isinstance(given, Said) or (sql and not sql.cut):
        return None
    return comparison_of(given.text, called(turn), turn.known_tables)


def _compare_this(turn: Turn, wish: CompareWish) -> Begun:
    answer = answer_of(turn)
    if answer.compared:
        turn.note(IS_COMPARISON)
        _begin(turn, CompareWish())
        return "comparison"
    place = replace(turn.memory.place, connection=answer.connection)
    # Somebody else's Yes was for that run alone; who said it themselves is asked again before all rows are read.
    spent = answer.approval is None or answer.approval.by.id != turn.owner.id
    return _begin(turn, wish, ComparedSide(place, replace(answer.draft, approval=answer.approval), spent))


def _begin(turn: Turn, wish: CompareWish, first: ComparedSide | None = None) -> Literal["compare"]:
    memory = turn.memory
    if wish != CompareWish():
        turn.asks = True
    before = place_after(memory)  # the next question is asked there, and not where the second query ran
    set_comparing(turn, Comparing(first, wished=(wish.left, wish.right), before=before))
    memory.draft, memory.choosing = Draft(), ""
    memory.place = Place((wish.right if first else wish.left).connection)
    return "compare"
