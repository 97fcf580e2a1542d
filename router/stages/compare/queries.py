"""The two queries of a comparison: each is asked for, written and approved by the handlers of reading."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Option
from router.catalog.connection import Connection
from router.errors import Unclear
from router.jobs.compared_queries import Queried
from router.language.phrases import has_phrase
from router.machine import Ask
from router.memory.comparing import ComparedSide, Comparing, WishedSide
from router.memory.draft import Draft, Place
from router.policy import readable
from router.stages.compare.begin import ask_where, names_both
from router.stages.compare.titles import label_of, title_of
from router.stages.compare.typed_query import (
    SAME_QUESTION,
    by_other,
    named_by_other,
    question_of,
    same_question,
    same_sql,
    the_same,
)
from router.stages.start import SQL_METHODS, Taken, drafted, other_database, take, way
from router.stages.tasks import Side, comparing_of, set_comparing, side_of
from router.turn import Said, Turn
from router.understanding.compared_queries import as_table

Took = Taken | Literal["generate", "provide", "database"]
"""The outcome of a question for one of the two queries."""

Edited = Literal["first", "second"]
"""The query that is put back on the table."""


class AskFirst(Ask):
    """Offer the ways to the first query, unless it was named already."""

    card = "compare_setup"
    accepts = frozenset(["own_sql", "same", "database"])
    believes = True
    help = "The first of two queries that are compared: press a button, or type a question or your SQL."

    def settle(self, turn: Turn) -> Literal["question", "sql"] | None:
        return _named(turn, 0)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        prompt = "What's the first query to compare? Type a question or SQL."
        return (Buttons(prompt, (*SQL_METHODS, *other_database(turn), Option("cancel", "Cancel"))),)

    def answer(self, turn: Turn) -> Took:
        if named := names_both(turn):
            return named if named == "unclear" else _named(turn, 0) or "database"
        return _taken(turn)


class AskSecond(Ask):
    """Keep the first query, and offer the ways to the second one, unless it is known."""

    card = "compare_setup"
    accepts = frozenset(["own_sql", "same", "database"])
    believes = True
    help = (
        "The second of two queries that are compared: press a button, or type a question or your SQL. “Same question” "
        "has SQL written for another database; “Same SQL” runs the same text there."
    )

    def settle(self, turn: Turn) -> Literal["question", "sql", "both"] | None:
        memory, comparing = turn.memory, comparing_of(turn)
        if memory.draft.approval:
            comparing = taken(turn, "left")
            set_comparing(turn, comparing)
            memory.draft, memory.place = Draft(plan=memory.draft.plan), Place(comparing.wished[1].connection)
        return "both" if comparing.right else _named(turn, 1)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        several = len(readable(turn.services.connections, turn.owner)) > 1
        first = title_of(turn, "left")
        prompt = f"The first query is {first}. What should I compare it with? Type a question or SQL."
        again, same = SAME_QUESTION, Option("same", "Same SQL")
        if not several:
            ways: tuple[Option, ...] = SQL_METHODS
        elif question_of(turn):
            ways = (again, same, *(replace(way, overflow=True) for way in SQL_METHODS))
        else:
            ways = (replace(same, style="primary"), *SQL_METHODS)
        return (Buttons(prompt, (*ways, *other_database(turn), Option("cancel", "Cancel"))),)

    def answer(self, turn: Turn) -> Took:
        if question_of(turn) and turn.word("again"):
            return same_question(turn)
        if turn.word("same"):
            return same_sql(turn)
        if named := named_by_other(turn):
            return named
        if isinstance(turn.incoming.input, Said) and has_phrase("comparing.first", turn.text):
            return turn.unclear("To change the first query, type `back`. What should I compare it with?")
        return _taken(turn)


def edits() -> tuple[Option, Option]:
    """Return the buttons that lead back to either query."""
    first = Option("first", "Edit the first query", overflow=True)
    return first, Option("second", "Edit the second query", overflow=True)


def edited(turn: Turn) -> Edited | None:
    """Put a query back on the table where the person wants to change it."""
    word: Edited | None = turn.word("first", "second")
    if word:
        change(turn, "left" if word == "first" else "right")
    return word


def connection_of(turn: Turn, side: Side) -> Connection:
    """Return the connection that a query runs on; raises Unclear where there is no query."""
    return turn.services.connections.demand(side_of(turn, side).place.connection)


def change(turn: Turn, side: Side) -> None:
    """Put one of the queries back on the table, where it is edited and approved again."""
    found = side_of(turn, side)
    turn.memory.draft, turn.memory.place = replace(found.draft, method="provide", approval=None), found.place
    set_comparing(turn, replace(comparing_of(turn), failed=False))


def taken(turn: Turn, side: Side) -> Comparing:
    """Return the comparison with the query that was just approved; of another text, the columns are not known."""
    memory, comparing = turn.memory, comparing_of(turn)
    before = comparing.left if side == "left" else comparing.right
    found = ComparedSide(memory.place, memory.draft)
    comparing = replace(comparing, columns=comparing.columns if found.same_query(before) else None)
    return replace(comparing, left=found) if side == "left" else replace(comparing, right=found)


def queried(turn: Turn, side: Side) -> Queried:
    """Return a query as the jobs take it; raises Unclear where it was not approved."""
    found = side_of(turn, side)
    approval, draft = found.draft.approval, found.draft
    if approval is None:
        raise Unclear("One of the queries was not approved yet.")
    return Queried(*found.place.at, draft.sql, label_of(turn, side), approval.by, approval.digest, draft.question)


def _named(turn: Turn, nth: Literal[0, 1]) -> Literal["question", "sql"] | None:
    """Begin the query that a sentence named; a single word is a table, anything else is a question.

    A second query of which only the database is named is the first one, there.
    """
    memory, comparing = turn.memory, comparing_of(turn)
    left, right = comparing.wished
    wish, first = comparing.wished[nth], comparing.left
    elsewhere = first is not None and wish.connection not in ("", first.place.connection)
    if not wish.what and not elsewhere:
        return None
    # Once: a person who goes back is asked.
    set_comparing(
        turn, replace(comparing, wished=(left, WishedSide()) if nth else (WishedSide(left.connection), right))
    )
    if not wish.what:
        return the_same(turn, "either")
    try:
        if first and (found := by_other(turn, wish.what)):
            return found
    except Unclear as error:
        turn.note(str(error))
        return None
    table, sql = as_table(wish.what), turn.sql_in(wish.what)
    named = Draft(method="provide", sql=f"SELECT * FROM {table}") if table else Draft(wish.what, "generate")
    named = drafted(replace(sql, cut=True)) if sql else named
    memory.draft = replace(named, plan=memory.draft.plan)
    ask_where(turn)
    return "sql" if table or sql else "question"


def _taken(turn: Turn) -> Took:
    plan = turn.memory.draft.plan
    word = take(turn) or way(turn)
    turn.memory.draft = replace(turn.memory.draft, plan=plan)
    if word is None:
        return turn.unclear()
    ask_where(turn)
    return word
