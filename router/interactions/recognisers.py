"""THE LIST: who takes what a person typed or pressed, in this order; the engine asks it once. Read it after `flow.py`.

A recogniser looks at the input and at where the talk stands, and returns nothing or what it took the input for. Those
behind the card are asked where it took nothing; they find the talk as it was saved.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from router.errors import BotError, Unclear
from router.interactions.commands import Command, command_typed
from router.interactions.second_look import NO_PLAIN_YES, NOT_SURE, no_plain_yes, plainly_said, takes_what_is_denied
from router.machine import UNCLEAR, Ask
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
from router.understanding.button_words import is_answer
from router.understanding.card_meanings import meaning_at
from router.understanding.denials import denies
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
Ways = Mapping[str, Stage]
"""Where each word of the question that stands leads."""


@dataclass(frozen=True, slots=True)
class Recogniser:
    """One line of the list: its name, what it takes, and how it hears that."""

    name: str
    takes: str
    hear: Callable[[Turn, Ask, Ways], Meaning | None]


def recognise(turn: Turn, asked: Ask, ways: Ways, recognisers: Sequence[Recogniser]) -> Meaning:
    """Return what the first of the recognisers took the input for; `turn.taken_by` is then its name."""
    typed = isinstance(turn.incoming.input, Said)
    if typed and (word := asked.label_typed(turn)):
        turn.incoming, turn.typed = replace(turn.incoming, input=Said(word)), word
    for each in recognisers:
        if (typed or each.hear in (_command, _card)) and (meaning := each.hear(turn, asked, ways)):
            turn.taken_by = each.name
            return meaning
    return Refused(Unclear(turn.refusal))


def _sql(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    """Take a text that is SQL from its beginning to its end, which no other recogniser may read as a sentence."""
    sql = turn.typed_sql()
    if sql is None or sql.cut or sql.unsure or sql.command:
        return None
    if word := next((word for word in ("typed_sql", "sql") if word in ways), None):
        if not asked.takes_sql:
            return _card(turn, asked, ways)
        if word == "typed_sql" and (wishes := turn.memory.understanding.wishes):
            turn.note(left_out(wishes), "quiet")
        take_sql(turn, sql)
        return Answered(word)
    return Answered("cancel") if ways.get("cancel") == Stage.SHOW_RESULTS and leaves_for_sql(turn) else None


def _command(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    word = command_typed(turn)
    if word is None and asked.learns and lesson_in(turn):
        word = "learn"
    # A card's own word goes before a command of the same name.
    return Obeyed(word) if word and word not in ways else None


def _foreseen(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    but = asked.accepts | (WISHES if turn.typed_at in UNDERSTOOD_AT else frozenset())  # the card reads these itself
    but |= NOT_OF_ROWS if turn.typed_at == "rows" else frozenset()
    return _said_at_card(turn, asked, ways, FORESEEN_SHARE_MIN, but) if asked.believes else None


def _meant(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    but = TAKES_MORE if turn.typed_at in UNDERSTOOD_AT else frozenset[str]()
    return _said_at_card(turn, asked, ways, MEANT_SHARE_MIN, but)


def _said_at_card(turn: Turn, asked: Ask, ways: Ways, share_min: float, but: Set[str]) -> Meaning | None:
    """Return what a sentence means at its card by examples, as the card takes it in words that it knows."""
    typed = turn.incoming
    if not asked.card or is_answer(turn.text) or takes_back(turn.text):
        return None
    if copies_blindly(turn.text):
        return None  # said again, an address would get an open copy
    found = meaning_at(asked.card, asked.accepts, turn.text)
    if found is None or found.share < share_min or found.meaning in but | NEVER_GUESSED:
        return None
    if denies(turn.text, f"buttons.{found.meaning}"):
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
    meaning = _command(turn, asked, ways) or _card(turn, asked, ways)
    turn.incoming = turn.incoming if meaning else typed
    return meaning


def _card(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    typed, before = isinstance(turn.incoming.input, Said), turn.memory.tasks
    if typed and no_plain_yes(turn, asked):
        return Refused(Unclear(NO_PLAIN_YES))
    word = asked.answer(turn)
    if word == UNCLEAR:
        turn.undo()
        return None if turn.owner.id == turn.user.id else Refused(Unclear(turn.refusal))
    if typed and takes_what_is_denied(turn, before):
        turn.undo()
        return Refused(Unclear(NOT_SURE))
    return Answered(word)


def _left(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    if ways.get("cancel") != Stage.SHOW_RESULTS:
        return None
    leaves = leaves_for_question(turn, asked) or (wish_of(turn) is not None and leaves_for_sql(turn))
    return Answered("cancel") if leaves else None


def _aside(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    return Beside() if aside(turn) else None


def _about_card(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    try:
        return Beside() if about_card(turn, asked.help) else None
    except Unclear as error:
        return Refused(error)


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
