"""How alike two questions are, by their words: rare ones weigh more, names of values hardly anything."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“]*“|(?<!\w)'[^']*'(?!\w)")
_LITERAL = re.compile(r"'((?:[^']|'')*)'")

_SAYING_NOTHING = """
a an and as at be been by did do does for from had has have i in is it its me my of on or our please that the their
there they this those to us was we were with you your der die das und von für mit ein eine le la les de des du et el
los las y
"""
_BEGINNING_ANYTHING = """
all any are can could each every find get give how list many much number show tell total what when where which who whose
"""
_COUNTING = "one two three four five six seven eight nine ten twelve twenty fifty hundred"
_EMPTY, _COMMON = frozenset(_SAYING_NOTHING.split()), frozenset(_BEGINNING_ANYTHING.split())
_COUNTED = frozenset(_COUNTING.split())

HEAVIEST = 3.0
"""A word weighs no more than this, however rare: one rare word must not make up for all others."""

FEW = 20
"""Questions that are thought to be there besides, so that two of them do not make a word common, or rare."""

LIGHT = 0.3
"""What is left of the weight of a number, or of the name of a value, which says nothing of how a query is built."""


class Likeness:
    """An index of questions with their SQL; the same for the same questions, in whatever order they come."""

    def __init__(self, examples: Iterable[tuple[str, str]]) -> None:
        given = list(examples)
        texts = [_stems(question) for question, _ in given]
        self._values = frozenset(stem for _, sql in given for stem in _literals(sql))
        seen: dict[str, int] = defaultdict(int)
        for stems in texts:
            for stem in stems:
                seen[stem] += 1
        self._rare = {stem: _rarity(count, len(given)) for stem, count in seen.items()}
        self._unseen = _rarity(0, len(given))
        self._where: dict[str, list[int]] = defaultdict(list)
        self._squares: list[dict[str, float]] = []
        self._length: list[float] = []
        for number, stems in enumerate(texts):
            squares = {stem: self._weight(stem, named) ** 2 for stem, named in stems.items()}
            for stem in squares:
                self._where[stem].append(number)
            self._squares.append(squares)
            self._length.append(math.sqrt(math.fsum(squares.values())))

    def nearest(self, question: str, least: float) -> list[tuple[float, int]]:
        """Return (likeness, number) of the examples that are at least so much alike, the nearest first.

        The likeness is from 0 to 1; 1 is a question with the same words, in whatever order.
        """
        asked = {stem: self._weight(stem, named) ** 2 for stem, named in _stems(question).items()}
        length = math.sqrt(math.fsum(asked.values()))
        found = []
        for number in self._possible(asked, least * least):
            own = self._squares[number]
            shared = math.fsum(min(square, own[stem]) for stem, square in asked.items() if stem in own)
            likeness = round(shared / (length * self._length[number]), 6)
            if likeness >= least:
                found.append((likeness, number))
        return sorted(found, key=lambda each: (-each[0], each[1]))

    def _possible(self, asked: dict[str, float], share: float) -> set[int]:
        """Return the examples that have enough of the question's words, found by the rare ones alone.

        What an example shares is at most its own length squared, and so it must share `share` of the question at least.
        """
        left = math.fsum(asked.values())
        enough, possible = left * share * 0.999, set[int]()
        for stem in sorted(asked, key=lambda stem: (len(self._where.get(stem, ())), stem)):
            if left < enough:
                break
            possible.update(self._where.get(stem, ()))
            left -= asked[stem]
        return possible

    def _weight(self, stem: str, name: bool) -> float:
        """Return how much a word counts; `name`: it was written as names are."""
        weight = min(self._rare.get(stem, self._unseen), HEAVIEST)
        light = name or stem == "#" or stem in _COMMON or stem in self._values
        return weight * LIGHT if light else weight


def _rarity(count: int, of: int) -> float:
    """Return how much it says that a word is in `count` of so many questions; few of them prove little."""
    return math.log(1 + (of + FEW) / (count + FEW / 10))


def _stems(text: str) -> dict[str, bool]:
    """Return the stems of a text; True for those that were only written as names of values are."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    found: dict[str, bool] = {}
    for number, match in enumerate(_WORD.finditer(text)):
        word = match[0]
        stem = _stem(word)
        if word.lower() in _EMPTY or not stem:
            continue
        name = (number > 0 and word[0].isupper()) or any(a < match.start() < b for a, b in quoted)
        found[stem] = found.get(stem, True) and name
    return found


def _literals(sql: str) -> Iterable[str]:
    """Return the stems of the words in the texts of a query: they are values."""
    for literal in _LITERAL.findall(sql):
        yield from (_stem(word) for word in _WORD.findall(literal))


def _stem(word: str) -> str:
    """Return a word without its ending; any number is "#"."""
    low = word.casefold()
    if low in _COUNTED or any(letter.isdigit() for letter in low):
        return "#"
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if low.endswith(ending) and not low.endswith(("ss", "us", "is")) and len(low) - len(ending) >= 3:
            low = low[: -len(ending)] + instead
            break
    return low.removesuffix("e") if len(low) > 3 else low
