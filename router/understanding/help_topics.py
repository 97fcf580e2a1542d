"""Questions about how the bot works, each with an answer of its own: is it safe, who reads along, what does Run do?"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from router.language.detection import language_of
from router.language.folding import unaccented
from router.understanding.kinds import is_question

TOPIC_MAX_CHARS: Final = 160
"""Characters of a question about the bot."""

_LEAD = re.compile(r"^[¿\s]*(?:(?:and|but|so|hm+|ok|wait|sorry|hey|und|aber|et|mais|y|pero)\b[, ]+|is it possible )*")


def topic_of(text: str) -> str:
    """Return which topic a question about the bot is on; empty for anything else."""
    if len(text) > TOPIC_MAX_CHARS or not is_question(text):
        return ""
    plain = unaccented(text).rstrip(" ?!.")
    plain = _LEAD.sub("", plain, count=1)
    return next((name for name, pattern in _patterns().items() if pattern.fullmatch(plain)), "")


def answer_on(topic: str, text: str) -> str:
    """Return the answer on a topic, in the language of the question; in English where it has no language."""
    said = _topics()[topic]
    return str(said.get(language_of(text), said["en"]))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Return what asks about each topic, made at the first question."""
    return {name: re.compile("|".join(f"(?:{each})" for each in topic["asks"])) for name, topic in _topics().items()}


@cache
def _topics() -> dict[str, dict[str, list[str] | str]]:
    return tomllib.loads(files("router.understanding").joinpath("help_topics.toml").read_text(encoding="utf-8"))
