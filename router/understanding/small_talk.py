"""Answers to sentences that are no business of a database, in the language they were typed in."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from router.language.detection import language_of

_THANKS = re.compile(
    r"\b(?:thank\w*|thx|cheers|great|nice|perfect|well done|good job|awesome|danke\w*|super|merci|gracias|vielen)\b",
    re.IGNORECASE,
)


_OKAY = re.compile(
    r"(?:ah|oh)?,?\s*(?:ok(?:ay|i|idoki)?|k|fine|good|cool|right|all ?right|got it|i see|understood|passt|alles klar"
    r"|gut|d'accord|entendu|vale|bien)[.!]*",
    re.IGNORECASE,
)


def thanks(text: str) -> bool:
    """Tell whether somebody thanks, or praises."""
    return bool(_THANKS.search(text))


def agrees(text: str) -> bool:
    """Tell a word that says no more than that it was read."""
    return bool(_OKAY.fullmatch(text.strip()))


def reply_to(category: str, text: str) -> str:
    """Return what is said to a sentence of a category that no query answers; in English where it has no language.

    Besides categories there are a few words more: "asked_before" and "asked_nothing", for whoever wants to know that.
    """
    talk = "thanks" if thanks(text) else "okay" if agrees(text) else category
    said = _replies()[talk if category == "small_talk" else category]
    return said.get(language_of(text), said["en"])


@cache
def _replies() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("router.understanding").joinpath("replies.toml").read_text(encoding="utf-8"))
