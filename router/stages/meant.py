"""Acts on what a sentence means at a card: says it again in words that the card knows, or answers it beside the card.

Nobody says Yes in this way to what runs, writes, sends or goes on by itself.
"""

import re
from collections.abc import Mapping
from typing import Final

from router.language.phrases import has_phrase
from router.stages.dispatch import answer_as, answer_with_help, aside, asks_anew
from router.stages.side_questions import heard
from router.turn import Turn
from router.understanding.categories import SQL_CATEGORIES, Category
from router.understanding.compared_queries import says_only_compare
from router.understanding.short_wishes import reply_to

NEVER_GUESSED: Final = frozenset(["append", "truncate", "drop"])
"""Meanings by which rows may be lost: only buttons and their words say them."""

MEANT_SHARE_MIN, FORESEEN_SHARE_MIN = 0.6, 0.9
"""Shares from which a meaning is acted on: of what the card did not take, and of what it would take for a value."""
YES_SHARE_MIN = 0.85
"""The share from which a sentence is a Yes at a card where nothing runs, is written, sent or repeated by it."""

UNDERSTOOD_AT: Final = ("rows", "sql", "own_sql")
WISHES: Final = frozenset({"csv", "xlsx", "chart", "share", "email", "write", "schedule", "compare"})
"""Where wishes for the rows are understood with all that is in them, and the meanings that are such wishes."""
NOT_OF_ROWS: Final = frozenset({"again", "edit", "no", "yes"})
"""Meanings that hardly anything has below rows."""

_SAME_WORDS = (
    *("no", "cancel", "back", "edit", "again", "done", "next", "append", "truncate", "drop"),
    *("same", "into", "report", "email", "write", "compare", "columns"),
)
_WORDS: Final[Mapping[str, str]] = {
    **{word: word for word in _SAME_WORDS},
    Category.HUMAN_HANDOFF: "human",
    "csv": "as CSV",
    "xlsx": "as Excel",
    "inline": "in the mail",
    "chart": "as a chart",
    "share": "share",
    "schedule": "repeat",
    "first": "1",
    "second": "2",
    "third": "3",
    "fourth": "4",
    "neither": "none of these",
    "alone": "the question alone",
    "by_hand": "by hand",
    "own_sql": "own sql",
    "thread": "here in this thread",
    "changed": "only if it changed",
}
"""The words that a card knows for a meaning without a value."""

TAKES_MORE: Final = frozenset({"email", "write", "schedule", "compare"})
_VALUE: Final = re.compile(r"[@_\d\"“„]")
"""Wishes that may have more in them, and signs of that."""

_MAY_DENY = (
    "no",
    "cancel",
    "back",
    "again",
    "edit",
    Category.HUMAN_HANDOFF,
    "without",
    "drop_to",
    "neither",
    "alone",
    "only",
    "done",
)
"""Denials, and the meanings that a sentence with one may have."""

_CODE = re.compile(r"[=;<>{}\\/|`]")
"""Signs of something that is no sentence."""


def said_again(turn: Turn, meaning: str) -> str:
    """Return the words in which a card knows a meaning, with the values in the sentence; empty where one is missing."""
    if _CODE.search(turn.text):
        return ""
    if has_phrase("denial.before", turn.typed) and meaning not in _MAY_DENY:
        return ""
    more = _VALUE.search(turn.text) or has_phrase("cards.each", turn.text)
    if meaning in TAKES_MORE and (more or (meaning == "compare" and not says_only_compare(turn.text))):
        return ""  # the word alone would lose what stands in the sentence
    return "" if "@" in turn.text else _WORDS.get(meaning, "")  # an address would be lost


def answered_beside(turn: Turn, meaning: str, help: str) -> bool:
    """Answer a sentence that changes nothing of the card beside it; tell whether it is one."""
    asks = asks_anew(turn) if turn.typed_at not in UNDERSTOOD_AT else heard(turn).category in SQL_CATEGORIES
    match meaning:
        case "about" | Category.DESCRIBE_DATA if asks:
            return False
        case "about":
            if not aside(turn):
                answer_with_help(turn, help)
        case "wait":
            turn.note(reply_to("wait", turn.text))
            turn.answers(Category.SMALL_TALK)
        case Category.SMALL_TALK | Category.DESCRIBE_DATA | Category.JOB_STATUS:
            answer_as(turn, Category(meaning))
        case _:
            return False
    return True
