"""Buttons that hold whatever was asked since: schedules, examples, the glossary; their labels can be typed, too."""

from collections.abc import Iterable

from router.cards import Buttons, Card, Reply, Text
from router.errors import BotError
from router.machine import Ask, Row
from router.memory.stage import Stage
from router.memory.thread import PendingDecision
from router.schedules.listing import RESUME, STOP, ScheduleList
from router.teaching.glossary_chat import GLOSSARY_PREFIX, decide_term
from router.teaching.save_example import EXAMPLE_PREFIXES, SAVE, act
from router.turn import Pressed, Said, Turn
from router.understanding.button_words import folded, says_label

SCHEDULE_PREFIXES = (STOP, RESUME)

PROPOSAL_ACTIONS = ("save", "send", "drop")
"""Actions on a proposal by the buttons of its card."""

MEANING_PREFIXES = {
    "yes": (f"{GLOSSARY_PREFIX}save:", f"{GLOSSARY_PREFIX}send:", SAVE),
    "no": (f"{GLOSSARY_PREFIX}drop:",),
}
"""Meanings of Yes and No at a card of the glossary or of an example, by the beginning of its buttons' answers."""


def is_persistent(answer: str) -> bool:
    """Return whether an answer holds whatever was asked since."""
    return answer.startswith((*SCHEDULE_PREFIXES, *EXAMPLE_PREFIXES, GLOSSARY_PREFIX))


def answer_persistent(turn: Turn, row: Row) -> bool:
    """Answer a lasting button that was pressed, or its label that was typed; return whether there was one.

    Raises BotError.
    """
    given = turn.incoming.input
    answer = given.answer if isinstance(given, Pressed) else _label_typed(turn, row)
    if not is_persistent(answer):
        return False
    reply = _taught(turn, answer) if answer.startswith(GLOSSARY_PREFIX) else _done(turn, answer)
    if not reply.refused:
        before, turn.memory.offer = turn.memory.offer, None
        note_pending(turn, reply.cards)
        if turn.memory.offer != before:
            turn.flush()
    turn.post(reply)
    return True


def note_pending(turn: Turn, cards: Iterable[Card]) -> None:
    """Remember the lasting buttons that are shown last: their labels answer them until something else is said."""
    found = [card.options for card in cards if isinstance(card, Buttons) and card.lasting]
    if found:
        turn.memory.offer = PendingDecision(turn.user.id, found[-1])


def _label_typed(turn: Turn, row: Row) -> str:
    """Return the answer of the lasting button whose label was typed, or nothing; words of the stage go first.

    Yes and No are words of the stage wherever more than the next question is awaited.
    """
    given, offer = turn.incoming.input, turn.memory.offer
    if not isinstance(given, Said) or not isinstance(row.handler, Ask) or offer is None or offer.by != turn.user.id:
        return ""
    if folded(given.text) in row.to:
        return ""
    idle = row.handler.begins or turn.memory.stage == Stage.SHOW_RESULTS
    means = MEANING_PREFIXES.get(turn.word("yes", "no") or "", ()) if idle else ()
    found = (
        o.answer for o in offer.options if says_label(given.text, o.label) or (means and o.answer.startswith(means))
    )
    return next(found, "")


def _done(turn: Turn, answer: str) -> Reply:
    """Do what a lasting button says, and return what is said about it; raises BotError."""
    if answer.startswith(SCHEDULE_PREFIXES):
        cards: tuple[Card, ...] = (Text(ScheduleList(turn.services).act(turn.user, answer)),)
    else:
        cards = act(turn, answer)
    to = turn.user.id if turn.incoming.shared else ""
    # A sentence for one person is told where they pressed, as a refusal is; a card of theirs is posted, and stays.
    told = bool(to) and all(isinstance(card, Text) for card in cards)
    return Reply(cards, beside=not told, to=to)


def _taught(turn: Turn, answer: str) -> Reply:
    """Return what is said about a change of the glossary: to everybody, but for why it is none."""
    verb, id, *_ = answer.removeprefix(GLOSSARY_PREFIX).split(":")
    try:
        return Reply(decide_term(turn, answer), beside=True, closes=id if verb in PROPOSAL_ACTIONS else "")
    except BotError as error:  # what is asked in the thread is not touched by it
        return Reply((Text(str(error), "problem"),), to=turn.user.id, refused=str(error))
