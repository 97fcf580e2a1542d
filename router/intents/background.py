"""What people say around a wish, and what tells nothing of it."""

import random
import tomllib
from collections.abc import Sequence
from importlib.resources import files

from router.intents.categories import Category

TALKATIVE = 1 / 3
"""The share of sentences that somebody says something around."""

_PLACES = (("before",), ("behind",), ("before", "behind"))


def around(examples: Sequence[tuple[str, Category]]) -> list[tuple[str, Category]]:
    """Return some of the examples with something said before them, behind them, or both; the same ones each time."""
    said: dict[str, list[str]] = tomllib.loads(background())
    chance = random.Random(1)  # noqa: S311 - a choice, no secret
    found = []
    for text, category in examples:
        if chance.random() < TALKATIVE:
            more = {place: chance.choice(said[place]) for place in chance.choice(_PLACES)}
            found.append((_joined(more.get("before", ""), text, more.get("behind", "")), category))
    return found


def background() -> str:
    """Return the file of what is said around wishes."""
    return files("router.intents").joinpath("background.toml").read_text(encoding="utf-8")


def _joined(*texts: str) -> str:
    said = [each for each in texts if each]
    return " ".join([*(each if each[-1] in ".!?" else f"{each}." for each in said[:-1]), said[-1]])
