"""THE LIST: who takes what a person typed or pressed, in this order; the engine asks it once. Read it after `flow.py`.

A recogniser looks at the input and at where the talk stands, and returns nothing or what it took the input for. Those
behind the card are asked where it took nothing; they find the talk as it was saved.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from router.errors import BotError, Unclear
from router.interactions.commands import Command, command_typed
from router.interactions.second_look import NO_PLAIN_YES, NOT_SURE, no_plain_yes, plainly_said, takes_what_is_denied
from router.machine import UNCLEAR, Ask, Flow
from router.memory.stage import Stage
from router.stages.compare.begin import wish_of
from router.stages.dispatch import about_card, aside
from router.stages.leaving import leaves_for_question, leaves_for_sql
from router.stages.meant import (
    FORESEEN_SHARE_MIN,
    MEANT_SHARE_MIN,
    NEVER_GUESSED,
    NOT_OF_ROWS,
    TAKES_MORE,
    UNDERSTOOD_AT,
    WISHES,
    YES_SHARE_MIN,
    answered_beside,
    said_again,
)
from router.stages.planned_steps import left_out
from router.stages.start import take_sql
from router.teaching.glossary_chat import lesson_in
from router.turn import Said, Turn
from router.understanding.button_words import is_answer, refuses
from router.understanding.card_meanings import meaning_at
from router.understanding.taking_back import takes_back
from router.understanding.values.people import copies_blindly


@dataclass(frozen=True, slots=True)
class Obeyed:
    """A word that works at every card."""

    command: Command


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer to the question that stands; `word` is its way out in the table of stages."""

    word: str


@dataclass(frozen=True, slots=True)
class Beside:
    """A sentence that was answered above the question that stands; the card stays."""


@dataclass(frozen=True, slots=True)
class Refused:
    """An input that nobody takes, with what is said of it."""

    error: BotError


Meaning = Obeyed | Answered | Beside | Refused


@dataclass(frozen=True, slots=True)
class Recogniser:
    """One line of the list: its name, what it takes, and how it hears that."""

    name: str
    takes: str
    hear: Callable[[Turn, Flow], Meaning | None]


def recognise(turn: Turn, flow: Flow, recognisers: Sequence[Recogniser]) -> Meaning:
    """Return what the first of the recognisers took the input for; `turn.taken_by` is then its name."""
    asked = _asked(turn, flow)
    if asked is not None and _typed(turn) and (word := asked.label_typed(turn)):
        turn.incoming = replace(turn.incoming, input=Said(word))
    for each in recognisers:
        if meaning := each.hear(turn, flow):
            turn.taken_by = each.name
            return meaning
    return Refused(Unclear(turn.refusal))


def _sql(turn: Turn, flow: Flow) -> Meaning | None:
    """Take a text that is SQL from its beginning to its end, which no other recogniser may read as a sentence."""
    asked, ways = _asked(turn, flow), flow[turn.memory.stage].to
    sql = turn.typed_sql() if _typed(turn) else None
    if asked is None or sql is None or sql.cut or sql.unsure or sql.command:
        return None
    if word := next((word for word in ("typed_sql", "sql") if word in ways), None):
        if not asked.takes_sql:
            return _card(turn, flow)
        if word == "typed_sql" and (wishes := turn.memory.understanding.wishes):
            turn.note(left_out(wishes), "quiet")
        take_sql(turn, sql)
        return Answered(word)
    if ways.get("cancel") == Stage.SHOW_RESULTS and leaves_for_sql(turn):
        return Answered("cancel")
    return None


def _command(turn: Turn, flow: Flow) -> Meaning | None:
    asked, word = _asked(turn, flow), command_typed(turn)
    if word is None and asked is not None and asked.learns and lesson_in(turn):
        word = "learn"
    # A card's own word goes before a command of the same name.
    return Obeyed(word) if word and word not in flow[turn.memory.stage].to else None


def _foreseen(turn: Turn, flow: Flow) -> Meaning | None:
    asked = _asked(turn, flow)
    if asked is None or not asked.believes:
        return None
    but = asked.accepts | (WISHES if turn.typed_at in UNDERSTOOD_AT else frozenset())  # the card reads these itself
    return _said_at_card(turn, flow, FORESEEN_SHARE_MIN, but | NOT_OF_ROWS if turn.typed_at == "rows" else but)


