"""From a sentence to what it asks for: understood first, then routed; either may have to ask back."""

import re
from dataclasses import replace

from router.draft import Wish
from router.intents.categories import CATEGORY_TO_AGENT, NAMES, OUT_OF_SCOPE, Category
from router.intents.deciding import Decided
from router.intents.following import Asked, Homes, Understood, full_question, put_behind
from router.intents.following.asked import nowhere
from router.intents.following.causes import checks
from router.intents.following.database import homes_in
from router.intents.following.spelling import corrected
from router.intents.kinds import asks_clearly
from router.intents.wishes import Step, wishes_of
from router.turn import Turn
from router.understanding import Clarification, Understanding, Way

REPHRASE = "none"
"""The id of "something else"."""

SURE = 0.65
"""From here on, a follow-up is taken for one without asking."""

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

_LEAD = re.compile(r"(?:and|now|also|und|et|y)\b[ ,]*", re.IGNORECASE)

NEVER = frozenset({*(each for each, agent in CATEGORY_TO_AGENT.items() if agent == OUT_OF_SCOPE), Category.SMALL_TALK})
"""What nobody would press a button for."""

ASKING = (Category.ASK_DATA, Category.REFINE_QUESTION)
"""What both lead to SQL."""


def understood(turn: Turn) -> Understanding:
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
    known = replace(known, processed_query=corrected(head, _words(turn), _homes(turn))[0])
    if said := next((each.category for each in turn.memory.intended if each.sentence == text), ""):
        known = _sure(known, said)
    return _followed(turn, known)


def route(turn: Turn, known: Understanding) -> Understanding:
    """Return the understanding with the agent that acts on it, or with what has to be asked about that."""
    if known.needs_clarification:
        return known
    if known.classification_confidence < 1.0:
        known = _classified(turn, known)
    if known.needs_clarification:
        return known
    return replace(known, primary_agent_id=CATEGORY_TO_AGENT[Category(known.classified_intent)])


def _classified(turn: Turn, known: Understanding) -> Understanding:
    """Return the understanding with the category that the examples speak for; what follows a question stays that."""
    followed = known.classified_intent == Category.REFINE_QUESTION
    head = known.user_message if followed and not known.wishes else known.processed_query
    found = turn.tools.intents.decide(head, _words(turn), _senseless(turn))
    result = tuple((str(each.category), each.share) for each in found.ranked[:5])
    known = replace(known, classification_result=result)
    if followed and (found.category in (None, *ASKING)):
        return known
    if found.category is None and not _asks_anyway(known, found):
        asked = Clarification("I am not sure what you would like. Is it:", _ways(found))
        return replace(known, needs_clarification=True, clarification=asked, classified_intent="")
    if found.category is None:
        return replace(known, classified_intent=Category.ASK_DATA, classification_confidence=found.confidence)
    added = found.category == Category.REFINE_QUESTION and not known.wishes and not _whole(head)
    if added and (more := put_behind(head, _asked(turn))):
        return _refined(turn, known, more)
    if found.category == Category.EXPLAIN_RESULT and (cause := checks(head, _asked(turn))):
        return _refined(turn, known, cause)
    plain = replace(known, processed_query=head) if found.category not in ASKING else known
    category = Category.ASK_DATA if found.category == Category.REFINE_QUESTION else found.category
    return replace(plain, classified_intent=category, classification_confidence=found.confidence)


def _asks_anyway(known: Understanding, found: Decided) -> bool:
    """Tell where nothing is gained by asking back: the SQL, or the plan, is shown before anything runs."""
    likely = next((each.category for each in found.ranked if each.category not in NEVER), Category.ASK_DATA)
    return bool(known.wishes) or likely in ASKING


def _ways(found: Decided) -> tuple[Way, ...]:
    """Return what is offered: what somebody here can do about it, and always to ask the data."""
    ways = {each.id: each.label for each in found.options if Category(each.id) not in NEVER}
    ways.setdefault(Category.ASK_DATA, NAMES[Category.ASK_DATA].label)
    return (*(Way(id, label) for id, label in ways.items()), Way(REPHRASE, "Something else"))


def _senseless(turn: Turn) -> frozenset[Category]:
    """Return what nobody can want here: there is nothing to be changed or explained before anything was asked."""
    if _asked(turn) or turn.memory.understanding.before.sql or turn.memory.answer:
        return frozenset()
    return frozenset({Category.REFINE_QUESTION, Category.EXPLAIN_RESULT})


def _followed(turn: Turn, known: Understanding) -> Understanding:
    """Return a follow-up as the full question that it asks, from the questions before it."""
    if known.classified_intent not in ("", *ASKING):
        return known
    previous = _asked(turn)
    found = full_question(known.processed_query, previous, _homes(turn)) if previous else None
    return _refined(turn, known, found) if found else known


def _refined(turn: Turn, known: Understanding, found: Understood) -> Understanding:
    """Return what was understood of a follow-up, or which of several questions it may be has to be asked."""
    if found.problem:
        turn.note(found.problem, "quiet")
    first = _asked(turn)[0]
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


def _whole(text: str) -> bool:
    """Tell a sentence that no rule takes for a follow-up, and that has the form of a question of its own."""
    return asks_clearly(_LEAD.sub("", text))


def _asked(turn: Turn) -> tuple[Asked, ...]:
    """Return the questions that a follow-up may be about, the latest first: those that ran, and the one at hand."""
    memory, before = turn.memory, turn.memory.understanding.before
    answers = [memory.answer, *(step.answer for step in reversed(memory.trail))]
    drafts = [before, *(each.draft if each else None for each in answers)]
    asked = {draft.question: draft for draft in drafts if draft and draft.question}
    if not asked:
        return ()
    names, dialect = _words(turn), turn.connection.dialect.name
    return tuple(Asked(text, draft.sql, names=names, dialect=dialect) for text, draft in list(asked.items())[:3])


def _words(turn: Turn) -> frozenset[str]:
    """Return the words of the names of tables and columns, once the talk is about a schema."""
    place = turn.memory.place
    return turn.tools.catalog.known_words(place.connection, place.schema)


def _homes(turn: Turn) -> Homes:
    """Return what tells where values are, once it is known which database the talk is about."""
    return homes_in(turn.values()) if turn.memory.place.schema else nowhere


def _sure(known: Understanding, category: str) -> Understanding:
    return replace(known, classified_intent=category, classification_confidence=1.0)
