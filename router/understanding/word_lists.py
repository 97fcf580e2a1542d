"""The lists of words that say how a message is meant, by what they are: the table `talk` of the words of people."""

from functools import cache

from router.language import phrases
from router.language.phrases import phrase_at, tokens_of


@cache
def words(name: str) -> frozenset[str]:
    """Return the words of a list, as they are written and without accents, in lower case."""
    written = phrases.written_by_language(f"talk.{name}").values()
    return phrases.listed(f"talk.{name}").union(*written)


def begins_with(name: str, text: str) -> bool:
    """Return whether a text begins with one of the phrases of a list."""
    return phrases.begins_with(f"talk.{name}", text)


def has_phrase(name: str, text: str) -> bool:
    """Return whether a text has one of the phrases of a list."""
    return phrases.has_phrase(f"talk.{name}", text)


def without_beginning(name: str, text: str) -> str:
    """Return the words of a text without all phrases of a list that it begins with."""
    tokens = tokens_of(text)
    while length := phrase_at(f"talk.{name}", tokens, 0):
        tokens = tokens[length:]
    return text[tokens[0].begin :] if tokens else ""