def _meant(turn: Turn, flow: Flow) -> Meaning | None:
    return _said_at_card(turn, flow, MEANT_SHARE_MIN, TAKES_MORE if turn.typed_at in UNDERSTOOD_AT else frozenset())


def _said_at_card(turn: Turn, flow: Flow, share_min: float, but: Set[str] = frozenset()) -> Meaning | None:
    """Return what a sentence means at its card by examples, as the card takes it in words that it knows."""
    asked, typed = _asked(turn, flow), turn.incoming
    if asked is None or not asked.card or not _typed(turn) or is_answer(turn.text) or takes_back(turn.text):
        return None
    if copies_blindly(turn.text):
        return None  # said again, an address would get an open copy
    found = meaning_at(asked.card, asked.accepts, turn.text)
    if found is None or found.share < share_min or found.meaning in but | NEVER_GUESSED:
        return None
    if refuses(turn.text, found.meaning):
        return None
    if answered_beside(turn, found.meaning, asked.help):
        return Beside()
    if asked.approves and found.meaning in TAKES_MORE:
        return None  # "compare with something else" is not the Compare of the card
    surely = found.meaning == "yes" and found.share >= YES_SHARE_MIN and not asked.approves and plainly_said(turn)
    words = "yes" if surely else said_again(turn, found.meaning)
    if not words or words == turn.text:
        return None
    turn.incoming = replace(typed, input=Said(words))
    meaning = _command(turn, flow) or _card(turn, flow)
    turn.incoming = turn.incoming if meaning else typed
    return meaning


def _card(turn: Turn, flow: Flow) -> Meaning | None:
    asked = _asked(turn, flow)
    assert asked is not None
    if _typed(turn) and no_plain_yes(turn, asked):
        return Refused(Unclear(NO_PLAIN_YES))
    before = turn.memory.tasks
    word = asked.answer(turn)
    if word != UNCLEAR and _typed(turn) and takes_what_is_denied(turn, before):
        turn.undo()
        return Refused(Unclear(NOT_SURE))
    if word != UNCLEAR:
        return Answered(word)
    turn.undo()
    return None if turn.owner.id == turn.user.id else Refused(Unclear(turn.refusal))


def _left(turn: Turn, flow: Flow) -> Meaning | None:
    asked, leads_to = _asked(turn, flow), flow[turn.memory.stage].to.get("cancel")
    if asked is None or leads_to != Stage.SHOW_RESULTS:
        return None
    leaves = leaves_for_question(turn, asked) or (wish_of(turn) is not None and leaves_for_sql(turn))
    return Answered("cancel") if leaves else None


def _aside(turn: Turn, flow: Flow) -> Meaning | None:
    return Beside() if aside(turn) else None


def _about_card(turn: Turn, flow: Flow) -> Meaning | None:
    asked = _asked(turn, flow)
    try:
        return Beside() if asked is not None and about_card(turn, asked.help) else None
    except Unclear as error:
        return Refused(error)


def _asked(turn: Turn, flow: Flow) -> Ask | None:
    """Return the question that stands, if one does."""
    handler = flow[turn.memory.stage].handler
    return handler if isinstance(handler, Ask) else None


def _typed(turn: Turn) -> bool:
    return isinstance(turn.incoming.input, Said)


# fmt: off
RECOGNISERS: Final = (
    Recogniser("sql",      "SQL, where queries are taken, or for which a task is left", _sql),
    Recogniser("command",  "a word that works everywhere, or what a word means",        _command),
    Recogniser("foreseen", "what is surely no name, text or question for it",           _foreseen),
    Recogniser("card",     "what the card takes: a button, a form, a sentence",         _card),
    Recogniser("meant",    "what sentences like it mean at such a card",                _meant),
    Recogniser("left",     "a question, or a comparison, for which a task is left",     _left),
    Recogniser("aside",    "small talk, help, and what is answered without a query",    _aside),
    Recogniser("about",    "a question about the card, or one that it does not take",   _about_card),
)
# fmt: on
