"""Sentences for a query of a comparison that lean on another one: a change of it, the same elsewhere, an old one."""

from dataclasses import replace
from typing import Literal

from router.cards import Option
from router.errors import Unclear
from router.memory.comparing import ComparedSide
from router.memory.draft import Draft
from router.memory.thread import PastResult
from router.policy import readable
from router.stages.compare.begin import ask_where
from router.stages.naming import called, go_to
from router.stages.side_questions import asks_data, heard, names_data, side_category
from router.stages.tasks import comparing_of, side_of
from router.turn import Said, Turn
from router.understanding.categories import Category
from router.understanding.compared_queries import Same, names_earlier, only_same, same_elsewhere
from router.understanding.interpretation import SURE_CONFIDENCE_MIN
from router.understanding.kinds import forced_question, is_question

NO_QUERY = (
    "I didn't understand that as a query. Type a question about the data or your SQL, or press Cancel to leave the "
    "comparison."
)
NO_EARLIER = "There's no other query in this talk yet that I could compare with. Type a question or SQL."
SAME_QUESTION = Option("again", "Same question", "primary")
OWN_SQL = "The first query is SQL of your own, with no question to ask again. So I take the same SQL:"


def named_by_other(turn: Turn) -> Literal["question", "sql"] | None:
    """Begin the second query as a sentence names it by another one; None where it names none so.

    Raises Unclear where there is no such query.
    """
    given = turn.incoming.input
    if not at_second(turn) or not isinstance(given, Said):
        return None
    return by_other(turn, given.text)


def by_other(turn: Turn, text: str) -> Literal["question", "sql"] | None:
    """Begin the second query as words name it: the same, the same elsewhere, or that of the result before."""
    if names_earlier(text):
        return earlier(turn)
    if same := only_same(text):
        return the_same(turn, same)
    if (elsewhere := same_elsewhere(text, called(turn))) is None:
        return None
    go_to(turn, elsewhere[1])
    return the_same(turn, elsewhere[0])


def at_second(turn: Turn) -> bool:
    return comparing_of(turn).left is not None and "SECOND" in turn.memory.stage


def the_same(turn: Turn, what: Same) -> Literal["question", "sql"]:
    """Take the first query's question for the second one, or its SQL, as is wanted and as far as there is one."""
    if what != "sql" and question_of(turn):
        return same_question(turn)
    if what == "question":
        turn.note(OWN_SQL, "quiet")
    return same_sql(turn)


def question_of(turn: Turn) -> str:
    """Return the question that the first query answers; empty where it is SQL of a person's own, or was changed."""
    first = comparing_of(turn).left
    return first.draft.question if first and first.draft.method == "generate" and not first.draft.changed else ""


def same_question(turn: Turn) -> Literal["question"]:
    """Have SQL written for the first query's question once more, for the database that is asked."""
    turn.memory.draft = replace(side_of(turn, "left").draft.asked_again(), plan=turn.memory.draft.plan)
    ask_where(turn)
    return "question"


def same_sql(turn: Turn) -> Literal["sql"]:
    """Take the first query's SQL for the second one."""
    first = side_of(turn, "left").draft
    question, hint = (first.question, first.evidence) if question_of(turn) else ("", "")
    turn.memory.draft = Draft(question, "provide", sql=first.sql, evidence=hint, plan=turn.memory.draft.plan)
    ask_where(turn)
    return "sql"


def earlier(turn: Turn) -> Literal["sql"]:
    """Take the query of the latest result that is not the first query's, to be confirmed; raises Unclear."""
    memory, left = turn.memory, comparing_of(turn).left
    allowed = {each.name for each in readable(turn.services.connections, turn.owner)}
    found = next(
        (each for each in reversed(memory.results) if each.place.connection in allowed and _other(each, left)), None
    )
    if found is None:
        raise Unclear(NO_EARLIER)
    draft = found.answer.draft
    memory.draft = replace(
        draft, method="provide", approval=None, typed="", intent="", sure=1.0, plan=memory.draft.plan
    )
    memory.place, memory.choosing = replace(found.place, connection=found.answer.connection), ""
    return "sql"


def _other(past: PastResult, left: ComparedSide | None) -> bool:
    """Return whether a result is of one query, which is not the other one of the comparison."""
    place = replace(past.place, connection=past.answer.connection)
    return not past.answer.compared and not ComparedSide(place, past.answer.draft).same_query(left)


def no_query(turn: Turn, only_data: bool) -> str:
    """Return why no query is written for a sentence where it would be for any, as it stands; empty where one is.

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
