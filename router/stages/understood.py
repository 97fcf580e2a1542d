"""From a sentence to the full question that it asks, with its wishes apart; it may have to be asked back."""

import re
from dataclasses import dataclass, replace

from router.draft import Wish
from router.intents.categories import CATEGORY_TO_AGENT, Category
from router.intents.following import Asked, Homes, Understood, full_question
from router.intents.following.asked import nowhere
from router.intents.following.database import homes_in
from router.intents.following.spelling import corrected
from router.intents.wishes import Step, wishes_of
from router.turn import Turn
from router.understanding import Clarification, Understanding, Way

REPHRASE = "none"
"""The id of "something else"."""

SURE = 0.65
"""From here on, a follow-up is taken for one without asking."""

LATEST = 3
"""Questions that a follow-up may be about."""

MOST = 4
"""Full questions that are offered at once."""

FORCED = re.compile(r"\s*(?:ask|frage?|demande|pregunta)\s*:\s*", re.IGNORECASE)

AGENTS: dict[Step, str] = {
    "write": CATEGORY_TO_AGENT[Category.WRITE],
    "email": CATEGORY_TO_AGENT[Category.EMAIL],
    "csv": CATEGORY_TO_AGENT[Category.EXPORT],
    "xlsx": CATEGORY_TO_AGENT[Category.EXPORT],
    "chart": CATEGORY_TO_AGENT[Category.EXPORT],
    "repeat": CATEGORY_TO_AGENT[Category.SCHEDULE],
}

ASKING = (Category.ASK_DATA, Category.REFINE_QUESTION)
"""What both lead to SQL."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a message is understood by: the questions before it, the latest first, and what is known of the database.

    `words` are those of the names of tables and columns, in lower case; `homes` tells where values are.
    """

    asked: tuple[Asked, ...]
    words: frozenset[str]
    homes: Homes


def context_of(turn: Turn) -> Context:
    """Return the context of the message that is to be understood; of the database, once the talk is about a schema."""
    memory, place = turn.memory, turn.memory.place
    words = turn.tools.catalog.known_words(place.connection, place.schema)
    answers = [memory.answer, *(step.answer for step in reversed(memory.trail))]
    drafts = [memory.understanding.before, *(each.draft for each in answers if each)]
    found = {draft.question: draft.sql for draft in drafts if draft.question}
    asked: tuple[Asked, ...] = ()
    if found:
        dialect = turn.connection.dialect.name
        asked = tuple(Asked(text, sql, names=words, dialect=dialect) for text, sql in list(found.items())[:LATEST])

    def homes(text: str) -> frozenset[str]:
        return homes_in(turn.values())(text)

    return Context(asked, words, homes if place.schema else nowhere)


def understood(turn: Turn, context: Context) -> Understanding:
    """Return the message with its wishes apart and as a full question, or with what has to be asked about that."""
    known = turn.memory.understanding
    text = known.user_message
    if forced := FORCED.match(text):
        return _sure(replace(known, processed_query=text[forced.end() :].strip()), Category.ASK_DATA)
    head, wishes = wishes_of(text)
    agents = tuple(AGENTS[wish.step] for wish in wishes)
    steps = tuple(Wish(agent, wish.text) for agent, wish in zip(agents, wishes, strict=True))
    known = replace(known, processed_query=head, wishes=steps, secondary_agent_ids=agents)
    if not head:
        return _sure(known, Category.ASK_DATA)
    known = replace(known, processed_query=corrected(head, context.words, context.homes)[0])
    if said := next((each.category for each in turn.memory.intended if each.sentence == text), ""):
        known = _sure(known, said)
    return _followed(turn, known, context)


def _followed(turn: Turn, known: Understanding, context: Context) -> Understanding:
    """Return a follow-up as the full question that it asks, from the questions before it."""
    if known.classified_intent not in ("", *ASKING):
        return known
    found = full_question(known.processed_query, context.asked, context.homes)
    return refined(turn, known, found, context) if found else known


def refined(turn: Turn, known: Understanding, found: Understood, context: Context) -> Understanding:
    """Return what was understood of a follow-up, or which of several questions it may be has to be asked."""
    if found.problem:
        turn.note(found.problem, "quiet")
    first = context.asked[0]
    known = replace(
        known,
        classified_intent=Category.REFINE_QUESTION,
        classification_confidence=found.confidence,
        follows=(first.question, first.sql),
    )
    if not found.options or found.confidence >= SURE:
        return replace(known, processed_query=found.question)
    ways = tuple(Way(str(number), text) for number, text in enumerate((found.question, *found.options)[:MOST], 1))
    asked = Clarification("Which of these do you mean?", (*ways, Way(REPHRASE, "Something else")))
    return replace(known, needs_clarification=True, clarification=asked)


def _sure(known: Understanding, category: str) -> Understanding:
    return replace(known, classified_intent=category, classification_confidence=1.0)
