"""What words mean for what a sentence wants: the same names for them in four languages, and behind a typing error."""

import tomllib
from collections import defaultdict
from functools import cache
from importlib.resources import files

LONGEST_PHRASE = 4
"""Words of the longest phrase."""

_ENDINGS = ("s", "es", "en", "n", "e", "er", "ed", "ing", "'s", "d")


class Concepts:
    """A table of words with the names of what they mean."""

    def __init__(self, named: dict[str, str]) -> None:
        found: dict[str, list[str]] = defaultdict(list)
        for name, words in named.items():
            for word in words.split():
                found[word.replace("_", " ")].append(name)
        self._names = {phrase: tuple(names) for phrase, names in found.items()}
        self._near: dict[str, tuple[str, ...]] = {}
        for word in self._names:
            if " " not in word and len(word) >= 5:
                for cut in _cuts(word):
                    self._near.setdefault(cut, self._names[word])
        self._begins = frozenset(phrase.split()[0] for phrase in self._names if " " in phrase)

    def of(self, words: list[str], known: frozenset[str] = frozenset()) -> list[tuple[int, int, tuple[str, ...]]]:
        """Return (first word, word after the last, names) for each word that has names; the longest phrase wins.

        `known` are words that are no typing errors, whatever they look like.
        """
        found, at = [], 0
        while at < len(words):
            end, names = self._at(words, at, known)
            if names:
                found.append((at, end, names))
            at = end
        return found

    def _at(self, words: list[str], at: int, known: frozenset[str]) -> tuple[int, tuple[str, ...]]:
        if words[at] in self._begins:
            for end in range(min(at + LONGEST_PHRASE, len(words)), at + 1, -1):
                if names := self._names.get(" ".join(words[at:end])):
                    return end, names
        return at + 1, self._single(words[at], known)

    def _single(self, word: str, known: frozenset[str]) -> tuple[str, ...]:
        if names := self._names.get(word):
            return names
        for ending in _ENDINGS:
            if (
                len(word) - len(ending) >= 4
                and word.endswith(ending)
                and (names := self._names.get(word[: -len(ending)]))
            ):
                return names
        if len(word) < 5 or word in known or not word.isalpha():
            return ()
        return next((self._near[cut] for cut in _cuts(word) if cut in self._near), ())


def _cuts(word: str) -> list[str]:
    """Return the word, and the word without each letter but its first: what one typing error leaves in common."""
    return [word, *(word[:at] + word[at + 1 :] for at in range(1, len(word)))]


@cache
def concepts() -> Concepts:
    """Return the shipped table."""
    return Concepts(tomllib.loads(files("router.intents").joinpath("concepts.toml").read_text(encoding="utf-8")))
