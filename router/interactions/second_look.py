"""A second look at what a card took from a sentence: no value that the sentence denies, no Yes that is none in full.

Courtesies, emoji and quotes are peeled off before a card sees a sentence; here it is looked at as it was typed.
"""

import re
from typing import Final

from router.language.phrases import has_phrase, listed
from router.machine import Ask
from router.memory.thread import Tasks
from router.turn import Turn
from router.understanding.button_words import APPROVING, approves
from router.understanding.denials import denies
from router.understanding.values.people import copies_blindly

NOT_SURE: Final = "I'm not sure that you want this, so I changed nothing. Say what you want in a short sentence."
NO_PLAIN_YES: Final = "I'm not sure that this is a Yes, so I did nothing. Press the button, or type its word alone."

_QUOTED: Final = re.compile(r"\A\s*(?:>|[\"“„«'])")
_FORMS: Final = ("csv", "xlsx")
_MODES: Final = ("append", "truncate", "drop")


def no_plain_yes(turn: Turn, handler: Ask) -> bool:
    """Tell an answer that would have something run, be written, sent or repeated, but is no Yes as it was typed."""
    return handler.approves and bool(turn.word(*APPROVING)) and not approves(turn.typed)


def plainly_said(turn: Turn) -> bool:
    """Return whether a sentence has no doubt, no question and no No in it, and is no quotation."""
    text = turn.typed
    signs = "?" in text or any(sign in text for sign in listed("cards.signs_of_no")) or _QUOTED.match(text)
    return not (signs or has_phrase("cards.doubt", text) or has_phrase("denial.before", text))


def takes_what_is_denied(turn: Turn, before: Tasks) -> bool:
    """Tell whether a task has a recipient, a table, a format or a mode now that the sentence denies."""
    after = turn.memory.tasks
    if _mode(after) not in ("", "create", _mode(before)) and not plainly_said(turn) and not turn.word(*_MODES):
        return True  # rows may be lost by it, so that nothing in the sentence may speak against it
    if copies_blindly(turn.typed) and {*after.recipients} - {*before.recipients}:
        return True
    chosen = (f"buttons.{button}" for button in _chosen(after) - _chosen(before))
    # "bob must not get it" is about one who gets it already, too.
    return denies(turn.typed, *chosen, names={*after.recipients} | (_tables(after) - _tables(before)))


def _mode(tasks: Tasks) -> str:
    return tasks.writing.mode if tasks.writing else ""


def _tables(tasks: Tasks) -> set[str]:
    return {tasks.writing.table} - {""} if tasks.writing else set()


def _chosen(tasks: Tasks) -> set[str]:
    """Return the buttons that stand for the formats and the mode of the tasks."""
    forms = {task.form for task in (tasks.mailing, tasks.repeating) if task is not None}
    return (forms | {_mode(tasks)}) & {*_FORMS, *_MODES}
