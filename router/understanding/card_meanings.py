"""Tells what somebody means who types at a card, by a linear model made of sentences that people typed at such cards.

`card_sentences.tsv` has these sentences, one a line: the card, the meaning, and what was typed, with tabs between;
`router/understanding/training.py` makes `card_weights.bin` of them.
"""

from collections.abc import Set
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from router.understanding.scorer import CARD_WEIGHTS, shares, shipped_scorer

_ANYWHERE = """
yes no cancel back edit again wait thanks about data status human question change outside
csv xlsx chart share email write schedule compare
"""
ANYWHERE: Final = frozenset(_ANYWHERE.split())
"""Meanings that a sentence can have at any card; a card names what else can be meant at it."""

TYPED_MAX_CHARS: Final = 300
"""Characters of a sentence that is looked at."""


@dataclass(frozen=True, slots=True)
class CardMeaning:
    """A meaning that a sentence has at a card, with its share of the confidence (0 to 1)."""

    meaning: str
    share: float


def meaning_at(card: str, accepts: Set[str], text: str) -> CardMeaning | None:
    """Return the likeliest meaning of a sentence at a card that accepts these besides; None for what is too long."""
    if not text.strip() or len(text) > TYPED_MAX_CHARS:
        return None
    scorer, known = shipped_scorer(CARD_WEIGHTS), ANYWHERE | accepts
    scored = [
        (meaning, score)
        for meaning, score in zip(scorer.labels, scorer.scores(_marked(card, text)), strict=True)
        if meaning in known
    ]
    shared = shares([score for _, score in scored], scorer.sharpness)
    best = max(range(len(scored)), key=shared.__getitem__)
    return CardMeaning(scored[best][0], shared[best])


def card_sentences() -> list[tuple[str, str]]:
    """Return the meanings of the sentences that are shipped, each with what was typed as it is scored."""
    lines = files("router.understanding").joinpath("card_sentences.tsv").read_text(encoding="utf-8").splitlines()
    parts = (line.split("\t") for line in lines)
    return [(meaning, _marked(card, typed.replace("\\n", "\n"))) for card, meaning, typed in parts]


def _marked(card: str, text: str) -> str:
    """Return a sentence with its card in front, so that a word counts otherwise at another card."""
    return f"{card} {text}"
