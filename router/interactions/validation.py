"""Checks of an input before any stage sees it: its text, its size, its age, and who sent it."""

from dataclasses import replace
from typing import Final

from router.cards import Text
from router.errors import BotError, Stale, Unclear
from router.interactions.result_buttons import is_lasting
from router.language.phrases import tokens_of
from router.memory.draft import User
from router.memory.thread import Memory
from router.turn import Filled, Incoming, Pressed, Said, Turn
from router.understanding.button_words import is_answer, word_of
from router.understanding.courtesy import Peeled, peeled
from router.understanding.typed_sql import find_sql

EVENTS_KEPT = 50

_ACTING: Final = ("yes", "email", "write", "compare", "append", "truncate", "drop", "accept", "human")
"""Buttons that send, write or run: nobody presses them by a longer sentence, whatever else is in that."""

MESSAGE_MAX_CHARS = 60_000
"""Characters of a message."""


def without_surrogates(incoming: Incoming) -> Incoming:
    """Return the input without halves of characters, which no file and no database takes."""
    match incoming.input:
        case Said(text):
            return replace(incoming, input=Said(_whole(text)))
        case Filled(values) as filled:
            return replace(incoming, input=replace(filled, values={k: _whole(v) for k, v in values.items()}))
    return incoming


def without_courtesy(turn: Turn) -> Peeled:
    """Have the turn go on with what was typed without its courtesies; SQL and words of buttons stay as they are."""
    given = turn.incoming.input
    if not isinstance(given, Said) or is_answer(given.text) or find_sql(given.text):
        return Peeled(turn.text)
    labels = (each.word for connection in turn.services.connections.values() for each in tokens_of(connection.label))
    found = peeled(given.text, turn.known_words() | frozenset(labels))
    # "Go ahead, nobody needs to know" is no Yes, and praise with thanks may mean what was before.
    if found.text and found.text != given.text.strip() and not word_of(found.text, _ACTING):
        turn.incoming = replace(turn.incoming, input=Said(found.text))
    return found


def is_new(turn: Turn, working: bool) -> bool:
    """Note the event; return whether it has to be worked on: one that was cut short by a kill is, as a look.

    `working`: the talk was left in the midst of a step.
    """
    memory, event = turn.memory, turn.incoming.event
    if event and event in memory.seen:
        turn.repeated = True
        return working
    memory.seen = [*memory.seen, event][-EVENTS_KEPT:] if event else memory.seen
    return True


def without_event(turn: Turn) -> Memory:
    """Return what is remembered as if this turn's event had not come yet."""
    memory = turn.memory
    return replace(memory, seen=[event for event in memory.seen if event != turn.incoming.event])


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def answer_to(error: BotError) -> Text:
    """Return what is said of an input that was not taken, above the question that stands."""
    where = " This is where we are:" if isinstance(error, Stale) else ""
    return Text(f"{error}{where}", "quiet" if isinstance(error, Unclear | Stale) else "problem")


def owner_today(owner: User | None, user: User) -> User:
    """Return the owner with what the platform says of them today."""
    if owner is None or owner.id != user.id:
        return owner or user
    return User(user.id, user.name or owner.name, user.email or owner.email, user.zone or owner.zone, user.guest)


def require_short(turn: Turn) -> None:
    given = turn.incoming.input
    texts = [given.text] if isinstance(given, Said) else given.values.values() if isinstance(given, Filled) else ()
    if any(len(text) > MESSAGE_MAX_CHARS for text in texts):
        raise Unclear(f"That's too long for me: a message may have {MESSAGE_MAX_CHARS:,} characters.")


QUOTES_EARLIER: Final = "The card that you quote belongs to an earlier step. Nothing was done."
QUOTES_UNKNOWN: Final = (
    "I don't know the card that you quote. Nothing was done. Press its button, or answer without quoting anything."
)


def require_fresh(turn: Turn) -> None:
    """Raise Stale if a button, or the card that is quoted, belongs to an earlier question.

    The sentence says who answered it, and when. An answer to a card that is not known is none to the one that stands.
    """
    quoted = turn.incoming.quoted
    match turn.incoming.input:
        case Said(text) if quoted and not quoted.result:
            if quoted.turn and quoted.turn != turn.memory.turn:
                raise Stale(QUOTES_EARLIER)
            if not quoted.turn and is_answer(text):
                raise Stale(QUOTES_UNKNOWN)
        case Pressed(turn=number) | Filled(turn=number) if number != turn.memory.turn:
            decided = turn.memory.decided
            if decided and decided.turn == number:
                raise Stale(f"{_named(decided.by, turn.user)} answered that already, at {decided.at:%H:%M}.")
            raise Stale("That button belongs to an earlier step.")


def who_answered(late: Incoming, first: Incoming) -> str:
    """Return "Ana answered that already" if both inputs answer the question that stands; else nothing."""
    if any(isinstance(each.input, Pressed) and is_lasting(each.input.answer) for each in (late, first)):
        return ""
    match late.input, first.input:
        case ((Pressed(turn=number) | Filled(turn=number)), (Pressed(turn=other) | Filled(turn=other))) if (
            number == other
        ):
            return f"{_named(first.user, late.user)} answered that already"
    return ""


def _named(user: User, reader: User) -> str:
    return "You" if user.id == reader.id else user.name or "Somebody else"
