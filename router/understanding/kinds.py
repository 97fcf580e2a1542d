"""Tells questions from anything else that is no SQL."""

import re
from typing import Literal

from router.understanding.button_words import folded, is_answer

Kind = Literal["question", "neither"]

FORCED_QUESTION = re.compile(r"\s*(?:ask|frage?|demande|pregunta)\s*:\s*", re.IGNORECASE)
"""Stands before what is surely a question."""

_QUESTION_BEGINS = re.compile(
    r"^(who|what|which|whose|when|where|why|how|show|list|give|get|find|count|compare|tell|display|fetch|calculate|compute"
    r"|sum|total|average|top|is|are|do|does|did|can|could|wer|was|welche|wie|wo|zeig|qui|quel|combien|cuantos|cuál)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^[¿\s]*(?:(?:and|but|so|hm+|ok|wait|sorry|und|aber|moment|et|mais|attends|pero)\b[,\s]+)*"
    r"(?:who|whom|what|which|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|should|may|might|has"
    r"|have|what'?s|who'?s|wer|wem|wen|was|welche\w*|wann|wo|wohin|warum|wieso|weshalb|wie|ist|sind|kann|kannst|wird"
    r"|werden|hat|haben|darf|muss|soll|qui|que|quoi|quel\w*|quand|où|ou est|pourquoi|comment|combien|est-ce"
    r"|qu'est-ce|peut-on|puis-je"
    r"|quién\w*|qué|cuál\w*|cuándo|dónde|por qué|cómo|cuánt\w+|puedo|puede|hay)\b",
    re.IGNORECASE,
)

_DROPS = re.compile(
    r"\s*(?:(?:please|pls|just|now|(?:can|could) you|bitte)\s+)*(?:drop|truncate|wipe)\s+"
    r"(?:(?!(?:from|of|in|out)\b)\w+\s+){0,4}(?:tables?|databases?|schemas?|views?)(?:\s+please)?\s*[.!?]*",
    re.IGNORECASE,
)


def drops_tables(text: str) -> bool:
    """Tell an order to drop tables as such; of a query, people drop columns and rows."""
    return _DROPS.fullmatch(text) is not None


def is_question(text: str) -> bool:
    """Tell a sentence that asks something, with a question mark or without."""
    return text.rstrip().endswith("?") or (len(text.split()) > 1 and bool(_ASKS.match(text.replace("’", "'"))))


_SELECT = re.compile(r"^\s*select\s+", re.IGNORECASE)
_ORDER = re.compile(r"\s*(?:order|sort) by\b", re.IGNORECASE)
_DIRECTION = re.compile(r"\b(?:desc|asc)\b", re.IGNORECASE)


def in_words(text: str) -> str:
    """Return a sentence that is no SQL, but begins like it, as everybody else would say it: "show a few customers"."""
    if _ORDER.match(text):
        return _DIRECTION.sub(lambda found: f"{found[0]}ending", text)
    return _SELECT.sub("show ", text, count=1)


def kind_of(text: str) -> Kind:
    """Return what a first message is: anything of two words or more that is no greeting is taken for a question."""
    if is_answer(text):
        return "neither"
    typed = folded(text)
    return "question" if len(typed.split()) > 1 and re.search(r"[^\W\d_]{2}", typed) else "neither"


def asks_clearly(text: str) -> bool:
    """Tell a sentence that can only be a new question, where another answer was expected."""
    words = text.split()
    return (
        len(words) > 2
        and (text.rstrip().endswith("?") or bool(_QUESTION_BEGINS.match(text.strip())))
        and kind_of(text) == "question"
    )
