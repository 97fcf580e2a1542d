"""THE LIST: who takes what a person typed or pressed, in this order; the engine asks it once. Read it after `flow.py`.

A recogniser looks at the input and at where the talk stands, and returns nothing or what it took the input for. Those
behind the card come next if it took nothing; they find the talk as it was saved.
"""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Final

from router.errors import BotError, Unclear
from router.interactions.commands import Command, command_typed
from router.language.phrases import has_phrase, listed
from router.machine import UNCLEAR, Ask
from router.memory.stage import Stage
from router.memory.thread import Tasks, Writing
from router.stages.compare.begin import wish_of
from router.stages.dispatch import answer_about_card, answer_as, answer_with_help, answer_without_query
from router.stages.planned_steps import left_out
from router.stages.side_questions import heard
from router.stages.start import take_sql
from router.stages.target import MODES
from router.stages.tasks import forget
from router.teaching.glossary_chat import lesson_in
from router.text_to_sql.periods import periods
from router.turn import Said, Turn
from router.understanding.button_words import APPROVING, is_answer, says_approval, takes_back
from router.understanding.card_meanings import meaning_at
from router.understanding.categories import SQL_CATEGORIES, Category
from router.understanding.compared_queries import says_only_compare
from router.understanding.denials import denies
from router.understanding.short_wishes import reply_to
from router.understanding.unread import says_more
from router.understanding.values.people import copies_blindly
from router.understanding.values.sentence import unknown_words


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
"""The next stage by each outcome of the question that stands."""


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
    return Answered("cancel") if ways.get("cancel") == Stage.SHOW_RESULTS and _leaves_for_sql(turn) else None


