"""Buttons that hold whatever was asked since: of what is repeated, of examples, and of the glossary."""

from router.cards import Card, Reply, Text
from router.errors import BotError
from router.keeping import KEEPING, act
from router.repeats import RESUME, STOP, Repeats
from router.teaching import TEACHING, Teaching
from router.turn import Pressed, Turn

REPEATING = (STOP, RESUME)


def lasting(answer: str) -> bool:
    """Tell whether an answer holds whatever was asked since."""
    return answer.startswith((*REPEATING, *KEEPING, TEACHING))


def answer_lasting(turn: Turn) -> Reply | None:
    """Do what a lasting button says, and return what is said about it; None for any other input. Raises BotError."""
    given = turn.incoming.input
    if not isinstance(given, Pressed) or not lasting(given.answer):
        return None
    if given.answer.startswith(TEACHING):
        return _taught(turn, given.answer)
    cards: tuple[Card, ...]
    if given.answer.startswith(REPEATING):
        cards = (Text(Repeats(turn.tools).act(turn.user, given.answer)),)
    else:
        cards = act(turn, given.answer)
    return Reply(cards, working=True, to=turn.user.id if turn.incoming.shared else "")


def _taught(turn: Turn, answer: str) -> Reply:
    """Return what is said about a change of the glossary: to everybody, but for why it is none."""
    try:
        return Reply(Teaching(turn.tools).act(turn.user, str(turn.incoming.key), answer), working=True)
    except BotError as error:  # what is asked in the thread is not touched by it
        return Reply((Text(str(error), "problem"),), to=turn.user.id, refused=str(error))
