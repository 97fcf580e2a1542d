"""Judges the words of a sentence that nothing was made of: THE place that says whether a sentence is read whole.

What nobody took is courtesy, or it is said to be unused, or it may change what is done: a condition ("if it changed"),
a limit ("only the open ones"), a denial, another action. Then nothing is done before the person was asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from router.language.phrases import has_phrase, longest_at, tokens_of

_HOLDING: Final = ("unread.condition", "unread.action")
_LIMITS: Final = ("unread.limit", "denial.before")
"""They hold what stands behind them: "it goes to ana only" is plain."""
_SMALL: Final = ("courtesy.please", "courtesy.thanks", "courtesy.asks", "courtesy.wants")


@dataclass(frozen=True, slots=True)
class Unread:
    """The part of a sentence that was not taken, in the person's words; `holds`: it may change what is done."""

    text: str = ""
    holds: bool = False


_OWN: Final[Mapping[str, tuple[str, ...]]] = {
    "write": ("save", "write", "put", "send", "hand", "append"),
    "email": ("mail", "send", "hand", "write", "inbox"),
    "repeat": ("repeat", "mail", "send", "hand", "share"),
    "share": ("share", "send", "hand"),
    "chart": ("plot", "hand", "picture", "pie", "bar", "line", "values.article"),
    "csv": ("export", "save", "send", "hand", "csv", "excel", "file", "values.article"),
    "xlsx": ("export", "save", "send", "hand", "csv", "excel", "file", "values.article"),
}
"""The lists of the words that are a step's own; one without a table is of steps."""


def own_actions(step: str) -> tuple[str, ...]:
    """Return the lists of words that a sentence about a step has anyway."""
    return tuple(each if "." in each else f"steps.{each}" for each in (*_OWN.get(step, ()), "ask"))


def says_more(text: str, step: str) -> bool:
    """Return whether a sentence says more than a step, or joins something else to it."""
    return may_change(text, own_actions(step)) or has_phrase("talk.and", text)


def may_change(text: str, own: Sequence[str] = (), *, beside_value: bool = False) -> bool:
    """Return whether words that nothing was made of may change what is done.

    `own` are the lists of what is done anyway. A limit or a denial that stands `beside_value` is about that.
    """
    if "@" in text:  # an address that is none
        return True
    tokens, at = tokens_of(text), 0
    while at < len(tokens):
        known = longest_at(tokens, at, *own, *_SMALL)
        limit = 0 if beside_value else longest_at(tokens, at, *_LIMITS)
        limits = known < limit < len(tokens) - at and not longest_at(tokens, at + limit, *own)
        if limits or longest_at(tokens, at, *_HOLDING) > known:
            return True
        at += known or 1
    return False
