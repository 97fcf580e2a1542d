"""The one path of every message: wishes apart, mended, as a full question, by examples, to whoever acts on it.

It is the same for a turn of a talk, for `icc-bot eval --talks` and for `icc-bot intents show`, but that only a talk
knows what the person said before that sentences ask for.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from router.intents.categories import CATEGORY_TO_AGENT, NAMES, OUT_OF_SCOPE, Category, category_of
from router.intents.deciding import Decided
from router.intents.following import Asked, full_question, put_behind
from router.intents.following.causes import checks
from router.intents.following.spelling import corrected
from router.intents.kinds import asks_clearly
from router.intents.understood import ASKING, REPHRASE, SURE, Context, refined, understood
from router.understanding import Clarification, Understanding, Way

_LEAD = re.compile(r"(?:and|now|also|und|et|y)\b[ ,]*", re.IGNORECASE)

_SHOWN = re.compile(
    r"\b(?:quer(?:y|ies)|sql|results?|rows?|answers?|abfrage|ergebnis\w*|zeilen?|requ[eê]te|r[eé]sultats?|lignes?|consulta"
    r"|resultados?|filas?)\b",
    re.IGNORECASE,
)
"""What the bot shows, and what only somebody means by it who saw it."""

NEVER = frozenset({*(each for each, agent in CATEGORY_TO_AGENT.items() if agent == OUT_OF_SCOPE), Category.SMALL_TALK})
"""What nobody would press a button for."""

CERTAIN = 0.95
"""From here on, the examples count more than the rules for follow-ups."""

ANY = (Asked("Revenue by customer in 2025", "SELECT c.name, SUM(o.total) FROM customers c JOIN orders o GROUP BY 1"),)
"""A question that most follow-ups could follow."""

NOTHING_BEFORE = (
    "That sounds as if it followed another question, and there is none here that it could follow. Type the whole "
    "question, or:"
)
AS_IT_IS = (Way(Category.ASK_DATA, "Ask it as it is"),)

Decide = Callable[[str, frozenset[str], frozenset[Category]], Decided]
"""Tells by examples what a sentence wants: its text, the words of known names, and what nobody can want there."""


def understand(known: Understanding, context: Context, decide: Decide) -> Understanding:
    """Return what a message asks for and who acts on it, or what has to be asked back."""
    found = _classified(understood(known, context), context, decide)
    return found if found.needs_clarification else _routed(found)


def chosen(known: Understanding, id: str) -> Understanding:
    """Return the understanding with the answer to what was asked back: a category, or one of several questions."""
    labels = {way.id: way.label for way in known.clarification.options} if known.clarification else {}
    sure = replace(known, needs_clarification=False, clarification=None, classification_confidence=1.0)
    if category := category_of(id):
        return _routed(replace(sure, classified_intent=category))
    return _routed(replace(sure, classified_intent=Category.REFINE_QUESTION, processed_query=labels[id]))


def _routed(known: Understanding) -> Understanding:
    return replace(known, primary_agent_id=CATEGORY_TO_AGENT[Category(known.classified_intent)])


def _classified(known: Understanding, context: Context, decide: Decide) -> Understanding:
    """Return the understanding with the category that the examples speak for, or with what has to be asked about that.

    What is sure already stays as it is. What follows a question stays that, but for what is a question of its own for
    certain where the rules are in doubt.
    """
    if known.needs_clarification or known.classification_confidence == 1.0:
        return known
    followed = known.classified_intent == Category.REFINE_QUESTION
    head = known.user_message if followed and not known.wishes else known.processed_query
    found = decide(head, context.words, frozenset())
    if _dangles(head, found, context):
        return replace(known, needs_clarification=True, clarification=Clarification(NOTHING_BEFORE, AS_IT_IS))
    if senseless := _senseless(head, found, context):
        found = decide(head, context.words, senseless)
    result = tuple((str(each.category), each.share) for each in found.ranked[:5])
    known = replace(known, classification_result=result)
    firm = found.confidence >= CERTAIN or known.classification_confidence < SURE
    if followed and not known.wishes and _stands_alone(known, found):
        text = corrected(head, context.words, context.homes)[0]
        known = replace(known, processed_query=text, follows=(), problem="")
    elif followed and (found.category in (None, *ASKING) or not firm):
        return known
    if found.category is None and not _asks_anyway(known, found):
        asked = Clarification("I am not sure what you would like. Is it:", _ways(found))
        return replace(known, needs_clarification=True, clarification=asked, classified_intent="")
    if found.category is None:
        return replace(known, classified_intent=Category.ASK_DATA, classification_confidence=found.confidence)
    added = found.category == Category.REFINE_QUESTION and not known.wishes and not _whole(head)
    if added and (more := put_behind(head, context.asked)):
        return refined(known, more, context)
    if found.category == Category.EXPLAIN_RESULT and (cause := checks(head, context.asked)):
        return refined(known, cause, context)
    plain = known if found.category in ASKING else replace(known, processed_query=head, follows=(), problem="")
    category = Category.ASK_DATA if found.category == Category.REFINE_QUESTION else found.category
    return replace(plain, classified_intent=category, classification_confidence=found.confidence)


def _stands_alone(known: Understanding, found: Decided) -> bool:
    """Tell whether it is a question of its own for certain, which the rules for follow-ups are in doubt about."""
    asks = found.category == Category.ASK_DATA and found.confidence >= CERTAIN
    return asks and known.classification_confidence < SURE


def _dangles(head: str, found: Decided, context: Context) -> bool:
    """Tell what only makes sense after a question, where there is none."""
    if context.asked or found.category != Category.REFINE_QUESTION:
        return False
    return found.confidence >= CERTAIN or full_question(head, ANY) is not None


def _asks_anyway(known: Understanding, found: Decided) -> bool:
    """Tell where nothing is gained by asking back: the SQL, or the plan, is shown before anything runs."""
    likely = next((each.category for each in found.ranked if each.category not in NEVER), Category.ASK_DATA)
    return bool(known.wishes) or likely in ASKING


def _ways(found: Decided) -> tuple[Way, ...]:
    """Return what is offered: what somebody here can do about it, and always to ask the data."""
    ways = {each.id: each.label for each in found.options if Category(each.id) not in NEVER}
    ways.setdefault(Category.ASK_DATA, NAMES[Category.ASK_DATA].label)
    return (*(Way(id, label) for id, label in ways.items()), Way(REPHRASE, "Something else"))


def _senseless(head: str, found: Decided, context: Context) -> frozenset[Category]:
    """Return what nobody can want here: there is nothing to be changed or explained before anything was asked.

    Whoever asks what a query or a result is, though, is told that there is none: that is no question about data.
    """
    if context.asked or context.explains:
        return frozenset()
    if found.category == Category.EXPLAIN_RESULT and found.confidence >= CERTAIN and _SHOWN.search(head):
        return frozenset({Category.REFINE_QUESTION})
    return frozenset({Category.REFINE_QUESTION, Category.EXPLAIN_RESULT})


def _whole(text: str) -> bool:
    """Tell a sentence that no rule takes for a follow-up, and that has the form of a question of its own."""
    return asks_clearly(_LEAD.sub("", text))
