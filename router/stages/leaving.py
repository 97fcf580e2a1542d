"""A question about data, typed at a card that asks for something else: it is asked, and `back` leads to the card.

It has to be one wherever it is typed, and at such a card; and it speaks of the data, by a name of a table or a column,
by a value, or by a time.
"""

import re
from typing import Final

from router.machine import Ask
from router.stages.side_questions import heard
from router.stages.tasks import forget
from router.text_to_sql.periods import periods
from router.turn import Said, Turn
from router.understanding.card_meanings import meaning_at
from router.understanding.categories import SQL_CATEGORIES
from router.understanding.values.sentence import unknown_words

LEFT_FOR_QUESTION: Final = "I'll answer your question first; nothing here is lost. `back` brings you here again."


def leaves_for_question(turn: Turn, card: Ask) -> bool:
    """Leave the task at hand for a question about the data; tell whether a sentence is one, at such a card too."""
    if not isinstance(turn.incoming.input, Said) or heard(turn).category not in SQL_CATEGORIES:
        return False
    here = meaning_at(card.card, card.accepts, turn.text)
    is_one = here is not None and (not card.card or here.meaning in SQL_CATEGORIES)
    return is_one and speaks_of_data(turn) and leaves_for_sql(turn)


def leaves_for_sql(turn: Turn) -> bool:
    """Leave the task at hand for another query; tell whether there are rows to which `cancel` leads."""
    if turn.memory.answer is None or turn.memory.tasks.comparing:
        return False
    forget(turn)
    turn.note(LEFT_FOR_QUESTION, "quiet")
    turn.goes_on = True
    return True


def speaks_of_data(turn: Turn) -> bool:
    """Tell whether a sentence names a table, a column, a value, or a time where no time is asked for."""
    text, place = turn.text, turn.memory.place
    words = re.findall(r"[^\W\d_]{3,}", text.lower())
    if not turn.known_words().isdisjoint(words):
        return True
    if turn.memory.tasks.repeating is None and periods(text, turn.services.clock().date()):
        return True
    if not place.schema:
        return False
    return any(turn.values().shows(word) for word in unknown_words(text))
