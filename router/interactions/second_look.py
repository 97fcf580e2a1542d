"""A second look at what a card took from a sentence: no value that the sentence denies, no Yes that is none in full.

Courtesies, emoji and quotes are peeled off before a card sees a sentence; here it is looked at as it was typed.
"""

import re
from typing import Final

from router.machine import Ask
from router.memory.thread import Tasks
from router.turn import Turn
from router.understanding.denials import denies

NOT_SURE: Final = "I'm not sure that you want this, so I changed nothing. Say what you want in a short sentence."
NO_PLAIN_YES: Final = "I'm not sure that this is a Yes, so I did nothing. Press the button, or type its word alone."

_ACTING: Final = ("yes", "email", "write", "compare")
_NO_PLAIN_YES: Final = re.compile(
    r"\A\s*(?:>|[\"“„«'])|[👎❌⛔🛑🚫✋🙈🤚✖]|\?|\b(?:wait|not|no|never|later|perhaps|maybe|tomorrow|if|unless|nicht|nein|nie"
    r"|später|vielleicht|warte|non|pas|attends|peut-être|plus tard|espera|luego|quizás?)\b",
    re.IGNORECASE,
)
"""Signs of a quotation, of a question, of a doubt and of a No."""
_FORMS: Final = {"csv": r"\bcsv\b", "xlsx": r"\b(?:excel|xlsx|spreadsheet)\b"}
_MODES: Final = {
    "append": r"\b(?:append|anhäng\w*|dranhäng\w*|ajout\w+|añad\w+)\b",
    "truncate": r"\b(?:empty|truncate|clear|delete|leer\w*|vid\w+|vací\w+)\b",
    "drop": r"\b(?:drop|replace|overwrite|recreate|ersetz\w*|überschreib\w*|remplac\w+|écras\w+|reempla\w+)\b",
}


def no_plain_yes(turn: Turn, handler: Ask) -> bool:
    """Tell an answer that would have something run, be written, sent or repeated, but is no Yes as it was typed."""
    return handler.approves and bool(turn.word(*_ACTING)) and not plainly_said(turn)


def plainly_said(turn: Turn) -> bool:
    """Tell a sentence without a doubt, a question or a No in it."""
    return not _NO_PLAIN_YES.search(turn.typed)


def takes_what_is_denied(turn: Turn, before: Tasks) -> bool:
    """Tell whether a task has a recipient, a table, a format or a mode now that the sentence denies."""
    after = turn.memory.tasks
    # "bob must not get it" is about one who gets it already, too.
    values = (_values(after) - _values(before)) | {re.escape(each) for each in after.recipients}
    return any(denies(turn.typed, value) for value in values)


def _values(tasks: Tasks) -> frozenset[str]:
    """Return patterns for the other values of the tasks."""
    found: set[str] = set()
    for task in (tasks.mailing, tasks.repeating):
        if task is not None:
            found |= {_FORMS[task.form]} if task.form in _FORMS else set()
    if writing := tasks.writing:
        found |= {rf"\b{re.escape(writing.table)}\b"} if writing.table else set()
        found |= {_MODES[writing.mode]} if writing.mode in _MODES else set()
    return frozenset(found)
