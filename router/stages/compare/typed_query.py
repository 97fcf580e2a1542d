"""Queries of a comparison that lean on the first one: the same question, or the same SQL, here or elsewhere."""

from dataclasses import replace
from typing import Literal

from router.cards import Option
from router.memory.draft import Draft
from router.stages.compare.begin import ask_where
from router.stages.naming import called, go_to
from router.stages.side_questions import asks_data, heard, names_data, side_category
from router.stages.tasks import comparing_of, side_of
from router.turn import Said, Turn
from router.understanding.categories import Category
from router.understanding.compared_queries import Same, same_elsewhere
from router.understanding.interpretation import SURE_CONFIDENCE_MIN
from router.understanding.kinds import forced_question, is_question

NO_QUERY = (
    "I didn't understand that as a query. Type a question about the data or your SQL, or press Cancel to leave the "
    "comparison."
)
SAME_QUESTION, SAME_SQL = Option("again", "Same question", "primary"), Option("same", "Same SQL")


def take_same_elsewhere(turn: Turn) -> Literal["question", "sql"] | None:
    """Begin the second query as a sentence names it by the first: the same elsewhere; None if it does not."""
    given, at_second = turn.incoming.input, comparing_of(turn).left is not None and "SECOND" in turn.memory.stage
    found = same_elsewhere(given.text, called(turn)) if at_second and isinstance(given, Said) else None
    if found is None:
        return None
    go_to(turn, found[1])
    return the_same(turn, found[0])


def the_same(turn: Turn, what: Same) -> Literal["question", "sql"]:
    """Take the first query's question for the second one, or its SQL, as is wanted and as far as there is one."""
    first, asked, plan = side_of(turn, "left").draft, question_of(turn), turn.memory.draft.plan
    ask_where(turn)
    if what != "sql" and asked:
        turn.memory.draft = replace(first.asked_again(), plan=plan)
        return "question"
    turn.memory.draft = Draft(asked, "provide", sql=first.sql, evidence=first.evidence if asked else "", plan=plan)
    return "sql"


def question_of(turn: Turn) -> str:
    """Return the question that the first query answers; empty if it is SQL of a person's own, or was changed."""
    first = comparing_of(turn).left
    return first.draft.question if first and first.draft.method == "generate" and not first.draft.changed else ""


def no_query(turn: Turn, only_data: bool) -> str:
    """Return why no query is written for a sentence where it would be for any, as it stands; empty if one is.

    `only_data`: outside a comparison, too, only what asks for data is a query.
    """
    comparing = turn.memory.tasks.comparing is not None
    if (comparing or only_data) and side_category(turn):
        return "That doesn't look like a question about the data."
    if not comparing or forced_question(turn.text):
        return ""
    return "" if asks_data(turn) and not _asks_about_comparing(turn) else NO_QUERY


def _asks_about_comparing(turn: Turn) -> bool:
    """Return whether an unclear question names nothing of the first query's database: it is about the comparison."""
    found, left = heard(turn), comparing_of(turn).left
    sure = found.category == Category.ASK_DATA and found.confidence >= SURE_CONFIDENCE_MIN
    return not sure and is_question(turn.text) and left is not None and not names_data(turn, left.place)


def followed_query(turn: Turn) -> tuple[str, ...]:
    """Return the question and SQL that a query of a comparison stands below: those at hand, or of the first one."""
    comparing, draft = turn.memory.tasks.comparing, turn.memory.draft
    if comparing is None:
        return ()
    return (draft if draft.sql or comparing.left is None else comparing.left.draft).as_asked
