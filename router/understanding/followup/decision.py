"""Tells by a small linear model whether a message changes the last question, or is a question of its own.

The rules take what has a place in the last question. This is for what they leave: it goes behind that question, or is
asked alone, and where neither is likely, the person is asked which.
"""

from collections.abc import Mapping
from math import exp, log
from typing import Final

from router.language.inflection import stem
from router.language.wording import WORD
from router.understanding.followup.previous import words
from router.understanding.kinds import asks_clearly

ALONE_MAX, CHANGES_MIN = 0.3, 0.5
"""Up to this share a message is a question of its own, and from that one on it changes the last question."""

WORDS_MAX = 14
"""Words from which on a message is no likelier to be a question of its own."""

SQL_SHARE_MIN = 0.4
"""Below this share of both kinds of question together, the examples hold a message for something else."""

_LEAST_SHARE = 0.01
_BIAS: Final = 4.8
_WEIGHTS: Final[Mapping[str, float]] = {
    "examples": 0.75,
    "words": -0.52,
    "begins as a part": 1.2,
    "begins with a thing": -1.6,
    "points back": 0.7,
    "wished": 2.3,
    "denies": 0.6,
    "compares": 0.2,
    "asks": -0.4,
    "asks in full": -2.0,
    "same words": 0.7,
    "something else": -2.1,
}
"""Fitted once to messages after a question and rounded; "asks in full" is set by hand, lower than it was fitted."""


def changes_share(message: str, before: str, refines: float, asks: float) -> float:
    """Return how likely a message changes the question before it: 0 for never, 1 for surely.

    `refines` and `asks` are the shares that the examples give to either kind of question.
    """
    score = _BIAS + sum(_WEIGHTS[name] * value for name, value in _features(message, before, refines, asks).items())
    return 1 / (1 + exp(-score))


def _features(message: str, before: str, refines: float, asks: float) -> dict[str, float]:
    typed = [word.lower() for word in WORD.findall(message)]
    said, first = frozenset(typed), typed[0] if typed else ""
    points, wished, denies = (bool(said & words(name)) for name in ("back", "wished", "denied"))
    part = first in words("begins") or first in words("changes")
    things = frozenset(map(stem, said - words("within") - words("asking") - words("small") - words("parts")))
    within = words("within") & frozenset(typed[1:])
    return {
        "examples": log((refines + _LEAST_SHARE) / (asks + _LEAST_SHARE)),
        "words": min(len(typed), WORDS_MAX),
        "begins as a part": part,
        # "Revenue by region" and "Zahlungen von gestern" begin with what they ask for.
        "begins with a thing": not (part or points or wished or denies) and bool(within),
        "points back": points,
        "wished": wished,
        "denies": denies,
        "compares": bool(said & words("parts")),
        "asks": first in words("interrogative"),
        "asks in full": asks_clearly(message) and not (said & words("back") - {"that"} or wished),
        "same words": not things.isdisjoint(stem(word.lower()) for word in WORD.findall(before)),
        "something else": refines + asks < SQL_SHARE_MIN,
    }
