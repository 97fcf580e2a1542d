"""The two queries of a comparison: each is asked for, written and approved by the handlers of reading."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card
from router.machine import Ask
from router.memory.comparing import WishedSide
from router.memory.draft import Draft
from router.stages.compare.begin import ask_where, names_both
from router.stages.compare.sides import keep_approved, title_of
from router.stages.compare.typed_query import SAME_QUESTION, SAME_SQL, question_of, take_same_elsewhere, the_same
from router.stages.start import SQL_METHODS, Taken, draft_typed, other_database, take, take_way
from router.stages.tasks import LEAVE, comparing_of, set_comparing
from router.turn import Turn
from router.understanding.compared_queries import as_table, same_in

Took = Taken | Literal["generate", "provide", "database"]
"""The outcome of a question for one of the two queries."""


class AskFirst(Ask):
    """Offer the ways to the first query, unless it was named already."""

    card = "compare_setup"
    accepts = frozenset(["own_sql", "same", "database"])
    takes_any_text = True
    help = "The first of two queries that are compared: press a button, or type a question or your SQL."

    def decide_unasked(self, turn: Turn) -> Literal["question", "sql"] | None:
        return _named(turn, 0)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        prompt = "What's the first query to compare? Type a question or SQL."
        return (Buttons(prompt, (*SQL_METHODS, *other_database(turn), LEAVE)),)

    def answer(self, turn: Turn) -> Took:
        if names_both(turn):
            return _named(turn, 0) or "database"
        return _take_query(turn)


class AskSecond(Ask):
    """Keep the first query, and offer the ways to the second one, unless it is known."""

    card = "compare_setup"
    accepts = frozenset(["own_sql", "same", "database"])
    takes_any_text = True
    help = (
        "The second of two queries that are compared: press a button, or type a question or your SQL. “Same question” "
        "has SQL written for another database; “Same SQL” runs the same text there."
    )

    def decide_unasked(self, turn: Turn) -> Literal["question", "sql", "both"] | None:
        keep_approved(turn, "left")
        return "both" if comparing_of(turn).right else _named(turn, 1)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        prompt = f"The first query is {title_of(turn, 'left')}. What should I compare it with? Type a question or SQL."
        elsewhere = other_database(turn)
        same = (*((SAME_QUESTION,) if question_of(turn) else ()), SAME_SQL) if elsewhere else ()
        return (Buttons(prompt, (*same, *SQL_METHODS, *elsewhere, LEAVE)),)

    def answer(self, turn: Turn) -> Took:
        word: Literal["again", "same"] | None = turn.word("again", "same")
        if word:
            return the_same(turn, "sql" if word == "same" else "either")
        return take_same_elsewhere(turn) or _take_query(turn)


def _named(turn: Turn, nth: Literal[0, 1]) -> Literal["question", "sql"] | None:
    """Begin the query that a sentence named; a single word is a table, anything else is a question.

    A second query of which only the database is named is the first one, there.
    """
    comparing = comparing_of(turn)
    wish, first = comparing.wished[nth], comparing.left
    if not wish.what and (first is None or wish.connection in ("", first.place.connection)):
        return None
    # Once: a person who goes back is asked.
    left, right = comparing.wished
    set_comparing(turn, replace(comparing, wished=(left, WishedSide()) if nth else (WishedSide(), right)))
    if first and (same := same_in(wish.what)):
        return the_same(turn, same)
    ask_where(turn)
    table = as_table(wish.what)
    if sql := turn.sql_in(wish.what):
        turn.memory.draft = draft_typed(replace(sql, cut=True))
    else:
        turn.memory.draft = (
            Draft(method="provide", sql=f"SELECT * FROM {table}") if table else Draft(wish.what, "generate")
        )
    return "sql" if table or sql else "question"


def _take_query(turn: Turn) -> Took:
    word = take(turn) or take_way(turn)
    if word is None:
        return turn.unclear()
    ask_where(turn)
    return word
