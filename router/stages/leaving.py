"""A question about data, typed at a card that asks for something else: it is asked, and `back` leads to the card.

It has to be one wherever it is typed, and at such a card; and it speaks of the data, by a name of a table or a column,
by a value, or by a time.
"""

import re
from typing import Final

from router.language.phrases import find_phrases, tokens_of
from router.machine import Ask
from router.stages.side_questions import heard
from router.stages.tasks import forget
from router.text_to_sql.periods import periods
from router.turn import Said, Turn
from router.understanding.card_meanings import meaning_at
from router.understanding.categories import SQL_CATEGORIES, Category
from router.understanding.values.sentence import unknown_words

LEFT_FOR_QUESTION: Final = "I'll answer your question first; nothing here is lost. `back` brings you here again."

SURE_SHARE_MIN: Final = 0.65
"""The share from which a sentence without any word of the data is a question at a card."""


def _is_ranking(text: str) -> bool:
    """Return whether a sentence asks for the first few of something: "top 5"."""
    tokens = tokens_of(text)
    return any(
        tokens[each.end].word.isdigit() for each in find_phrases("questions.top", tokens) if each.end < len(tokens)
    )


def leaves_for_question(turn: Turn, card: Ask) -> bool:
    """Leave the task at hand for a question about the data; tell whether a sentence is one."""
    return _asks_data(turn, card) and leaves_for_sql(turn)


def leaves_for_sql(turn: Turn) -> bool:
    """Leave the task at hand for another query; tell whether there are rows to which `cancel` leads."""
    if turn.memory.answer is None or turn.memory.tasks.comparing:
        return False
    forget(turn)
    turn.note(LEFT_FOR_QUESTION, "quiet")
    turn.goes_on = True
    return True


def _asks_data(turn: Turn, card: Ask) -> bool:
    if not isinstance(turn.incoming.input, Said) or heard(turn).category not in SQL_CATEGORIES:
        return False
    here = meaning_at(card.card, card.accepts, turn.text)
    if here is None or (card.card and here.meaning not in SQL_CATEGORIES):
        return False
    surely = here.meaning == Category.ASK_DATA and here.share >= SURE_SHARE_MIN
    return (bool(card.card) and surely) or speaks_of_data(turn)


def speaks_of_data(turn: Turn) -> bool:
    """Tell whether a sentence names a table, a column, a value, or a time where no time is asked for."""
    text, place = turn.text, turn.memory.place
    words = re.findall(r"[^\W\d_]{3,}", text.lower())
    if not turn.known_words().isdisjoint(words) or _is_ranking(text):
        return True
    if turn.memory.tasks.repeating is None and periods(text, turn.services.clock().date()):
        return True
    if not place.schema:
        return False
    return any(turn.values().shows(word) for word in unknown_words(text))
