"""Buttons that hold whatever was asked since: of what is repeated, of examples, and of the glossary."""

from collections.abc import Collection

from router.cards import Card, Reply, Text
from router.errors import BotError
from router.keeping import KEEPING, act
from router.offers import note_offers, offered, renewed
from router.repeats import RESUME, STOP, Repeats
from router.teaching import TEACHING, Teaching
from router.turn import Pressed, Turn

REPEATING = (STOP, RESUME)


def lasting(answer: str) -> bool:
    """Tell whether an answer holds whatever was asked since."""
    return answer.startswith((*REPEATING, *KEEPING, TEACHING))


def answer_lasting(turn: Turn, words: Collection[str]) -> Reply | None:
    """Do what a lasting button says, pressed or typed, and return what is said about it; None for any other input.

    `words` are the stage's own, which are never taken for a button. Raises BotError.
    """
    given = turn.incoming.input
    answer = given.answer if isinstance(given, Pressed) else offered(turn, words)
    if not lasting(answer):
        return None
    if answer.startswith(TEACHING):
        reply = _taught(turn, answer)
    else:
        about = Repeats(turn.tools).act(turn.user, answer) if answer.startswith(REPEATING) else ""
        cards: tuple[Card, ...] = (Text(about),) if about else act(turn, answer)
        reply = Reply(cards, working=True, to=turn.user.id if turn.incoming.shared else "")
    if not reply.refused:
        turn.memory.offer = renewed(turn.memory.offer, answer)
        note_offers(turn, reply.cards)
    return reply


def _taught(turn: Turn, answer: str) -> Reply:
    """Return what is said about a change of the glossary: to everybody, but for why it is none."""
    try:
        return Reply(Teaching(turn.tools).act(turn.user, str(turn.incoming.key), answer), working=True)
    except BotError as error:  # what is asked in the thread is not touched by it
        return Reply((Text(str(error), "problem"),), to=turn.user.id, refused=str(error))
