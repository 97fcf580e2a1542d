"""Acts on what a sentence means at a card: says it again in words that the card knows, or answers it beside the card.

Nobody says Yes in this way to what runs, writes, sends or goes on by itself.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from router.cards import Text
from router.language.phrases import has_phrase
from router.policy import readable
from router.stages.dispatch import answer_as, answer_with_help, aside, asks_anew
from router.stages.side_questions import heard
from router.turn import Turn
from router.understanding.categories import SQL_CATEGORIES, Category
from router.understanding.compared_queries import says_only_compare
from router.understanding.short_wishes import reply_to
from router.understanding.steps import forbids
from router.understanding.values.columns import mentioned
from router.understanding.values.people import ADDRESS

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

_STEPS: Final[Mapping[str, str]] = {
    "the mail": "cards.mail_step",
    "the chart": "cards.chart_step",
    "the CSV": "cards.csv_step",
    "the Excel": "cards.xlsx_step",
    "the table": "cards.write_step",
    "the schedule": "cards.schedule_step",
    "the comparison": "cards.compare_step",
}
"""The steps of a plan as a correction names them, by the lists of words for them."""

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
    if _CODE.search(turn.text) or forbids(turn.text):
        return ""
    if has_phrase("denial.before", turn.typed) and meaning not in _MAY_DENY:
        return ""
    if made := _WITH_VALUE.get(meaning):
        return made(turn)
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
        case "about" if aside(turn):
            pass
        case "about":
            answer_with_help(turn, help)
        case Category.SMALL_TALK:
            answer_as(turn, Category.SMALL_TALK)
        case "wait":
            turn.notes.append(Text(reply_to("wait", turn.text)))
            turn.answers(Category.SMALL_TALK)
        case Category.DESCRIBE_DATA:
            answer_as(turn, Category.DESCRIBE_DATA)
        case Category.JOB_STATUS:
            answer_as(turn, Category.JOB_STATUS)
        case _:
            return False
    return True


def _people(words: str) -> Callable[[Turn], str]:
    def made(turn: Turn) -> str:
        found = re.findall(ADDRESS, turn.text)
        return f"{words} {', '.join(found)}" if found else ""

    return made


def _steps(words: str) -> Callable[[Turn], str]:
    def made(turn: Turn) -> str:
        found = [step for step, kind in _STEPS.items() if has_phrase(kind, turn.text)]
        return ", ".join(f"{words} {step}" for step in found) if words == "without" or len(found) == 1 else ""

    return made


def _table(turn: Turn) -> str:
    """Return a wish for the one table that a sentence names: one that there is, or a word that only a name can be."""
    known = turn.services.catalog.known_tables()
    words = re.findall(r"[^\W\d][\w$]*", turn.text)
    found = {word for word in words if "_" in word.strip("_") or word.lower() in known}
    return f"table {found.pop()}" if len(found) == 1 else ""


def _database(turn: Turn) -> str:
    labels = [each.label for each in readable(turn.services.connections, turn.owner)]
    found = [label for label in labels if re.search(rf"\b{re.escape(label)}\b", turn.text, re.IGNORECASE)]
    return found[0] if len(found) == 1 else ""


def _column_names(turn: Turn) -> tuple[Sequence[str], Sequence[str]]:
    """Return the columns that a card pairs: of both queries, or of the result and of the table."""
    tasks = turn.memory.tasks
    if tasks.comparing and tasks.comparing.columns:
        return tasks.comparing.columns.left, tasks.comparing.columns.right
    if tasks.writing is None or turn.memory.answer is None:
        return (), ()
    names = [field.name for field in turn.results.fields(turn.memory.answer.result)]
    return names, [column.name for column in tasks.writing.columns or ()]


def _key(turn: Turn) -> str:
    left, right = _column_names(turn)
    names = mentioned(turn.text, (*left, *(name for name in right if name not in left)))
    return f"key: {', '.join(names)}" if names else ""


def _titled(words: str) -> Callable[[Turn], str]:
    def made(turn: Turn) -> str:
        quoted = re.search(r"(?<!\w)[\"“„«']([^\"”“»]+)[\"”“»'](?!\w)", turn.text)
        return f"{words}: {quoted[1]}" if quoted else ""

    return made


_WITH_VALUE: Final[Mapping[str, Callable[[Turn], str]]] = {
    "to": _people("to"),
    "add_to": _people("add"),
    "drop_to": _people("without"),
    "without": _steps("without"),
    "only": _steps("only"),
    "name": _table,
    "key": _key,
    "database": _database,
    "subject": _titled("subject"),
    "message": _titled("message"),
    "job": _titled("name"),
}
"""Meanings with a value, which has to stand in the sentence."""
