"""The values of closed lists: the format of an e-mail's rows, and what becomes of the rows that are in a table."""

from typing import Final, Literal

from router.memory.thread import Mode
from router.understanding.values.sentence import Sentence

FileForm = Literal["", "table", "csv", "xlsx"]

_FORMS: Final[dict[str, FileForm]] = {"csv": "csv", "xlsx": "xlsx", "inline": "table", "attached": "xlsx"}
_LISTS_OF_FORMS: Final = {name: f"mailing.{name}" for name in _FORMS}
_MODES: Final = {mode: f"writing.{mode}" for mode in ("append", "truncate", "drop", "create")}
_LOSES: Final = {"loses": "writing.loses"}
_WITH: Final[dict[frozenset[str], Mode]] = {
    frozenset({"truncate", "append"}): "truncate",
    frozenset({"drop", "create"}): "drop",
}
"""Modes that go together: "empty it, then add these"."""


def find_form(sentence: Sentence) -> FileForm:
    """Take the one format that a sentence asks for; "" where it asks for none or several; an attachment is Excel's."""
    no_file = any(sentence.is_denied(*span) for span in sentence.spans("mailing.attached"))
    found = sentence.choose(_LISTS_OF_FORMS)
    forms = dict.fromkeys(_FORMS[each] for each in found if each != "attached" or len(found) == 1)
    return next(iter(forms)) if len(forms) == 1 else "table" if no_file and not forms else ""


def find_mode(sentence: Sentence) -> Mode | Literal["", "keep"]:
    """Take the mode that a sentence asks for; "keep" where it only says that no row may be lost.

    What is denied is no mode; where several do not go together, none is taken, and they are left.
    """
    before = sentence.left
    lost = [span for kind in ("truncate", "drop", "loses") for span in sentence.spans(f"writing.{kind}")]
    keeps = bool(lost) and all(sentence.is_denied(*span) for span in lost)
    found = sentence.choose(_MODES)
    if keeps:
        sentence.choose(_LOSES)
    if not found:
        return "keep" if keeps else ""
    if len(found) == 1:
        return next(mode for mode in (*_WITH.values(), "append", "create") if mode == found[0])
    if together := _WITH.get(frozenset(found)):
        return together
    sentence.left = before
    return ""
