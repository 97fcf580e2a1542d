"""The lists of words that tell how a message is meant, by what they are."""

import re
import tomllib
from functools import cache
from importlib.resources import files


@cache
def words(name: str) -> frozenset[str]:
    """Return the words of a list, in lower case."""
    return frozenset(_lists()[name].split())


def begins_with(name: str, text: str) -> bool:
    """Return whether a text begins with one of the phrases of a list, which has commas between them."""
    return bool(_beginning(name, _spoken(text)))


def has_phrase(name: str, text: str) -> bool:
    """Return whether a text has one of the phrases of a list."""
    spoken = _spoken(text)
    return any(f"{phrase} " in spoken for phrase in _phrases(name))


def without_beginning(name: str, text: str) -> str:
    """Return the words of a text without all phrases of a list that it begins with."""
    spoken = _spoken(text)
    while phrase := _beginning(name, spoken):
        spoken = spoken[len(phrase) :]
    return spoken.strip()


def _spoken(text: str) -> str:
    return " ".join(["", *re.findall(r"[^\W_]+", text.lower()), ""])


def _beginning(name: str, spoken: str) -> str:
    return next((phrase for phrase in _phrases(name) if f"{spoken} ".startswith(f"{phrase} ")), "")


@cache
def _phrases(name: str) -> tuple[str, ...]:
    """Return the phrases of a list, which has commas between them, each behind a blank."""
    return tuple(f" {' '.join(phrase.split())}" for phrase in _lists()[name].split(",") if phrase.strip())


@cache
def _lists() -> dict[str, str]:
    text = (files("router.understanding") / "word_lists.toml").read_text(encoding="utf-8")
    return {name: str(listed) for name, listed in tomllib.loads(text).items()}
