"""What becomes of a sentence that the examples are in doubt about: SQL, a question back, or that it is outside.

SQL is shown before it runs, so that a real question about the data, be it odd, costs nothing where it is taken for one.
What is as likely no business of the data, or says nothing of them, is asked about.
"""

import re

from router.language.detection import is_small_word
from router.language.inflection import stem
from router.language.phrases import spellings_of
from router.language.wording import WORD
from router.understanding.categories import CATEGORY_TO_AGENT, OUT_OF_SCOPE, SQL_CATEGORIES, Category
from router.understanding.classifier import IntentDecision

NEVER_OFFERED = frozenset(
    {*(each for each, agent in CATEGORY_TO_AGENT.items() if agent == OUT_OF_SCOPE), Category.SMALL_TALK}
)
"""Categories that are never offered as a button."""

OUTSIDE_SHARE_MIN = 0.75
"""The share of all that is outside from which a sentence is answered as the likeliest of it."""

ACTIONS = frozenset(
    {Category.WRITE, Category.EMAIL, Category.EXPORT, Category.SCHEDULE, Category.COMPARE, Category.OWN_SQL}
)
"""Categories of sentences that have something done."""


def answered_at_once(text: str, found: IntentDecision) -> Category | None:
    """Return what a sentence most likely is that is no business of the data, although not which kind of that."""
    outside = [each for each in found.ranked if each.category in NEVER_OFFERED]
    if found.category or sum(each.share for each in outside) < OUTSIDE_SHARE_MIN:
        return None
    return None if _is_strange_word(text, outside[0].category) else outside[0].category


def asks_back(text: str, found: IntentDecision, names: frozenset[str], follows: bool) -> bool:
    """Tell whether it is asked what a sentence wants, instead of writing SQL.

    `names`: words of known tables and columns; `follows`: there is a question that it may be about.
    """
    if _is_strange_word(text, found.category):
        return True
    if not follows and found.category in (None, *SQL_CATEGORIES) and _names_nothing(text):
        return True
    if found.category is not None:
        return False
    if names_any(text, names):
        return found.likely in ACTIONS
    likely = next((each.category for each in found.ranked if each.category not in NEVER_OFFERED), None)
    return found.likely in NEVER_OFFERED or likely not in SQL_CATEGORIES


def names_any(text: str, names: frozenset[str]) -> bool:
    """Return whether a sentence has a word of a name of the database."""
    return _named(text, names) > 0


def _is_strange_word(text: str, category: Category | None) -> bool:
    """Tell a single word that is taken for nonsense: more likely it is one that nobody taught the bot."""
    return category == Category.NONSENSE and len(text.split()) == 1


def _named(text: str, names: frozenset[str]) -> int:
    """Return how many words of a text are of names of tables and columns, but for small ones."""
    typed = {word.lower() for word in WORD.findall(text)} - spellings_of("talk.vague")
    return len({stem(word) for word in typed if not is_small_word(word)} & {stem(word) for word in names})


def _names_nothing(text: str) -> bool:
    """Tell a text of small words alone, such as "just give me something"; a number says something."""
    typed = [word.lower() for word in WORD.findall(text)]
    return not re.search(r"\d", text) and all(
        word in spellings_of("talk.vague") or is_small_word(word) for word in typed
    )
