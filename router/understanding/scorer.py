"""Scores of a sentence for each of some labels: a linear model on TF-IDF, made by scikit-learn and read without it.

A file of weights holds, one behind the other:

- a line of JSON: the labels, the number of terms, the sharpness, the step of the weights, and a digest of the
  sentences that they were made of;
- the terms, one a line in UTF-8: words and pairs of words as they are, pieces of words with a tab before them;
- the inverse document frequency of each term, then the intercept of each label: little-endian 32-bit floats;
- for each term a weight for each label: signed bytes, each worth `step`.

`tests/sentences/train.py` writes them.
"""

import json
import math
import re
import sys
import unicodedata
from array import array
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

WEIGHTS = "weights.bin"

OPEN = "open"
"""The place of a sentence that stands for itself, whatever is on show; other places are names of cards."""

SENTENCE_MAX_CHARS = 400
"""Characters of a sentence that are looked at."""

SENTENCES_KEPT = 64
"""Sentences whose scores are kept for a moment."""

TOKEN = r"\w+|[^\w\s]"  # noqa: S105 - a pattern for words
"""A word, or a sign."""

PIECE_CHARS = 3
PIECE_MARK = "\t"
"""It stands before a piece, as it is in no word."""

_TOKEN = re.compile(TOKEN)


class Scorer:
    """The weights of a file; the scores equal those of the scikit-learn model that it was made of."""

    def __init__(self, content: bytes) -> None:
        first, _, rest = content.partition(b"\n")
        header = json.loads(first)
        self.labels: tuple[str, ...] = tuple(header["labels"])
        self.digest, self.sharpness = str(header["digest"]), float(header["sharpness"])
        self._step, count = float(header["step"]), int(header["terms"])
        *terms, numbers = rest.split(b"\n", count)
        self._at = {term.decode(): at for at, term in enumerate(terms)}
        width = len(self.labels)
        floats = array("f", numbers[: 4 * (count + width)])  # a tuple of floats takes six times the memory
        if sys.byteorder == "big":
            floats.byteswap()
        self._idf, self._intercept = floats[:count], floats[count:]
        self._rarest = max(self._idf)
        # One sentence is scored several times on its way: as a whole, without its courtesies, for its category.
        self._kept = lru_cache(maxsize=SENTENCES_KEPT)(self._scored)
        self._rows = memoryview(numbers)[4 * (count + width) :].cast("b")

    def scores(self, text: str, card: str = OPEN) -> list[float]:
        """Return a score for each label, in the order of `labels`, of a sentence that is typed at a card."""
        return list(self._kept(at_card(text, card)))

    def shares(self, text: str, labels: Collection[str], card: str = OPEN) -> dict[str, float]:
        """Return the share of each of these labels: numbers that add up to 1, as probabilities do (softmax)."""
        scores = dict(zip(self.labels, self.scores(text, card), strict=True))
        known = [label for label in self.labels if label in labels]
        return dict(zip(known, shares([scores[label] for label in known], self.sharpness), strict=True))

    def _scored(self, text: str) -> list[float]:
        total, width = [0.0] * len(self.labels), len(self.labels)
        for term, weight in self.vector(text).items():
            start = self._at[term] * width
            row = self._rows[start : start + width]
            total = [score + weight * each for score, each in zip(total, row, strict=True)]
        return [score * self._step + more for score, more in zip(total, self._intercept, strict=True)]

    def knows(self, word: str) -> bool:
        """Return whether a bare word is one of the terms."""
        return word in self._at

    def vector(self, text: str, unknown: bool = False) -> dict[str, float]:
        """Return the TF-IDF weights of a sentence's terms: the words have length 1 together, and so have the pieces.

        Terms that the model does not have are left out, or, with `unknown`, are as rare as its rarest ones.
        """
        typed = bare(text)
        return {**self._weighed(words_of(typed), unknown), **self._weighed(pieces_of(typed), unknown)}

    def _weighed(self, terms: Iterable[str], unknown: bool) -> dict[str, float]:
        weights = {
            term: (1 + math.log(times)) * (self._rarest if (at := self._at.get(term)) is None else self._idf[at])
            for term, times in Counter(terms).items()
            if unknown or term in self._at
        }
        length = math.sqrt(math.fsum(weight * weight for weight in weights.values()))
        return {term: weight / length for term, weight in weights.items()}


@cache
def shipped_scorer() -> Scorer:
    """Return the scorer of the file that is shipped."""
    return Scorer(files("router.understanding").joinpath(WEIGHTS).read_bytes())


def at_card(text: str, card: str) -> str:
    """Return a sentence with its card in front, as a word, so that other words count otherwise at another card."""
    return f"{card} {text}"


def bare(text: str) -> str:
    """Return the beginning of a text in small letters without accents."""
    low = text[:SENTENCE_MAX_CHARS].lower()
    if low.isascii():
        return low
    return "".join(sign for sign in unicodedata.normalize("NFKD", low) if not unicodedata.combining(sign))


def tokens(typed: str) -> list[str]:
    """Return the words and signs of a bare text."""
    return _TOKEN.findall(typed)


def words_of(typed: str) -> list[str]:
    """Return the words and signs of a bare text, and each two that follow one another."""
    found = tokens(typed)
    return [*found, *(f"{one} {other}" for one, other in pairwise(found))]


def pieces_of(typed: str) -> list[str]:
    """Return all three characters that follow one another in a word; a blank stands before and behind each word."""
    return [
        f"{PIECE_MARK}{word[at : at + PIECE_CHARS]}"
        for word in (f" {each} " for each in typed.split())
        for at in range(len(word) - PIECE_CHARS + 1)
    ]


def shares(scores: list[float], sharpness: float = 1.0) -> list[float]:
    """Return the softmax of scores: numbers that add up to 1, as probabilities do."""
    most = max(scores)
    powers = [math.exp((score - most) * sharpness) for score in scores]
    total = math.fsum(powers)
    return [power / total for power in powers]
