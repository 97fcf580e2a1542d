"""The values of closed lists: the format of an e-mail's rows, and what becomes of the rows that are in a table."""

from typing import Final, Literal

from router.memory.thread import Mode
from router.understanding.values.sentence import Sentence

FileForm = Literal["", "table", "csv", "xlsx"]

_FORMS: Final[dict[str, FileForm]] = {"csv": "csv", "xlsx": "xlsx", "inline": "table"}
_MODES: Final[dict[str, Mode]] = {
    "append": "append",
    "keeps": "append",
    "truncate": "truncate",
    "drop": "drop",
    "create": "create",
}
"""The modes by their lists: to keep the rows that are there means to add to them."""
_WITH: Final[dict[tuple[str, ...], list[str]]] = {
    ("truncate", "append"): ["truncate"],
    ("append", "keeps"): ["append"],
    ("keeps", "append"): ["append"],
    ("create", "drop"): ["drop"],
    ("drop", "create"): ["drop"],
}
"""Modes that go together in this order: "empty it, then add these"."""


def find_form(sentence: Sentence) -> FileForm:
    """Take the one format that a sentence asks for; "" if it asks for none or several; an attachment is Excel's."""
    files = sentence.spans("mailing.attached")
    no_file = any(sentence.is_denied(*span) for span in files)
    found = sentence.choose({name: f"mailing.{name}" for name in _FORMS})
    sentence.contradicts = sentence.contradicts or len(found) > 1
    for span in files:
        sentence.take(*span)
    if found or not files:
        return _FORMS[found[0]] if len(found) == 1 else ""
    return "table" if no_file else "xlsx"


def find_mode(sentence: Sentence) -> Mode | Literal[""]:
    """Take the mode that a sentence asks for; rows are added if it only says that none may be lost.

    What is denied is no mode; if several do not go together, none is taken, and they are left.
    """
    before = sentence.left
    lost = [span for kind in ("truncate", "drop", "loses") for span in sentence.spans(f"writing.{kind}")]
    keeps = bool(lost) and all(sentence.is_denied(*span) for span in lost)
    found = sentence.choose({mode: f"writing.{mode}" for mode in _MODES})
    found = _WITH.get(tuple(found), found)
    if keeps:
        sentence.choose({"loses": "writing.loses"})
    if len(found) == 1:
        return _MODES[found[0]]
    if found:
        sentence.left, sentence.contradicts = before, True
    return "append" if keeps and not found else ""
