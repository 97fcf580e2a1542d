"""Recognises a sentence that wants back what was done: "wait, don't send it", "undo that"; by rules."""

import re
from typing import Final

from router.language.folding import unaccented

_SIGH: Final = (
    r"(?:(?:wait|stop|no|oh|oops|hm+|sorry|hold on|halt|nein|warte|non|attends|espera|please|bitte)\b[,.! ]*)*"
)
_IT: Final = r"(?:it|this|that|them|the (?:e-?mail|mail|message|rows?|table)|das|es|die (?:mail|e-?mail)|ca|lo)"
_NOT: Final = r"(?:do ?n[o']?t|do not|never|nicht|ne|no)"
_DONE: Final = (
    r"(?:send|sent|mail|e-?mail|write|insert|save|do|senden?|schicken?|schick|schreib\w*|envoie\w*|envies?|mandes?)"
)
_TAKES_BACK: Final = re.compile(
    rf"{_SIGH}(?:"
    rf"{_NOT} {_DONE}(?: {_IT})?|(?:send|schick\w*|sende?) {_IT} (?:not|nicht)|ne l'envo\w+ pas"
    r"|no l[oa] (?:envies|mandes)"
    rf"|(?:un-?do|un-?send|recall|revoke|retract|delete|cancel|stop) {_IT}|undo|unsend"
    rf"|(?:take|call|get) {_IT} back|ruf\w* {_IT} zuruck|i did ?n[o']?t (?:want|mean) to {_DONE}(?: {_IT})?"
    r")(?: (?:yet|please|again|back|now|anymore|bitte|noch))*"
)

CANNOT_TAKE_BACK: Final = (
    "What was sent or written stays: an e-mail cannot be called back, and I never take rows out of a table. Nothing "
    "else is under way."
)


def takes_back(text: str) -> bool:
    """Tell whether a sentence asks for nothing but that something was not done."""
    return _TAKES_BACK.fullmatch(unaccented(text).rstrip("?.! ")) is not None
