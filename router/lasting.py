"""Buttons that hold whatever was asked since: of what is repeated, of examples, and of the glossary."""

from collections.abc import Callable

from router.cards import Card, Reply, Text
from router.errors import BotError
from router.keeping import KEEPING, act
from router.machine import Ask, Row
from router.memory import Memory, ThreadKey
from router.offers import note_offers, offered, renewed
from router.repeats import RESUME, STOP, Repeats
from router.teaching import TEACHING, Teaching
from router.turn import Pressed, Turn

REPEATING = (STOP, RESUME)


def lasting(answer: str) -> bool:
    """Tell whether an answer holds whatever was asked since."""
    return answer.startswith((*REPEATING, *KEEPING, TEACHING))


def answer_lasting(turn: Turn, row: Row, save: Callable[[ThreadKey, Memory], None]) -> bool:
    """Tell whether a lasting button was pressed, or its word typed where a person is asked; it is done and told then.

    What it shows to be decided is saved. Raises BotError.
    """
    memory, given = turn.memory, turn.incoming.input
    typed = offered(turn, row.to) if isinstance(row.handler, Ask) else ""
    answer = given.answer if isinstance(given, Pressed) else typed
    if not lasting(answer):
        return False
    reply = _done(turn, answer)
    if not reply.refused:
        before, memory.offer = memory.offer, renewed(memory.offer, answer)
        note_offers(turn, reply.cards)
        if memory.offer != before:
            save(turn.incoming.key, memory)
    turn.post(reply)
    return True


def _done(turn: Turn, answer: str) -> Reply:
    """Do what a lasting button says, and return what is said about it; raises BotError."""
    if answer.startswith(TEACHING):
        return _taught(turn, answer)
    if answer.startswith(REPEATING):
        cards: tuple[Card, ...] = (Text(Repeats(turn.tools).act(turn.user, answer)),)
    else:
        cards = act(turn, answer)
    return Reply(cards, working=True, to=turn.user.id if turn.incoming.shared else "")


def _taught(turn: Turn, answer: str) -> Reply:
    """Return what is said about a change of the glossary: to everybody, but for why it is none."""
    try:
        return Reply(Teaching(turn.tools).act(turn.user, str(turn.incoming.key), answer), working=True)
    except BotError as error:  # what is asked in the thread is not touched by it
        return Reply((Text(str(error), "problem"),), to=turn.user.id, refused=str(error))
