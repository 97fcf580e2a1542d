"""Buttons that hold whatever was asked since, and words typed in their place: schedules, examples, the glossary."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from router.cards import Buttons, Card, Option, Reply, Text
from router.errors import BotError, Unclear
from router.machine import Ask, Row
from router.memory.thread import Memory, PendingDecision, ThreadKey
from router.schedules.listing import RESUME, STOP, ScheduleList
from router.teaching.glossary_chat import GLOSSARY_PREFIX, GlossaryChat
from router.teaching.save_example import EXAMPLE_PREFIXES, act
from router.turn import Pressed, Said, Turn
from router.understanding.button_words import folded

SCHEDULE_PREFIXES = (STOP, RESUME)

_LEFT = ("leave it", "leave", "leave that", "leave it as it is", "decline", "decline it")

BUTTON_WORDS = {
    "save": ("save", "save it", "save that", "keep", "keep it", "accept", "accept it"),
    "accept": ("accept", "accept it", "save", "save it", "keep", "keep it"),
    "propose": ("propose", "propose it", "propose that", "save", "save it", "keep", "keep it"),
    "don't save": ("don't save", "don’t save", "dont save", *_LEFT),
    "don't propose": ("don't propose", "don’t propose", "dont propose", *_LEFT),
    "decline": ("decline", "decline it", "leave it", "leave"),
}
"""The words that are typed for the button of each label."""


DECIDING = ("at", "save", "send", "drop")
"""What is done with a proposal by the buttons of its card."""


def is_persistent(answer: str) -> bool:
    """Tell whether an answer holds whatever was asked since."""
    return answer.startswith((*SCHEDULE_PREFIXES, *EXAMPLE_PREFIXES, GLOSSARY_PREFIX))


def answer_persistent(turn: Turn, row: Row, save: Callable[[ThreadKey, Memory], None]) -> bool:
    """Tell whether a lasting button was pressed, or its word typed where a person is asked; it is done and told then.

    What it shows to be decided is saved. Raises BotError.
    """
    memory, given = turn.memory, turn.incoming.input
    typed = pending_answer(turn, row.to) if isinstance(row.handler, Ask) else ""
    answer = given.answer if isinstance(given, Pressed) else typed
    if not is_persistent(answer):
        return False
    reply = _done(turn, answer)
    if not reply.refused:
        before, memory.offer = memory.offer, still_pending(memory.offer, answer)
        note_pending(turn, reply.cards)
        if memory.offer != before:
            save(turn.incoming.key, memory)
    turn.post(reply)
    return True


def _done(turn: Turn, answer: str) -> Reply:
    """Do what a lasting button says, and return what is said about it; raises BotError."""
    if answer.startswith(GLOSSARY_PREFIX):
        return _taught(turn, answer)
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
        cards = GlossaryChat(turn.services).act(turn.user, str(turn.incoming.key), answer)
        return Reply(cards, beside=True, closes=id if verb in DECIDING else "")
    except BotError as error:  # what is asked in the thread is not touched by it
        return Reply((Text(str(error), "problem"),), to=turn.user.id, refused=str(error))


# Words typed in place of pressing a button of the newest such cards.


def note_pending(turn: Turn, cards: Iterable[Card]) -> None:
    """Remember the lasting buttons among cards, which words answer until something else is said."""
    found = tuple(
        option
        for card in cards
        if isinstance(card, Buttons) and card.lasting
        for option in card.options
        if folded(option.label) in BUTTON_WORDS
    )
    if found:
        before = turn.memory.offer
        shown = before.options if before and before.by == turn.user.id else ()
        turn.memory.offer = PendingDecision(turn.user.id, (*shown, *(each for each in found if each not in shown)))


def pending_answer(turn: Turn, words: Collection[str]) -> str:
    """Return the answer of the button whose word was typed, or nothing; `words` are those of the stage, which go first.

    Raises Unclear where several cards have such a button, and no term is named behind the word.
    """
    given, offer = turn.incoming.input, turn.memory.offer
    if not isinstance(given, Said) or offer is None or offer.by != turn.user.id or folded(given.text) in words:
        return ""
    typed = folded(given.text)
    meant = [each for each in offer.options if typed in BUTTON_WORDS[folded(each.label)]]
    if len(meant) > 1:
        names = [_name(turn, each) for each in meant]
        raise Unclear(f"Several are on show. Name the one you mean: {' or '.join(f'`{typed} {n}`' for n in names)}.")
    named = [
        each
        for each in offer.options
        if any(typed == folded(f"{word} {_name(turn, each)}") for word in BUTTON_WORDS[folded(each.label)])
    ]
    return next((each.answer for each in (*meant, *named)), "")


def still_pending(offer: PendingDecision | None, answer: str) -> PendingDecision | None:
    """Return what is still on show once the card of an answer was decided."""
    if offer is None:
        return None
    left = tuple(each for each in offer.options if _card(each.answer) != _card(answer))
    return replace(offer, options=left) if left else None


def _card(answer: str) -> str:
    """Return the id of what an answer is about."""
    return answer.split(":", 2)[-1]


def _name(turn: Turn, option: Option) -> str:
    """Return the term that a button is about; empty for what has no name."""
    if turn.services.glossary_changes is None or not option.answer.startswith(GLOSSARY_PREFIX):
        return ""
    return turn.services.glossary_changes.proposals.get(_card(option.answer)).name
