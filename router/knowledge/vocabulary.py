"""Which terms a question uses: whole words, in any case, with or without accents and plural; the longest wins."""

import re
import unicodedata
from collections.abc import Iterable

from router.catalog.stems import stem
from router.knowledge.known import Term, hint_of

MOST = 6
"""Terms that a model is told for one question."""
ROOM = 1200
"""Characters of all of them together."""

_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Letters of scripts that do not part their words, or hang others on to them: each is a word of its own."""
_WORD = re.compile(f"[{_UNSPACED}]|[^\\W_{_UNSPACED}]+")
_POSSESSIVE = re.compile(r"['’]s\b")

Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """Return the words of a text as they are compared."""
    letters = unicodedata.normalize("NFKD", _POSSESSIVE.sub("", text).casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return tuple(stem(word) for word in _WORD.findall(unicodedata.normalize("NFC", bare)))


class Vocabulary:
    """The terms of one connection, to be found in questions; where two share a name, the first of them is meant."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self._by_first: dict[str, list[tuple[Words, Term]]] = {}
        names = ((words_of(name), term) for term in terms for name in (term.name, *term.synonyms))
        for words, term in names:
            if words:
                self._by_first.setdefault(words[0], []).append((words, term))
        for found in self._by_first.values():
            found.sort(key=lambda entry: -len(entry[0]))

    def used_in(self, question: str) -> tuple[Term, ...]:
        """Return the terms that a question uses, in its order; MOST of them at most."""
        words, place, room = words_of(question), 0, ROOM
        found: list[Term] = []
        while place < len(words) and len(found) < MOST:
            length, term = self._at(words, place)
            if term and term not in found and len(hint_of(term)) <= room:
                found.append(term)
                room -= len(hint_of(term))
            place += length
        return tuple(found)

    def _at(self, words: Words, place: int) -> tuple[int, Term | None]:
        """Return how many words belong together here, and the term that they name."""
        for name, term in self._by_first.get(words[place], ()):
            if words[place : place + len(name)] == name:
                return len(name), term
        return 1, None
