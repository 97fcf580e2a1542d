"""Weights of what a sentence is judged by, one for each category, and the file that they are in."""

import math
from base64 import b64decode, b64encode
from operator import add

from router.intents.categories import Category
from router.intents.features import Grouped

CATEGORIES = tuple(Category)

STEP = 1 / 8
"""What 1 in the file is worth."""


LIGHTEST = 0.5
"""A feature is worth its place in the file where it weighs so much for a category, or against one."""


class Weights:
    """A row of weights for each feature, in the order of `CATEGORIES`."""

    def __init__(self, rows: dict[str, list[float]] | None = None, bias: list[float] | None = None) -> None:
        self.rows = rows if rows is not None else {}
        self.bias = bias if bias is not None else [0.0] * len(CATEGORIES)

    def scores(self, groups: Grouped) -> list[float]:
        """Return how much speaks for each category, as the logarithm of something."""
        found, rows = self.bias[:], self.rows
        for weight, names in groups:
            total: list[float] | None = None
            for name in names:
                if row := rows.get(name):
                    total = list(map(add, total, row)) if total else row
            if total:
                found = [one + weight * other for one, other in zip(found, total, strict=True)]
        return found

    def add(self, others: "Weights", share: float) -> None:
        """Add a share of other weights, which are for the same features."""
        for name, row in others.rows.items():
            self.rows[name] = [one + share * other for one, other in zip(self.rows[name], row, strict=True)]
        self.bias = [one + share * other for one, other in zip(self.bias, others.bias, strict=True)]


def shares(scores: list[float], sharpness: float = 1.0) -> list[float]:
    """Return numbers that add up to 1, as probabilities do."""
    most = max(scores)
    powers = [math.exp((score - most) * sharpness) for score in scores]
    total = math.fsum(powers)
    return [power / total for power in powers]


def written(weights: Weights, digest: str) -> str:
    """Return the text of a file with these weights, in steps; features that hardly weigh anything are left out."""
    lines = [f"{digest}\t{_packed(weights.bias)}"]
    for name in sorted(weights.rows):
        if max(map(abs, weights.rows[name])) >= LIGHTEST:
            lines.append(f"{name}\t{_packed(weights.rows[name])}")
    return "\n".join(lines) + "\n"


def read(text: str) -> tuple[Weights, str]:
    """Return the weights of a file, and what tells from which examples they were made."""
    first, *lines = text.splitlines()
    digest, bias = first.split("\t")
    rows = {name: _unpacked(packed) for name, packed in (line.split("\t") for line in lines)}
    return Weights(rows, _unpacked(bias)), digest


def _steps(weight: float) -> int:
    return max(-127, min(127, round(weight / STEP)))


def _packed(row: list[float]) -> str:
    return b64encode(bytes(_steps(weight) + 128 for weight in row)).decode()


_WORTH = [(step - 128) * STEP for step in range(256)]


def _unpacked(packed: str) -> list[float]:
    return [_WORTH[each] for each in b64decode(packed)]
