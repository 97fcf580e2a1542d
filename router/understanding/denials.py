"""Tells a sentence that denies what it names: "not as csv", "bob@firma.de must not get it", "anything but tmp_open".

Whatever a card would take from such a sentence is asked about instead: a wrong recipient or table costs more than that.
"""

import re
from typing import Final

_BEFORE: Final = re.compile(
    r"(?:\b(?:no|not|never|nor|neither|don'?t|doesn'?t|cannot|can'?t|won'?t|without|except|avoid|hate|instead of"
    r"|rather than"
    r"|(?:any|every)(?:one|body|thing)(?: else)? but|all but|ask|if|unless|nicht|nie|niemals|kein\w*|weder|ohne|außer"
    r"|statt"
    r"|pas|jamais|sans|sauf|ni|au lieu d[eu]|sin|nunca|jamás|excepto|menos|en vez de|en lugar de)\b|\bn'\w+)"
    r"(?:\W+(?!(?:but|sondern|mais|sino|rather)\b)[\w'’]+){0,4}\W*\Z",
    re.IGNORECASE,
)
"""A denial, with at most four words behind it, at the end of what stands before a value."""
_BEHIND: Final = re.compile(
    r"\W*(?:(?:must|should|shall|may|can|does|do|is|will|darf|soll|muss|doit|debe)\s+)?"
    r"(?:not|never|n'?t|nicht|niemals|pas|no|nunca)\b(?!\s+(?:only|just|nur|seulement|solo))"
    r"|\W+(?:is|ist|est|está)\s+(?:wrong|broken|on holiday|away|out|gone|falsch|kaputt|weg|faux|mal)\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r"[,;!?\n]|\.\s|\b(?:but|sondern|mais|sino|aber|pero)\b")
_ALL_BUT: Final = re.compile(r"\b(?:any|every)(?:one|body|thing)?(?: else)? but|\ball but", re.IGNORECASE)


def denies(text: str, value: str) -> bool:
    """Tell whether a sentence denies something that it names; `value` is a pattern for that."""
    for found in re.finditer(value, text, re.IGNORECASE):
        before, behind = text[: found.start()], text[found.end() :]
        if not _ALL_BUT.search(before):
            before = _CLAUSE.split(before)[-1]
        if _BEFORE.search(before) or _BEHIND.match(_CLAUSE.split(behind)[0]):
            return True
    return False
