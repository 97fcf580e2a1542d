"""From a sentence to the full question that it asks, with its wishes apart; it may have to be asked back."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from router.draft import Wish
from router.intents.categories import CATEGORY_TO_AGENT, Category
from router.intents.following import Asked, Homes, Understood, full_question
from router.intents.following.asked import nowhere
from router.intents.following.spelling import corrected
from router.intents.recalling import recalls
from router.intents.wishes import Step, wishes_of
from router.sql.dialect import Name
from router.understanding import Chosen, Clarification, Understanding, Way

REPHRASE = "none"
"""The id of "something else"."""

SURE = 0.65
"""From here on, a follow-up is taken for one without asking."""

LONGEST = 300
"""Characters of a sentence that are kept with what the person said it asks for."""

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
    "ask": CATEGORY_TO_AGENT[Category.ASK_DATA],
}

ASKING = (Category.ASK_DATA, Category.REFINE_QUESTION)
"""What both lead to SQL."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a message is understood by: the questions before it, the latest first, and what is known of the database.

    `words` are those of the names of tables and columns, in lower case; `homes` tells where values are.
    """

    asked: tuple[Asked, ...] = ()
    words: frozenset[str] = frozenset()
    homes: Homes = nowhere
    explains: bool = False
    """Whether there is SQL or a result, so that something can be explained."""
    intended: tuple[Chosen, ...] = ()
    """What the person said that sentences ask for."""


def asked_of(before: Iterable[tuple[str, str]], words: frozenset[str], dialect: Name) -> tuple[Asked, ...]:
    """Return the questions that a follow-up may be about, of all with their SQL, the latest first."""
    latest: dict[str, str] = {}
    for question, sql in before:
        if question:
            latest.setdefault(question, sql)
    return tuple(Asked(text, sql, names=words, dialect=dialect) for text, sql in list(latest.items())[:LATEST])


def understood(known: Understanding, context: Context) -> Understanding:
    """Return the message with its wishes apart and as a full question, or with what has to be asked about that."""
    text = known.user_message
    if forced := FORCED.match(text):
        return _sure(replace(known, processed_query=text[forced.end() :].strip()), Category.ASK_DATA)
    head, wishes = wishes_of(text, bool(context.asked))
    agents = tuple(AGENTS[wish.step] for wish in wishes)
    steps = tuple(Wish(agent, wish.text) for agent, wish in zip(agents, wishes, strict=True))
    known = replace(known, processed_query=head, wishes=steps, secondary_agent_ids=agents)
    if not head:
        return _sure(known, Category.ASK_DATA)
    known = replace(known, processed_query=corrected(head, context.words, context.homes)[0])
    if recalls(head):
        return _sure(known, Category.HELP)
    if said := _said_before(text, context):
        known = _sure(known, said.category)
        if said.question:
            return replace(known, processed_query=said.question, follows=_first(context))
    return _followed(known, context)


def _said_before(text: str, context: Context) -> Chosen | None:
    """Return what the person said that this sentence asks for, after the same question where that matters."""
    after = context.asked[0].question if context.asked else ""
    found = (each for each in context.intended if each.sentence == text[:LONGEST] and each.after in ("", after))
    return next(found, None)


def _first(context: Context) -> tuple[str, str]:
    return context.asked[0].question, context.asked[0].sql


def _followed(known: Understanding, context: Context) -> Understanding:
    """Return a follow-up as the full question that it asks, from the questions before it."""
    if known.classified_intent not in ("", *ASKING):
        return known
    found = full_question(known.processed_query, context.asked, context.homes)
    return refined(known, found, context) if found else known


def refined(known: Understanding, found: Understood, context: Context) -> Understanding:
    """Return what was understood of a follow-up, or which of several questions it may be has to be asked."""
    known = replace(
        known,
        classified_intent=Category.REFINE_QUESTION,
        classification_confidence=found.confidence,
        follows=_first(context),
        problem=found.problem,
    )
    if not found.options or found.confidence >= SURE:
        return replace(known, processed_query=found.question)
    ways = tuple(Way(str(number), text) for number, text in enumerate((found.question, *found.options)[:MOST], 1))
    asked = Clarification("Which of these do you mean?", (*ways, Way(REPHRASE, "Something else")))
    return replace(known, needs_clarification=True, clarification=asked)


def _sure(known: Understanding, category: str) -> Understanding:
    return replace(known, classified_intent=category, classification_confidence=1.0)
