"""From what was understood of a sentence to who acts on it; where its wish is in doubt, that is asked back."""

import re
from dataclasses import replace

from router.intents.categories import CATEGORY_TO_AGENT, NAMES, OUT_OF_SCOPE, Category
from router.intents.deciding import Decided
from router.intents.following import put_behind
from router.intents.following.causes import checks
from router.intents.kinds import asks_clearly
from router.stages.understood import ASKING, REPHRASE, Context, refined
from router.turn import Turn
from router.understanding import Clarification, Understanding, Way

_LEAD = re.compile(r"(?:and|now|also|und|et|y)\b[ ,]*", re.IGNORECASE)

NEVER = frozenset({*(each for each, agent in CATEGORY_TO_AGENT.items() if agent == OUT_OF_SCOPE), Category.SMALL_TALK})
"""What nobody would press a button for."""


def routed(known: Understanding) -> Understanding:
    """Return the understanding with the agent that acts on it."""
    return replace(known, primary_agent_id=CATEGORY_TO_AGENT[Category(known.classified_intent)])


def classified(turn: Turn, known: Understanding, context: Context) -> Understanding:
    """Return the understanding with the category that the examples speak for, or with what has to be asked about that.

    What is sure already stays as it is, and what follows a question stays that.
    """
    if known.needs_clarification or known.classification_confidence == 1.0:
        return known
    followed = known.classified_intent == Category.REFINE_QUESTION
    head = known.user_message if followed and not known.wishes else known.processed_query
    found = turn.tools.intents.decide(head, context.words, _senseless(turn, context))
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
    if added and (more := put_behind(head, context.asked)):
        return refined(turn, known, more, context)
    if found.category == Category.EXPLAIN_RESULT and (cause := checks(head, context.asked)):
        return refined(turn, known, cause, context)
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


def _senseless(turn: Turn, context: Context) -> frozenset[Category]:
    """Return what nobody can want here: there is nothing to be changed or explained before anything was asked."""
    if context.asked or turn.memory.understanding.before.sql or turn.memory.answer:
        return frozenset()
    return frozenset({Category.REFINE_QUESTION, Category.EXPLAIN_RESULT})


def _whole(text: str) -> bool:
    """Tell a sentence that no rule takes for a follow-up, and that has the form of a question of its own."""
    return asks_clearly(_LEAD.sub("", text))
