"""What is said to sentences that are no business of a database, in the language they were typed in."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from router.intents.language import language_of

_THANKS = re.compile(
    r"\b(?:thank\w*|thx|cheers|great|nice|perfect|well done|good job|awesome|danke\w*|super|merci|gracias|vielen)\b",
    re.IGNORECASE,
)


def reply_to(category: str, text: str) -> str:
    """Return what is said to a sentence of a category that no query answers; in English where it has no language."""
    said = _replies()["thanks" if category == "small_talk" and _THANKS.search(text) else category]
    return said.get(language_of(text), said["en"])


@cache
def _replies() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("router.intents").joinpath("replies.toml").read_text(encoding="utf-8"))
