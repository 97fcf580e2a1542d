"""Sentences that are typed where another answer was expected; some need no query, and end nothing."""

import re

from router.catalog.values import names_known
from router.memory.draft import Place
from router.memory.understanding import TypedAt
from router.turn import Said, Turn
from router.understanding.business_words import known_in, meanings_of
from router.understanding.button_words import asks_to_wait, is_answer, takes_back
from router.understanding.categories import Category
from router.understanding.classifier import IntentDecision
from router.understanding.interpretation import INTENDED_MAX_CHARS
from router.understanding.kinds import forced_question, kind_of
from router.understanding.short_wishes import agrees, is_thanks

DATA_CATEGORIES = frozenset({Category.DESCRIBE_DATA, Category.EXPLAIN_RESULT})
"""Categories of questions that need no query."""

SIDE_CATEGORIES = frozenset(
    {
        Category.DESCRIBE_DATA,
        Category.EXPLAIN_RESULT,
        Category.JOB_STATUS,
        Category.HELP,
        Category.SMALL_TALK,
        Category.CHANGE_DATA,
        Category.OTHER_SYSTEMS,
        Category.OTHER_PEOPLE,
        Category.ABUSE,
    }
)
"""Sentences that are answered at once wherever they are typed. Nonsense is none: it is an answer not understood."""

AWAITS_QUESTION: tuple[TypedAt, ...] = ("open", "rows")
"""Questions that await the next one, and nothing that a word such as "ok" could be meant to answer."""


def heard(turn: Turn) -> IntentDecision:
    """Return what a typed sentence asks for; no category if it is in doubt, or a word for a button."""
    given = turn.incoming.input
    if not isinstance(given, Said) or not 0 < len(turn.text) <= INTENDED_MAX_CHARS or is_answer(turn.text):
        return IntentDecision(None, 0.0)
    if forced_question(turn.text):
        return IntentDecision(Category.ASK_DATA, 1.0)
    if turn.text not in turn.heard:
        turn.heard[turn.text] = turn.services.intents.decide(turn.text, turn.known_words(), frozenset())
    return turn.heard[turn.text]


def names_data(turn: Turn, place: Place | None = None) -> bool:
    """Return whether a sentence has a word of the database at hand, or of another place, or of any business."""
    known = names_known(turn.services.catalog.known(), *(place or turn.memory.place).at)
    return not known.isdisjoint(re.findall(r"\w{3,}", turn.text.lower())) or bool(known_in(meanings_of(turn.text)))


def asks_data(turn: Turn) -> bool:
    """Return whether a sentence is likely to ask for data, and for nothing else."""
    found = heard(turn)
    return (found.category or found.likely or Category.ASK_DATA) in (Category.ASK_DATA, Category.REFINE_QUESTION)


def is_courtesy(turn: Turn) -> bool:
    """Return whether a word is of thanks or of thinking; if no other answer is awaited, also one that it was read."""
    text = turn.text
    if not isinstance(turn.incoming.input, Said):
        return False
    if asks_to_wait(text):
        return True
    return turn.typed_at in AWAITS_QUESTION if agrees(text) else is_thanks(text) and kind_of(text) == "neither"


def side_category(turn: Turn) -> Category | None:
    """Return what a sentence is that is answered above the question that stands; None for anything else.

    Small talk is often an answer that was not understood ("whenever you like"): thanks alone are surely none. So is a
    single word, such as the name of a column.
    """
    if is_courtesy(turn):
        return Category.SMALL_TALK
    if takes_back(turn.text):
        return None  # the card says what can be taken back
    category, text = heard(turn).category, turn.text
    surely = is_thanks(text) if category == Category.SMALL_TALK else len(text.split()) > 1 or text.endswith("?")
    return category if surely and category in SIDE_CATEGORIES else None
