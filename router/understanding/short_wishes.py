"""Recognises short wishes: to keep an answer as an example, to ask a person.

Each is a phrase that says it, among words that say no more. Lists of phrases are data, as for all that people type.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from router.language.detection import language_of
from router.language.phrases import has_phrase, is_all, says_only
from router.understanding.button_words import asks_to_wait, word_of

HELP_WISH_MAX_CHARS: Final = 500
"""Characters of a sentence that is looked at."""

_EMOJI: Final = frozenset("👍👌👏🙌💪🎉✅🆗💯❤🙂😀😃😄😁😊😉🤗🥳😂🤣😅😎\ufe0f ")


def example_wished(text: str) -> str | None:
    """Return the question under which the answer is to be kept, empty if none is typed; None for anything else."""
    wish, _, question = text.strip().partition(":")
    kept = says_only(wish, ("steps.as_example",), ("steps.keep", "steps.it", "steps.courtesy"))
    return " ".join(question.split()) if kept else None


def human_wished(text: str) -> str | None:
    """Return why somebody wants a person asked, empty if they do not say; None if they do not want that."""
    typed = text.strip()
    if len(typed) > HELP_WISH_MAX_CHARS:
        return None
    wish, _, why = typed.partition(":")
    return why.strip() if word_of(wish, ("human",)) else "" if word_of(typed, ("human",)) else None


def is_thanks(text: str) -> bool:
    """Return whether somebody thanks, or praises."""
    return has_phrase("steps.thanks", text) or "🙏" in text


def agrees(text: str) -> bool:
    """Return whether a word says no more than that it was read."""
    return is_all("steps.okay", text) or (bool(text.strip()) and set(text) <= _EMOJI)


# Answers to sentences that are no business of a database, in the language they were typed in.


def reply_to(category: str, text: str) -> str:
    """Return what is said to a sentence of a category that no query answers; in English where it has no language."""
    talk = "wait" if asks_to_wait(text) else "thanks" if is_thanks(text) else "okay" if agrees(text) else category
    said = _replies()[talk if category == "small_talk" else category]
    return said.get(language_of(text), said["en"])


@cache
def _replies() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("router.understanding").joinpath("replies.toml").read_text(encoding="utf-8"))
