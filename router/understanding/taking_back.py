"""Recognises a message that wants back what was done: "wait, don't send it", "undo that"."""

from typing import Final

from router.understanding.button_words import is_only

CANNOT_TAKE_BACK: Final = (
    "What was sent or written stays: an e-mail cannot be called back, and I never take rows out of a table. Nothing "
    "else is under way."
)


def takes_back(text: str) -> bool:
    """Return whether a message asks for nothing but that something was not done."""
    return is_only(text, "cards.takes_back", also=("cards.wait", "cards.yet", "buttons.no", "buttons.stop"))
