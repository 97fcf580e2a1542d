"""Detects the language of a sentence, one of four, by its small words; English if it is in doubt."""

import re
from typing import Literal

from router.language.phrases import written_by_language

Language = Literal["en", "de", "fr", "es"]

_MARKS: dict[Language, frozenset[str]] = {
    "de": frozenset("ßäöü"),
    "fr": frozenset("œçèêàùîô"),
    "es": frozenset("¿¡ñíóúá"),
}
_LANGUAGES: tuple[Language, ...] = ("en", "de", "fr", "es")
_MARKED = 2
"""Small words that a letter counts for which only one of the languages has."""

_LANGUAGE_WORD = re.compile(r"\b(?:qu|[cdjlmnst])'|[^\W\d_]+")


def is_small_word(word: str) -> bool:
    """Return whether a word, in lower case, is a small word of any language that names nothing."""
    small, nouns = written_by_language("detection.small"), written_by_language("detection.nouns")
    return any(word in small[each] for each in small) and not any(word in nouns[each] for each in nouns)


def language_of(text: str) -> Language:
    """Return the language that most small words are of; those of several languages count for each of them."""
    typed = text.lower().replace("’", "'")
    words, letters = _LANGUAGE_WORD.findall(typed), frozenset(typed)
    small = written_by_language("detection.small")
    scores: dict[Language, int] = {
        name: sum(word in small[name] for word in words) + (_MARKED if letters & _MARKS.get(name, frozenset()) else 0)
        for name in _LANGUAGES
    }
    return max(scores, key=lambda name: scores[name])
