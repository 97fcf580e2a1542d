"""Which example is most like a sentence, by the words that both have; rare words count more."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from router.intents.categories import Category
from router.intents.features import stem
from router.intents.masks import plain
from router.intents.sentences import Example

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Other:
    """What something else than words says: a share for each category, and how much that counts (0 to 1)."""

    shares: Sequence[float]
    weight: float


Likely = Callable[[str, Sequence[Example]], Other | None]
"""Returns what it makes of a sentence among examples; None where it cannot now."""


class Near:
    """An index of examples by their words."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self._examples = examples
        texts = [_stems(each.text) for each in examples]
        count = Counter(word for words in texts for word in words)
        self._rare = {word: math.log(1 + len(examples) / number) for word, number in count.items()}
        self._length = [math.fsum(self._rare[word] for word in sorted(words)) or 1.0 for words in texts]
        self._where: dict[tuple[str, Category], list[int]] = defaultdict(list)
        for number, words in enumerate(texts):
            for word in words:
                self._where[word, examples[number].category].append(number)

    def several(self, text: str, category: Category, most: int) -> list[tuple[float, Example]]:
        """Return the examples of a category that are most like a text, the nearest first, each with how near it is."""
        shared: dict[int, float] = defaultdict(float)
        for word in sorted(_stems(text)):
            for number in self._where.get((word, category), ()):
                shared[number] += self._rare[word]
        near = {number: weight * weight / self._length[number] for number, weight in shared.items()}
        order = sorted(near, key=lambda number: (-near[number], number))
        return [(near[number], self._examples[number]) for number in order[:most]]


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, _WORD.findall(plain(text))))
