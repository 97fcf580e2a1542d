"""A question about data, typed at a card that asks for something else: it is asked, and `back` leads to the card.

Two models have to agree that it is one: what it means anywhere, and what it means at such a card; and it speaks of the
data, by a name of a table or a column, by a value, or by a time.
"""

import re
from typing import Final

from router.machine import Ask
from router.stages.side_questions import heard
from router.stages.tasks import forget
from router.text_to_sql.periods import periods
from router.turn import Said, Turn
from router.understanding.card_meanings import meaning_at
from router.understanding.categories import SQL_CATEGORIES, Category
from router.understanding.values.sentence import unknown_words

LEFT_FOR_QUESTION: Final = "I'll answer your question first; nothing here is lost. `back` brings you here again."

LIKELY_SHARE_MIN, SURE_SHARE_MIN, AT_CARD_SHARE_MIN, OTHERWISE_SHARE_MIN = 0.65, 0.9, 0.3, 0.65
"""Shares from which a sentence is a question with words of the data in it, without them, at a card, or is none."""

_OF_CARD: Final = re.compile(
    r"\b(?:sub?je?ct|betreff|objet|asunto|recipients?|empfänger|destinat\w+|message|nachricht|mensaje|attachments?|anhang"
    r"|adjunto|addresse?s?|adressen?|cc|jobs?|overwrit\w+|überschr\w+|append\w*)\b"
    r"|\bsame\b.*\bas\b|\b(?:gleich|wie (?:letzte|beim)|comme (?:la|d')|igual que|como (?:la|el) )",
    re.IGNORECASE,
)
"""Words of what the cards ask for, or of what was done another time."""

_TOP: Final = re.compile(r"\b(?:top|first|ersten|premiers|primeros) \d+\b", re.IGNORECASE)


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
    found, text = heard(turn), turn.text
    if not isinstance(turn.incoming.input, Said) or found.category not in SQL_CATEGORIES:
        return False
    here = meaning_at(card.card, card.accepts, text) if card.card else None
    asks = here is not None and here.meaning == "question"
    if (
        found.confidence < LIKELY_SHARE_MIN
        or _OF_CARD.search(text)
        or (here and not asks and here.meaning != "change" and here.share >= OTHERWISE_SHARE_MIN)
    ):
        return False
    if found.category == Category.REFINE_QUESTION:
        return speaks_of_data(turn)
    if found.confidence < SURE_SHARE_MIN:
        return False
    return (asks and here is not None and here.share >= AT_CARD_SHARE_MIN) or speaks_of_data(turn)


def speaks_of_data(turn: Turn) -> bool:
    """Tell whether a sentence names a table, a column, a value, or a time where no time is asked for."""
    text, place = turn.text, turn.memory.place
    words = re.findall(r"[^\W\d_]{3,}", text.lower())
    if not turn.known_words().isdisjoint(words) or _TOP.search(text):
        return True
    if turn.memory.tasks.repeating is None and periods(text, turn.services.clock().date()):
        return True
    if not place.schema:
        return False
    return any(turn.values().shows(word) for word in unknown_words(text))
