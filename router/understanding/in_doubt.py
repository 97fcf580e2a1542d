"""What becomes of a sentence that the examples are in doubt about: SQL, a question back, or that it is outside.

SQL is shown before it runs, so that a real question about the data, be it odd, costs nothing where it is taken for one.
What is as likely no business of the data, or says nothing of them, is asked about.
"""

import re
from collections.abc import Mapping

from router.language.detection import is_small_word
from router.language.inflection import stem
from router.language.phrases import begins_with, spellings_of
from router.language.wording import WORD
from router.understanding.categories import CATEGORY_TO_AGENT, OUT_OF_SCOPE, SQL_CATEGORIES, Category
from router.understanding.classifier import IntentDecision

NEVER_OFFERED = frozenset(
    {*(each for each, agent in CATEGORY_TO_AGENT.items() if agent == OUT_OF_SCOPE), Category.SMALL_TALK}
)
"""Categories that are never offered as a button."""

AT_ONCE = NEVER_OFFERED | {Category.HELP, Category.EXPLAIN_RESULT, Category.DESCRIBE_DATA, Category.JOB_STATUS}
"""Categories of sentences that are answered at once: nothing runs, and nothing is lost."""

OUTSIDE_SHARE_MIN, AT_ONCE_SHARE_MIN = 0.75, 0.85
"""The share of all that is outside, or answered at once, from which a sentence is answered as the likeliest of it."""

LIKELIEST_SHARE_MIN, LIKELIEST_LEAD = 0.45, 1.5
"""The share that the likeliest must have where it is not outside, and how many times that of the next one."""

_NAMES_MIN: Mapping[Category, int] = {
    Category.OTHER_SYSTEMS: 1,
    Category.OTHER_PEOPLE: 1,
    Category.DESCRIBE_DATA: 2,
    Category.JOB_STATUS: 2,
}
"""The words of the database's names with which a sentence of such a category asks for data after all."""

ELSEWHERE_CONFIDENCE_MIN = 0.95
"""From here on, it does not, whatever it names: "write a poem about our stores"."""

ACTIONS = frozenset(
    {Category.WRITE, Category.EMAIL, Category.EXPORT, Category.SCHEDULE, Category.COMPARE, Category.OWN_SQL}
)
"""Categories of sentences that have something done."""

CHANGES_SHARE_MIN = 0.1
"""From here on, a sentence may ask to change data, so that it is asked back what is meant."""


def answered_at_once(text: str, found: IntentDecision) -> Category | None:
    """Return what a sentence most likely is that needs no query for certain, although not which kind of that."""
    if found.category or len(found.ranked) < 2:
        return None
    outside = [each for each in found.ranked if each.category in NEVER_OFFERED]
    if sum(each.share for each in outside) >= OUTSIDE_SHARE_MIN:
        return None if _is_strange_word(text, outside[0].category) else outside[0].category
    first, second = found.ranked[:2]
    sure = first.share >= max(LIKELIEST_SHARE_MIN, LIKELIEST_LEAD * second.share)
    at_once = sum(each.share for each in found.ranked if each.category in AT_ONCE)
    return first.category if sure and first.category in AT_ONCE and at_once >= AT_ONCE_SHARE_MIN else None


def asks_back(text: str, found: IntentDecision, names: frozenset[str], follows: bool) -> bool:
    """Tell whether it is asked what a sentence wants, instead of writing SQL.

    `names`: words of known tables and columns; `follows`: there is a question that it may be about.
    """
    if _is_strange_word(text, found.category):
        return True
    if not follows and found.category in (None, *SQL_CATEGORIES) and _names_nothing(text):
        return True
    shares = {each.category: each.share for each in found.ranked}
    acts = found.likely in ACTIONS or shares.get(Category.CHANGE_DATA, 0.0) >= CHANGES_SHARE_MIN
    if found.category is not None or (_named(text, names) and not acts):
        return False
    # Hardly anybody asks for a figure of anything but the data.
    if begins_with("questions.figures", text) and max(shares.values(), default=0.0) < LIKELIEST_SHARE_MIN:
        return False
    likely = next((each for each in shares if each not in NEVER_OFFERED), Category.ASK_DATA)
    asks = shares.get(Category.ASK_DATA, 0.0) + (shares.get(Category.REFINE_QUESTION, 0.0) if follows else 0.0)
    outside = sum(shares.get(each, 0.0) for each in NEVER_OFFERED)
    if likely == Category.REFINE_QUESTION and not follows:
        return True
    return likely not in SQL_CATEGORIES or (asks < outside and _named(text, names) < 2)


def names_data(text: str, found: IntentDecision, names: frozenset[str]) -> bool:
    """Return whether a sentence that is taken for something else names so much of the database that it asks that."""
    needed = _NAMES_MIN.get(found.category or Category.ASK_DATA, 0)
    return 0 < needed <= _named(text, names) and found.confidence < ELSEWHERE_CONFIDENCE_MIN


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
