"""The lists of words that tell how a message is meant, by what they are."""

import re
import tomllib
from functools import cache
from importlib.resources import files


@cache
def words(name: str) -> frozenset[str]:
    """Return the words of a list, in lower case."""
    return frozenset(_lists()[name].split())


def has_phrase(name: str, text: str) -> bool:
    """Return whether a text has one of the phrases of a list, which has commas between them."""
    spoken = " ".join(["", *re.findall(r"[^\W_]+", text.lower()), ""])
    return any(f" {' '.join(phrase.split())} " in spoken for phrase in _lists()[name].split(","))


@cache
def _lists() -> dict[str, str]:
    text = (files("router.understanding") / "word_lists.toml").read_text(encoding="utf-8")
    return {name: str(listed) for name, listed in tomllib.loads(text).items()}
