"""Sentences for a query of a comparison that lean on another one: a change of it, the same elsewhere, an old one."""

import re
from dataclasses import replace
from typing import Literal

from router.cards import Option
from router.errors import Unclear
from router.memory.comparing import ComparedSide
from router.memory.draft import Draft
from router.memory.thread import PastResult
from router.memory.understanding import Understanding
from router.policy import readable
from router.stages.compare.begin import ask_where
from router.stages.naming import fits_several, go_to, is_data
from router.stages.side_questions import asks_data, heard, names_data, polite, remember, remember_full, side_category
from router.stages.tasks import comparing_of, side_of
from router.turn import Said, Turn
from router.understanding.business_words import meanings_of
from router.understanding.categories import Category
from router.understanding.followup.full_question import full_question, put_behind
from router.understanding.followup.previous import PreviousQuestion, homes_in, nowhere
from router.understanding.interpretation import (
    ANY_PREVIOUS_QUESTION,
    CHANGES_LAST,
    EXAMPLES_OVER_RULES_CONFIDENCE,
    FOLLOWUP_CONFIDENCE_MIN,
    Context,
    asked_of,
    understand,
)
from router.understanding.kinds import FORCED_QUESTION, asks_clearly, is_question
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
NO_FIRST_QUESTION = "The first query is SQL of your own, so I cannot tell what that changes of it. Type all of it."

NO_EARLIER = "There's no other query in this talk yet that I could compare with. Type a question or SQL."
NO_QUESTION = (
    "This SQL was typed and not written for a question, so I can't change it in words. Press Edit to change it, or "
    "type a whole question."
)
OWN_SQL = "The first query is SQL of your own, with no question to ask again. So I take the same SQL:"

Leaning = Literal["question", "sql", "unclear"]
"""The kind of query that was begun."""


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
    turn.memory.draft = Draft(first.question, "generate", evidence=first.evidence, plan=plan)
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


def corrected(turn: Turn) -> Leaning | None:
    """Put what a sentence changes of the query at hand in place of its question; None where it changes nothing."""
    draft, given = turn.memory.draft, turn.incoming.input
    if turn.memory.tasks.comparing is None or not isinstance(given, Said) or polite(turn):
        return None
    if not draft.question:
        changes = full_question(given.text, ANY_PREVIOUS_QUESTION) is not None
        return turn.unclear(NO_QUESTION) if changes and draft.sql else None
    place = turn.memory.place
    words = turn.services.catalog.known_words(*place.at)
    asked = asked_of([(draft.question, draft.sql)], words, turn.connection.dialect.name)
    homes = homes_in(turn.values()) if place.schema else nowhere
    known = understand(
        Understanding(given.text, before=draft, typed_at="sql"),
        Context(asked, words, homes, True),
        turn.services.intents.decide,
    )
    full = _full(known)
    if not full:
        return None
    remember(turn, given.text)
    remember_full(turn, given.text, full)
    turn.memory.draft = Draft(
        full,
        "generate",
        evidence=draft.evidence,
        typed=given.text,
        intent=Category.REFINE_QUESTION,
        sure=known.classification_confidence,
        follows=(draft.question, draft.sql),
        plan=draft.plan,
    )
    return "question"


def _full(known: Understanding) -> str:
    """Return the whole question that a change of another one makes; where that is in doubt, the likeliest."""
    if known.wishes:
        return ""
    if known.clarification and known.needs_clarification:
        way = next(iter(known.clarification.options), None)
        label = way.label if way and way.id.isdigit() else ""
        return label.removeprefix(CHANGES_LAST)
    return known.processed_query if known.classified_intent == Category.REFINE_QUESTION else ""


# Sentences for the second query that only make sense beside the first.


def no_query(turn: Turn, only_data: bool) -> str:
    """Return why no query is written for a sentence where it would be for any, as it stands; empty where one is.

    `only_data`: outside a comparison, too, only what asks for data is a query.
    """
    comparing = turn.memory.tasks.comparing is not None
    if (comparing or only_data) and side_category(turn):
        return "That doesn't look like a question about the data."
    if not comparing or FORCED_QUESTION.match(turn.text):
        return ""
    if _follows_own_sql(turn):
        return NO_FIRST_QUESTION
    return "" if asks_data(turn) and not _asks_about_comparing(turn) else NO_QUERY


def _follows_own_sql(turn: Turn) -> bool:
    """Tell a part of a question, such as "with last year", where the first query is somebody's own SQL."""
    comparing = turn.memory.tasks.comparing
    if comparing is None or comparing.left is None or comparing.left.draft.question:
        return False
    rest = COMPARED_WITH.sub("", turn.text, count=1)
    return rest != turn.text and full_question(rest, ANY_PREVIOUS_QUESTION) is not None


def _asks_about_comparing(turn: Turn) -> bool:
    """Tell an unclear question that names nothing of the first query's database: it is about the comparison."""
    found, comparing = heard(turn), turn.memory.tasks.comparing
    sure = found.category == Category.ASK_DATA and found.confidence >= EXAMPLES_OVER_RULES_CONFIDENCE
    if sure or not is_question(turn.text) or comparing is None or comparing.left is None:
        return False
    return not names_data(turn, comparing.left.place)


def of_first_query(turn: Turn, question: str) -> str:
    """Return the whole question for a change of the one at hand, or of a comparison's first: "the same for 2023"."""
    comparing, first = turn.memory.tasks.comparing, turn.memory.draft
    if comparing is None:
        return question
    if not first.question and comparing.left:
        first = comparing.left.draft
    if not first.question:
        return question
    asked = (PreviousQuestion(first.question, first.sql),)
    rest = COMPARED_WITH.sub("", question, count=1)
    found = full_question(YEARS_BEFORE.get(meanings_of(rest), rest), asked)
    if found and found.confidence >= FOLLOWUP_CONFIDENCE_MIN:
        return found.question
    behind = (
        None if asks_clearly(question) or heard(turn).category == Category.ASK_DATA else put_behind(question, asked)
    )
    return behind.question if behind else question
