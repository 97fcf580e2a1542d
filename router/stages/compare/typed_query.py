"""Sentences for a query of a comparison that lean on another one: a change of it, the same elsewhere, an old one."""

import re
from dataclasses import replace
from typing import Literal

from router.cards import Option
from router.errors import Unclear
from router.memory.comparing import ComparedSide
from router.memory.draft import Draft
from router.memory.thread import PastResult
from router.policy import readable
from router.stages.compare.begin import ask_where
from router.stages.naming import fits_several, go_to, is_data
from router.stages.side_questions import asks_data, heard, names_data, polite, remember, side_category
from router.stages.tasks import comparing_of, side_of
from router.turn import Said, Turn
from router.understanding.business_words import meanings_of
from router.understanding.categories import Category
from router.understanding.interpretation import SURE_CONFIDENCE_MIN
from router.understanding.kinds import forced_question, is_question
from router.understanding.second_query import Same, names_earlier, only_same, same_elsewhere

NO_QUERY = (
    "I didn't understand that as a query. Type a question about the data or your SQL, or press Cancel to leave the "
    "comparison."
)
COMPARED_WITH = re.compile(
    r"(?:(?:compare|compared|comparison|vergleich\w*|compare[rz]?|comparaci[oó]n)(?: (?:it|them|this|that|es|das))? )?"
    r"(?:against|with|to|versus|vs\.?|gegen(?:über)?|mit|zu[mr]?|avec|[àa]u?|contre|con|contra|frente a) "
    r"(?:the (?=last|same|previous|prior)|de[mnr] (?=Vor|letzt|vorig|gleich))?",
    re.IGNORECASE,
)
"""Words in front of the second query, as it stands beside the first one."""
YEARS_BEFORE = {
    frozenset({"last_year"}): "the year before",
    frozenset({"last_month"}): "the month before",
    frozenset({"last_week"}): "the week before",
}
"""Times that are counted from that of the first query, by what they mean."""
NO_EARLIER = "There's no other query in this talk yet that I could compare with. Type a question or SQL."
OWN_SQL = "The first query is SQL of your own, with no question to ask again. So I take the same SQL:"

# The second query by words for another one: the same elsewhere, or an earlier one.


def named_by_other(turn: Turn) -> Literal["question", "sql"] | None:
    """Begin the second query as a sentence names it by another one; None where it names none so.

    Raises Unclear where there is no such query, or several databases fit.
    """
    comparing, given = turn.memory.tasks.comparing, turn.incoming.input
    if comparing is None or comparing.left is None or not _at_second(turn) or not isinstance(given, Said):
        return None
    if names_earlier(given.text):
        if (found := earlier(turn)) is None:
            raise Unclear(NO_EARLIER)
        return found
    if turn.memory.draft.sql and only_same(given.text) == "question" and question_of(turn):
        return same_question(turn)
    return _elsewhere(turn, given.text)


def _at_second(turn: Turn) -> bool:
    return "SECOND" in turn.memory.stage


def _elsewhere(turn: Turn, text: str) -> Literal["question", "sql"] | None:
    allowed = readable(turn.services.connections, turn.owner)
    if len(allowed) < 2:
        return None
    found = same_elsewhere(text, {each.name: (each.name, each.label) for each in allowed}, is_data(turn))
    if found is None:
        return None
    if len(found.connections) > 1:
        raise Unclear(fits_several(text, [each for each in allowed if each.name in found.connections]))
    go_to(turn, found.connections[0])
    return the_same(turn, found.what)


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
    first, plan = side_of(turn, "left").draft, turn.memory.draft.plan
    turn.memory.draft = replace(first.asked_again(), plan=plan)
    ask_where(turn)
    return "question"


def same_sql(turn: Turn) -> Literal["sql"]:
    """Take the first query's SQL for the second one."""
    first, plan = side_of(turn, "left").draft, turn.memory.draft.plan
    question, hint = (first.question, first.evidence) if question_of(turn) else ("", "")
    turn.memory.draft = Draft(question, "provide", sql=first.sql, evidence=hint, plan=plan)
    ask_where(turn)
    return "sql"


SAME_QUESTION = Option("again", "Same question", "primary")


def same_sql_failed(turn: Turn) -> str:
    """Return what is said where the first query's SQL was taken and does not run there; empty for all else."""
    comparing, draft = turn.memory.tasks.comparing, turn.memory.draft
    if comparing is None or comparing.left is None or not _at_second(turn):
        return ""
    if not draft.problem or draft.sql != comparing.left.draft.sql or not turn.memory.place.connection:
        return ""
    asks = " Press Same question, and I write SQL for it." if question_of(turn) else ""
    return f"The same SQL doesn't run on {turn.connection.label}, which has other tables or columns.{asks}"


def earlier(turn: Turn) -> Literal["sql"] | None:
    """Take the query of the latest result that is not the first query's, to be confirmed anew; None where none is."""
    memory, left = turn.memory, comparing_of(turn).left
    allowed = {each.name for each in readable(turn.services.connections, turn.owner)}
    found = next(
        (each for each in reversed(memory.results) if each.place.connection in allowed and _other(each, left)), None
    )
    if found is None:
        return None
    draft = found.answer.draft
    memory.draft = replace(
        draft, method="provide", approval=None, typed="", intent="", sure=1.0, plan=memory.draft.plan
    )
    memory.place, memory.choosing = replace(found.place, connection=found.answer.connection), ""
    return "sql"


def _other(past: PastResult, left: ComparedSide | None) -> bool:
    """Tell a result of one query, which is not the other one of the comparison."""
    place = replace(past.place, connection=past.answer.connection)
    return not past.answer.compared and not ComparedSide(place, past.answer.draft).same_query(left)


# A correction of the query at hand, typed at its SQL.


def corrected(turn: Turn) -> Literal["question"] | None:
    """Have the query at hand written again as a sentence changes it; None where it changes nothing."""
    draft, given, found = turn.memory.draft, turn.incoming.input, heard(turn)
    if turn.memory.tasks.comparing is None or not isinstance(given, Said) or polite(turn) or not draft.as_asked:
        return None
    if found.likely != Category.REFINE_QUESTION:
        return None
    remember(turn, given.text)
    turn.memory.draft = replace(
        draft.asked_again(),
        question=given.text,
        intent=Category.REFINE_QUESTION,
        sure=found.confidence,
        follows=draft.as_asked,
        leans=True,
    )
    return "question"


# Sentences for the second query that only make sense beside the first.


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
    """Tell an unclear question that names nothing of the first query's database: it is about the comparison."""
    found, comparing = heard(turn), turn.memory.tasks.comparing
    sure = found.category == Category.ASK_DATA and found.confidence >= SURE_CONFIDENCE_MIN
    if sure or not is_question(turn.text) or comparing is None or comparing.left is None:
        return False
    return not names_data(turn, comparing.left.place)


def followed_query(turn: Turn, question: str) -> tuple[str, tuple[str, ...]]:
    """Return a query of a comparison as it is asked, and the question and SQL that it stands below: "with last year".

    These are of the query at hand, or else of the first one; empty outside a comparison.
    """
    comparing, first = turn.memory.tasks.comparing, turn.memory.draft
    if comparing is None:
        return question, ()
    if not first.sql and comparing.left:
        first = comparing.left.draft
    if not first.as_asked:
        return question, ()
    led = COMPARED_WITH.match(question)
    rest = question[led.end() :] if led else question
    return YEARS_BEFORE.get(meanings_of(rest), rest), first.as_asked
