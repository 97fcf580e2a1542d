"""Which question an answer belongs to: what buttons, menus and forms carry, never SQL and never rows."""

from dataclasses import dataclass

from router.memory import ThreadKey, key_from


@dataclass(frozen=True, slots=True)
class Asked:
    """One card of one question in one thread."""

    key: ThreadKey
    turn: int
    card: int

    def __str__(self) -> str:
        return f"{self.turn}:{self.card}:{self.key}"


def asked_from(text: str) -> Asked:
    """Return what the string of an Asked says; raises ValueError where it says nothing of ours."""
    turn, card, key = text.split(":", 2)
    return Asked(key_from(key), int(turn), int(card))