def _command(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    word = command_typed(turn)
    if word is None and asked.accepts_definitions and lesson_in(turn):
        word = "learn"
    # A card's own word goes before a command of the same name.
    return Obeyed(word) if word and word not in ways else None


# What a sentence means at a card, by the classifier: it is said again in the card's words, or answered beside it.

MEANT_SHARE_MIN, FORESEEN_SHARE_MIN = 0.6, 0.9
"""Shares from which a meaning is acted on: of what the card did not take, and of what it would take for a value."""
YES_SHARE_MIN = 0.85
"""The share from which a sentence is a Yes at a card where nothing runs, is written, sent or repeated by it."""

UNDERSTOOD_AT: Final = ("rows", "sql", "own_sql")
WISHES: Final = frozenset({"csv", "xlsx", "chart", "share", "email", "write", "schedule", "compare"})
"""Meanings that are wishes for the rows, which are understood with all that is in them."""
TAKES_MORE: Final = frozenset({"email", "write", "schedule", "compare"})
"""Wishes that may have more in them."""
NOT_OF_ROWS: Final = frozenset({"again", "edit", "no", "yes"})
"""Meanings that hardly anything has below rows."""

_SAME_WORDS = (
    *("no", "cancel", "back", "edit", "again", "done", "next"),
    *("same", "into", "report", "email", "write", "compare", "columns"),
)
_WORDS: Final[Mapping[str, str]] = {
    **{word: word for word in _SAME_WORDS},
    Category.HUMAN_HANDOFF: "human",
    "csv": "as CSV",
    "xlsx": "as Excel",
    "inline": "in the mail",
    "chart": "as a chart",
    "share": "share",
    "schedule": "repeat",
    "first": "1",
    "second": "2",
    "third": "3",
    "fourth": "4",
    "neither": "none of these",
    "alone": "the question alone",
    "by_hand": "by hand",
    "own_sql": "own sql",
    "thread": "here in this thread",
    "changed": "only if it changed",
}
"""The words that a card knows for a meaning without a value."""
_MAY_DENY: Final = frozenset(
    {"no", "cancel", "back", "again", "edit", Category.HUMAN_HANDOFF, "without", "neither", "alone", "only", "done"}
)
"""Meanings that a sentence with a denial may have."""

_VALUE: Final = re.compile(r"[@_\d\"“„]")
_CODE: Final = re.compile(r"[=;<>{}\\/|`]")
"""Signs of a value, and of something that is no sentence."""


def _foreseen(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    but = asked.accepts | (WISHES if turn.typed_at in UNDERSTOOD_AT else frozenset())  # the card reads these itself
    but |= NOT_OF_ROWS if turn.typed_at == "rows" else frozenset()
    return _said_at_card(turn, asked, ways, FORESEEN_SHARE_MIN, but) if asked.takes_any_text else None


def _meant(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    but = TAKES_MORE if turn.typed_at in UNDERSTOOD_AT else frozenset[str]()
    return _said_at_card(turn, asked, ways, MEANT_SHARE_MIN, but)


def _said_at_card(turn: Turn, asked: Ask, ways: Ways, share_min: float, but: Set[str]) -> Meaning | None:
    """Return what a sentence means at its card by examples, as the card takes it in words that it knows."""
    typed = turn.incoming
    if not asked.card or is_answer(turn.text) or takes_back(turn.text) or copies_blindly(turn.text):
        return None
    found = meaning_at(asked.card, asked.accepts, turn.text)
    if found is None or found.share < share_min or found.meaning in {*but, *MODES}:  # rows may be lost by a mode
        return None
    if denies(turn.text, f"buttons.{found.meaning}"):
        return None
    if _answer_side_question(turn, found.meaning, asked.help):
        return Beside()
    if asked.approves and found.meaning in TAKES_MORE:
        return None  # "compare with something else" is not the Compare of the card
    surely = found.meaning == "yes" and found.share >= YES_SHARE_MIN and not asked.approves and _is_plain(turn.typed)
    words = "yes" if surely else _rephrase_for_card(turn, found.meaning)
    if not words or words == turn.text:
        return None
    turn.incoming = replace(typed, input=Said(words))
    meaning = _command(turn, asked, ways) or _card(turn, asked, ways)
    turn.incoming = turn.incoming if meaning else typed
    return meaning


def _rephrase_for_card(turn: Turn, meaning: str) -> str:
    """Return the words in which a card knows a meaning; empty if something of the sentence would be lost."""
    if "@" in turn.text or _CODE.search(turn.text):
        return ""
    if has_phrase("denial.before", turn.typed) and meaning not in _MAY_DENY:
        return ""
    if meaning in WISHES and says_more(turn.text, meaning):
        return ""  # "write it to t5 and show it as a pie" is more than a chart
    more = _VALUE.search(turn.text) or has_phrase("cards.each", turn.text)
    if meaning in TAKES_MORE and (more or (meaning == "compare" and not says_only_compare(turn.text))):
        return ""
    return _WORDS.get(meaning, "")


def _answer_side_question(turn: Turn, meaning: str, help: str) -> bool:
    """Answer a sentence that changes nothing of the card beside it; return whether it is one."""
    asks = turn.typed_at in UNDERSTOOD_AT and heard(turn).category in SQL_CATEGORIES
    match meaning:
        case "about" | Category.DESCRIBE_DATA if asks:
            return False
        case "about":
            if not answer_without_query(turn):
                answer_with_help(turn, help)
        case "wait":
            turn.note(reply_to("wait", turn.text))
            turn.answers(Category.SMALL_TALK)
        case Category.SMALL_TALK | Category.DESCRIBE_DATA | Category.JOB_STATUS:
            answer_as(turn, Category(meaning))
        case _:
            return False
    return True


# What the card takes, with a second look at the sentence as it was typed: courtesies, emoji and quotes are peeled off
# before a card sees it.

NOT_SURE: Final = "I'm not sure that you want this, so I changed nothing. Say what you want in a short sentence."

NO_PLAIN_YES: Final = "I'm not sure that this is a Yes, so I did nothing. Press the button, or type its word alone."

_QUOTED: Final = re.compile(r"\A\s*(?:>|[\"“„«'])")


def _card(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    typed, before = isinstance(turn.incoming.input, Said), turn.memory.tasks
    if typed and asked.approves and turn.word(*APPROVING) and not says_approval(turn.typed):
        return Refused(Unclear(NO_PLAIN_YES))
    word = asked.answer(turn)
    if word == UNCLEAR:
        turn.undo()
        return None if turn.owner.id == turn.user.id else Refused(Unclear(turn.refusal))
    if typed and _keeps_denied_value(turn, before):
        turn.undo()
        return Refused(Unclear(NOT_SURE))
    return Answered(word)


def _is_plain(text: str) -> bool:
    """Return whether a sentence has no doubt, no question and no No in it, and is no quotation."""
    signs = "?" in text or any(sign in text for sign in listed("cards.signs_of_no")) or _QUOTED.match(text)
    return not (signs or has_phrase("cards.doubt", text) or has_phrase("denial.before", text))


def _keeps_denied_value(turn: Turn, before: Tasks) -> bool:
    """Return whether a task took a recipient, a table, a format or a mode that the sentence denies."""
    after, typed = turn.memory.tasks, turn.typed
    written = after.writing or Writing()
    old = before.writing or Writing()
    if written.mode not in ("", "create", old.mode) and not _is_plain(typed) and not turn.word(*MODES):
        return True  # rows may be lost by it, so that nothing in the sentence may speak against it
    if copies_blindly(typed) and {*after.recipients} - {*before.recipients}:
        return True
    chosen = (f"buttons.{button}" for button in _chosen(after) - _chosen(before))
    # "bob must not get it" is about one who gets it already, too.
    return denies(typed, *chosen, names={*after.recipients} | ({written.table} - {old.table, ""}))


def _chosen(tasks: Tasks) -> set[str]:
    """Return the buttons that stand for the formats and the mode of the tasks."""
    chosen: set[str] = {task.form for task in (tasks.mailing, tasks.repeating) if task is not None}
    return (chosen | {(tasks.writing or Writing()).mode}) & {"csv", "xlsx", *MODES}


# A question about data, typed at a card that asks for something else: it is asked, and `back` leads to the card. It has
# to be one wherever it is typed, and at such a card; and it speaks of the data, by a name, a value, or a time.

LEFT_FOR_QUESTION: Final = "I'll answer your question first; nothing here is lost. `back` brings you here again."


def _leaves_for_question(turn: Turn, card: Ask) -> bool:
    """Leave the task at hand for a question about the data; return whether a sentence is one, at such a card too."""
    if not isinstance(turn.incoming.input, Said) or heard(turn).category not in SQL_CATEGORIES:
        return False
    here = meaning_at(card.card, card.accepts, turn.text)
    is_one = here is not None and (not card.card or here.meaning in SQL_CATEGORIES)
    return is_one and _speaks_of_data(turn) and _leaves_for_sql(turn)


def _leaves_for_sql(turn: Turn) -> bool:
    """Leave the task at hand for another query; return whether there are rows to which `cancel` leads."""
    if turn.memory.answer is None or turn.memory.tasks.comparing:
        return False
    forget(turn)
    turn.note(LEFT_FOR_QUESTION, "quiet")
    turn.goes_on = True
    return True


def _speaks_of_data(turn: Turn) -> bool:
    """Return whether a sentence names a table, a column, a value, or a time if no time is asked for."""
    text, place = turn.text, turn.memory.place
    words = re.findall(r"[^\W\d_]{3,}", text.lower())
    if not turn.known_words().isdisjoint(words):
        return True
    if turn.memory.tasks.repeating is None and periods(text, turn.services.clock().date()):
        return True
    if not place.schema:
        return False
    return any(turn.values().shows(word) for word in unknown_words(text))


def _left(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    if ways.get("cancel") != Stage.SHOW_RESULTS:
        return None
    leaves = _leaves_for_question(turn, asked) or (wish_of(turn) is not None and _leaves_for_sql(turn))
    return Answered("cancel") if leaves else None


def _aside(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    return Beside() if answer_without_query(turn) else None


def _about_card(turn: Turn, asked: Ask, ways: Ways) -> Meaning | None:
    return Beside() if answer_about_card(turn, asked.help) else None


# fmt: off
RECOGNISERS: Final = (
    Recogniser("sql",      "SQL, where queries are taken, or for which a task is left", _sql),
    Recogniser("command",  "a word that works everywhere, or what a word means",        _command),
    Recogniser("foreseen", "what is surely no name, text or question for it",           _foreseen),
    Recogniser("card",     "what the card takes: a button, a form, a sentence",         _card),
    Recogniser("meant",    "what sentences like it mean at such a card",                _meant),
    Recogniser("left",     "a question, or a comparison, for which a task is left",     _left),
    Recogniser("aside",    "small talk, help, and what is answered without a query",    _aside),
    Recogniser("about",    "a question about the card",                                  _about_card),
)
# fmt: on
