"""The sentences that the classifier is trained with, and the few of them that are shipped as examples."""

from collections import defaultdict
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import tomlkit

from router.understanding.categories import Category
from router.understanding.scorer import OPEN

SENTENCES = Path(__file__).parent / "training"

EXAMPLES_PER_CATEGORY = 40
"""Sentences of a category that are shipped, for models of vectors to compare with."""


class TrainingSentence(NamedTuple):
    """A sentence, the card that it is typed at, and what it means there."""

    card: str
    meaning: str
    text: str


def digest_of(sentences: Iterable[TrainingSentence]) -> str:
    """Return a text that is another one once the sentences are others."""
    return sha256("\n".join(" ".join(each) for each in sentences).encode()).hexdigest()[:16]


def training_sentences() -> list[TrainingSentence]:
    """Return the sentences of all files in their folder."""
    lines = (line for path in sorted(SENTENCES.glob("*.tsv")) for line in path.read_text("utf-8").splitlines())
    parts = (line.split("\t") for line in lines)
    return [TrainingSentence(card, meaning, text.replace("\\n", "\n")) for card, meaning, text in parts]


def examples_of(sentences: Iterable[TrainingSentence]) -> str:
    """Return a TOML file with some sentences of each category, evenly chosen."""
    of_category: dict[str, list[str]] = defaultdict(list)
    for each in sentences:
        if each.card == OPEN:
            of_category[each.meaning].append(each.text)
    chosen = {}
    for category in Category:
        some = of_category[category][:: max(1, len(of_category[category]) // EXAMPLES_PER_CATEGORY)]
        chosen[str(category)] = {"examples": tomlkit.item(some[:EXAMPLES_PER_CATEGORY]).multiline(True)}
    return tomlkit.dumps(chosen)
