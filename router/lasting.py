"""Buttons that hold whatever was asked since: of what is repeated, and of examples."""

from router.cards import Card, Reply, Text
from router.keeping import KEEPING, act
from router.repeats import RESUME, STOP, Repeats
from router.turn import Pressed, Turn

REPEATING = (STOP, RESUME)


def lasting(answer: str) -> bool:
    """Tell whether an answer holds whatever was asked since."""
    return answer.startswith((*REPEATING, *KEEPING))


def answer_lasting(turn: Turn) -> Reply | None:
    """Do what a lasting button says, and return what is said about it; None for any other input. Raises BotError."""
    given = turn.incoming.input
    if not isinstance(given, Pressed) or not lasting(given.answer):
        return None
    cards: tuple[Card, ...]
    if given.answer.startswith(REPEATING):
        cards = (Text(Repeats(turn.tools).act(turn.user, given.answer)),)
    else:
        cards = act(turn, given.answer)
    return Reply(cards, working=True, to=turn.user.id if turn.incoming.shared else "")
