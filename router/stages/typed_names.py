"""Names that people type for new tables and jobs: a question, thanks, or a word of a sentence is none."""

import re
from typing import Final

from router.language.phrases import has_phrase, is_all, phrase_at, tokens_of
from router.turn import Said, Turn
from router.understanding.button_words import greets, is_answer, is_confirmation
from router.understanding.kinds import is_question
from router.understanding.short_wishes import thanks
from router.understanding.values.forms import named_job
from router.understanding.values.sentence import QUOTED, Sentence, unknown_words, unquoted

JOB_NAME_MAX_CHARS, TABLE_NAME_MAX_CHARS = 80, 128
JOB_NAME_MAX_WORDS: Final = 7

NO_JOB_NAME: Final = f"A job's name is one line of at most {JOB_NAME_MAX_CHARS} characters."
NO_TABLE_NAME: Final = "That can't be a table's name. Type one such as `orders_2026`, or put it in quotes."

_LIKE_A_NAME = re.compile(r"[^\W\d][\w$#-]*[\d_$#][\w$#-]*")
_WORD = re.compile(r"[^\W\d][\w-]*")
_CUT = re.compile(r"[,;!?@\n]|\.\s|:\s")


def is_name(text: str, most: int) -> bool:
    """Tell whether a text may name something: one line of at most so many characters, and no word such as "ok"."""
    return 0 < len(text) <= most and text.isprintable() and not is_confirmation(text)


def typed_job(turn: Turn) -> str:
    """Return the name of a job that was typed or filled in; empty where it is none, or says something else.

    Where it may be one, `Turn.refusal` then asks so.
    """
    text = name = turn.text
    if isinstance(turn.incoming.input, Said):
        is_other = _says_something(text)
        surely = _quoted(text) or ("" if is_other else named_job(text))
        name = surely or ("" if is_other else _called(text))
        if name and not surely and not _like_a_job(name):
            turn.unclear(
                f"Should the job be called “{name}”? Then type it in quotes. Otherwise, type another name, or `cancel`."
            )
            return ""
    return name if is_name(name, JOB_NAME_MAX_CHARS) else ""


def typed_table(turn: Turn) -> str:
    """Return the name of a new table that was typed or filled in; empty where it is none.

    A single word may be one of a sentence as well, so that `Turn.refusal` then says how a table is made of it.
    """
    text = name = turn.text
    if isinstance(turn.incoming.input, Said):
        called = _called(text)
        name = _quoted(text) or (called if _LIKE_A_NAME.fullmatch(called) else "")
        if not name and _WORD.fullmatch(text) and not _says_something(text):
            turn.unclear(f"There's no table “{text}” here. To make a new one, type: new table {text}")
            return ""
    name = unquoted(name)
    if is_name(name, TABLE_NAME_MAX_CHARS):
        return name
    turn.unclear(NO_TABLE_NAME)
    return ""


def told_table(text: str) -> str:
    """Return the word behind "new table", as people are told to type it; empty for anything else."""
    tokens = tokens_of(text)
    length = phrase_at("writing.new_table", tokens, 0)
    name = text[tokens[length - 1].end :].strip(" :") if length else ""
    return name if _WORD.fullmatch(name) and not _says_something(name) and not is_all("writing.trails", name) else ""


def _says_something(text: str) -> bool:
    return bool(is_answer(text) or is_question(text) or thanks(text) or greets(text))


def _quoted(text: str) -> str:
    """Return the one name that stands in quotes and is not denied; empty for anything else."""
    found = list(re.finditer(QUOTED, text))
    return unquoted(found[0][0]) if len(found) == 1 and not Sentence(text).is_denied(*found[0].span()) else ""


def _called(text: str) -> str:
    """Return a name without the words that lead to it, such as "call it" and "let's say", and without a "please"."""
    tokens = tokens_of(text)
    while length := phrase_at("writing.leads", tokens, 0):
        tokens = tokens[length:]
    whole = len(tokens)
    while tokens and is_all("writing.trails", tokens[-1].word):
        tokens = tokens[:-1]
    if not tokens:
        return text.strip(" .!")
    return text[tokens[0].begin : tokens[-1].end if len(tokens) < whole else len(text)].strip(" .!,")


def _like_a_job(name: str) -> bool:
    """Tell a name from a sentence: a few words with no mark between, none of which only a sentence has.

    A single small word may be anything, such as a misspelt "cancel".
    """
    tokens = tokens_of(name)
    if len(tokens) > JOB_NAME_MAX_WORDS or has_phrase("values.clause", name) or _CUT.search(name):
        return False
    return len(unknown_words(name)) > 0 and not (name.isalpha() and name.islower())
