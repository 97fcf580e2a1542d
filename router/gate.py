"""What is looked at before any stage sees an input: its text, its size, its age, and who sent it."""

from dataclasses import replace

from router.cards import Text
from router.errors import BotError, Stale, Unclear
from router.intents.words import greets
from router.memory import Memory, User
from router.turn import Filled, Incoming, Pressed, Said, Turn

GREETING = (
    "Hello! I answer questions about your data: you ask in your own words, I write the SQL and show it to you, and it "
    "runs once you approve it. `help` tells what you can do at each step."
)

EVENTS_KEPT = 50

LONGEST = 60_000
"""Characters of a message."""


def clean(incoming: Incoming) -> Incoming:
    """Return the input without halves of characters, which no file and no database takes."""
    match incoming.input:
        case Said(text):
            return replace(incoming, input=Said(_whole(text)))
        case Filled(values, turn):
            return replace(incoming, input=Filled({k: _whole(v) for k, v in values.items()}, turn))
    return incoming


def is_new(turn: Turn, working: bool) -> bool:
    """Note the event; tell whether it has to be worked on: one that was cut short by a kill is, as a look.

    `working`: the talk was left in the midst of a step.
    """
    memory, event = turn.memory, turn.incoming.event
    if event and event in memory.seen:
        return working
    memory.seen = [*memory.seen, event][-EVENTS_KEPT:] if event else memory.seen
    return True


def unseen(turn: Turn) -> Memory:
    """Return what is remembered as if this turn's event had not come yet."""
    memory = turn.memory
    return replace(memory, seen=[event for event in memory.seen if event != turn.incoming.event])


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def greeted(turn: Turn) -> bool:
    """Tell whether the person only said hello, or wrote the bot's name and nothing else."""
    given = turn.incoming.input
    return isinstance(given, Said) and greets(given.text)


def answer_to(turn: Turn, error: BotError) -> Text:
    """Return what is said of an input that was not taken, above the question that stands."""
    if isinstance(error, Unclear) and greeted(turn):
        return Text(GREETING)
    where = " This is where we are:" if isinstance(error, Stale) else ""
    return Text(f"{error}{where}", "quiet" if isinstance(error, Unclear | Stale) else "problem")


def known_better(owner: User | None, user: User) -> User:
    """Return the owner with what the platform says of them today."""
    if owner is None or owner.id != user.id:
        return owner or user
    return User(user.id, user.name or owner.name, user.email or owner.email, user.zone or owner.zone)


def demand_short(turn: Turn) -> None:
    given = turn.incoming.input
    texts = [given.text] if isinstance(given, Said) else given.values.values() if isinstance(given, Filled) else ()
    if any(len(text) > LONGEST for text in texts):
        raise Unclear(f"That is too long for me: a message may have {LONGEST:,} characters.")


def demand_fresh(turn: Turn) -> None:
    """Raise Stale where a button belongs to an earlier question; the sentence says who answered it, and when."""
    match turn.incoming.input:
        case Pressed(turn=number) | Filled(turn=number) if number != turn.memory.turn:
            decided = turn.memory.decided
            if decided and decided.turn == number:
                raise Stale(f"{_named(decided.by, turn.user)} answered that already, at {decided.at:%H:%M}.")
            raise Stale("That button belongs to an earlier step.")


def who_answered(late: Incoming, first: Incoming) -> str:
    """Return "Ana answered that already" where both inputs answer one question; else nothing."""
    match late.input, first.input:
        case ((Pressed(turn=number) | Filled(turn=number)), (Pressed(turn=other) | Filled(turn=other))) if (
            number == other
        ):
            return f"{_named(first.user, late.user)} answered that already"
    return ""


def _named(user: User, reader: User) -> str:
    return "You" if user.id == reader.id else user.name or "Somebody else"
