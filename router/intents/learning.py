"""Makes weights of examples: what speaks for the wrong category is lowered a little, again and again.

Some examples are learnt a second time with things said around them that have nothing to do with the wish. In each round
half of what a sentence is judged by is left out by chance, so that no single word decides; and no sentence is ever
taken to be quite sure. All of that makes it doubt what is unlike its examples, where it was sure and wrong.

`python -m router.intents.learning` makes those that are shipped; they need to be made anew whenever the examples or
the features are others, which takes a few minutes.
"""

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from router.intents.background import around, background
from router.intents.categories import Category
from router.intents.features import Grouped, grouped
from router.intents.linear import CATEGORIES, Weights, shares, written
from router.intents.sentences import shipped

ROUNDS = 12
RATE = 1.2
SEEN = 3
"""A feature that fewer examples have is not kept."""

ORDERS = 3
"""The examples are gone through in so many different orders; the weights are the mean of what each leads to."""

KEPT = 0.5
"""What share of a sentence's features counts in a round."""

KEPT_OF_OWN = 0.25
"""The same for somebody's own examples, which are few: each of their words has to do without most of the others."""

SURE = 0.96
"""The share that the right category of an example should have; all have a part of the rest."""

ENOUGH = 0.02
"""A category whose share is no further from what it should be is left as it is."""

Learnt = tuple[Grouped, int]


def learn(examples: Iterable[tuple[str, Category]]) -> Weights:
    """Return the weights of examples; the same for the same examples."""
    found = [(grouped(text), CATEGORIES.index(category)) for text, category in examples]
    seen = Counter(name for groups, _ in found for _, names in groups for name in names)
    known = {name for name, count in seen.items() if count >= SEEN}
    kept = [
        ([(weight, [name for name in names if name in known]) for weight, names in groups], right)
        for groups, right in found
    ]
    mean = Weights({name: [0.0] * len(CATEGORIES) for name in known})
    for order in range(ORDERS):
        weights = Weights({name: [0.0] * len(CATEGORIES) for name in known})
        _learn(weights, kept, ROUNDS, random.Random(order), KEPT)  # noqa: S311 - an order, no secret
        mean.add(weights, 1 / ORDERS)
    return mean


def adapted(weights: Weights, examples: Sequence[tuple[str, Category]]) -> Weights:
    """Return weights that know these examples, too; `weights` stay as they are."""
    found = [(grouped(text), CATEGORIES.index(category)) for text, category in examples]
    new = Weights(dict(weights.rows), weights.bias[:])
    for name in {name for groups, _ in found for _, names in groups for name in names}:
        row = new.rows.get(name)
        new.rows[name] = row[:] if row else [0.0] * len(CATEGORIES)
    _learn(new, found, 16, random.Random(1), KEPT_OF_OWN)  # noqa: S311 - an order, no secret
    return new


def _learn(weights: Weights, examples: list[Learnt], rounds: int, chance: random.Random, share: float) -> None:
    order = list(range(len(examples)))
    squares: dict[str, float] = {}
    for number in range(rounds):
        chance.shuffle(order)
        rate = RATE * (1 - number / (rounds + 1))
        for at in order:
            groups, right = examples[at]
            _step(weights, _some(groups, chance, share), right, rate, squares)


def _some(groups: Grouped, chance: random.Random, share: float) -> Grouped:
    """Return groups in which only a share of the features is left; those weigh the more."""
    draw = chance.random
    return [(weight / share, [name for name in names if draw() < share]) for weight, names in groups]


def _step(weights: Weights, groups: Grouped, right: int, rate: float, squares: dict[str, float]) -> None:
    """Change the weights so that the right category gets a larger share; the rarer a feature, the more of a change."""
    wrongs = [share - (1 - SURE) / len(CATEGORIES) for share in shares(weights.scores(groups))]
    wrongs[right] -= SURE
    moved = [(at, wrong) for at, wrong in enumerate(wrongs) if abs(wrong) > ENOUGH]
    if not moved:
        return
    size = sum(wrong * wrong for _, wrong in moved)
    for weight, names in groups:
        for name in names:
            row = weights.rows[name]
            square = squares[name] = squares.get(name, 0.02) + weight * weight * size
            step = rate * weight / math.sqrt(square)
            for at, wrong in moved:
                row[at] -= step * wrong
    for at, wrong in moved:
        weights.bias[at] -= 0.01 * rate * wrong


def digest() -> str:
    """Return what is another text once the examples are others, or what some of them are judged by.

    What the rules say is left aside: they may learn a word without new weights.
    """
    judged = [
        f"{each.category} {each.text} {grouped(each.text)[:-1] if number % 25 == 0 else None}"
        for number, each in enumerate(shipped())
    ]
    return sha256("\n".join([*judged, background()]).encode()).hexdigest()[:16]


def main() -> None:
    """Write the weights that are shipped."""
    examples = [(each.text, each.category) for each in shipped()]
    weights = learn([*examples, *around(examples)])
    Path(__file__).with_name("weights.txt").write_text(written(weights, digest()), encoding="utf-8")


if __name__ == "__main__":
    main()
