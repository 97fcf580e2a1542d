"""What buttons and modals carry: the thread and the number of the question, never SQL and never rows."""

from dataclasses import dataclass

from router.memory import ThreadKey, key_from

PRESS, CHOOSE, TAKE, FORM, STOP, FEEDBACK = "press", "choose", "take", "form", "stop", "feedback"
"""How an action_id begins: a button, a menu, the button beside a menu of several, a button that opens a modal, Stop,
the thumbs. A number follows where there may be several in one message."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One card of one question in one thread."""

    key: ThreadKey
    turn: int
    card: int

    def __str__(self) -> str:
        return f"{self.turn}:{self.card}:{self.key}"


def asked_from(text: str) -> Asked:
    """Return what a block_id or a modal's metadata says; raises ValueError where it says nothing of ours."""
    turn, card, key = text.split(":", 2)
    return Asked(key_from(key), int(turn), int(card))
