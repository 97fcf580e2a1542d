"""Names that people type for new tables and jobs: a question, thanks, or a word of a sentence is none."""

import re
from difflib import get_close_matches
from typing import Final

from router.language.phrases import find_phrases, is_all, listed, phrase_at, tokens_of
from router.turn import Said, Turn
from router.understanding.button_words import greets, is_answer, is_confirmation, waits
from router.understanding.kinds import is_question
from router.understanding.short_wishes import thanks
from router.understanding.values.forms import find_job, write_patch
from router.understanding.values.sentence import QUOTED, Sentence, unquoted

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
    text = turn.text
    if not isinstance(turn.incoming.input, Said):
        return text if is_name(text, JOB_NAME_MAX_CHARS) else ""
    quoted = _quoted(text)
    if not quoted and _says_something(text):
        return ""
    if surely := quoted or find_job(Sentence(text)):
        return surely if is_name(surely, JOB_NAME_MAX_CHARS) else ""
    name = _called(text)
    if not is_name(name, JOB_NAME_MAX_CHARS) or waits(name) or "@" in name:
        return ""
    if _like_a_job(name):
        return name
    turn.unclear(
        f"Should the job be called “{name}”? Then type it in quotes. Otherwise, type another name, or `cancel`."
    )
    return ""


def told_table(text: str) -> str:
    """Return the name behind "new table", as people are told to type it; empty for anything else."""
    tokens = tokens_of(text)
    length = phrase_at("writing.new_table", tokens, 0)
    name = text[tokens[length - 1].end :].strip(" :") if length else ""
    word = re.fullmatch(r"[^\W\d][\w$#-]*", name) and not (is_answer(name) or thanks(name))
    return name if word and not is_all("writing.trails", name) else ""


def typed_table(turn: Turn) -> str:
    """Return the name of a new table that was typed or filled in; empty where it is none.

    A single word may be one of a sentence as well, so that `Turn.refusal` then says how a table is made of it.
    """
    text, name = turn.text, turn.text
    if isinstance(turn.incoming.input, Said):
        called = _called(text)
        says = _says_something(text)
        name = _quoted(text) or (
            called if _LIKE_A_NAME.fullmatch(called) else "" if says else write_patch(text, {}).table
        )
        if not name:
            word = _WORD.fullmatch(text) and not says
            turn.unclear(
                f"There's no table “{text}” here. To make a new one, type: new table {text}" if word else NO_TABLE_NAME
            )
            return ""
    name = unquoted(name)
    if not is_name(name, TABLE_NAME_MAX_CHARS):
        turn.unclear(NO_TABLE_NAME)
        return ""
    return name


def _says_something(text: str) -> bool:
    return bool(is_answer(text) or is_question(text) or thanks(text) or greets(text))


def _quoted(text: str) -> str:
    """Return the one name that stands in quotes and is not denied; empty for anything else."""
    found = list(re.finditer(QUOTED, text))
    return unquoted(found[0][0]) if len(found) == 1 and not Sentence(text).is_denied(*found[0].span()) else ""


def _called(text: str) -> str:
    """Return a name without the words that lead to it, such as "call it" and "let's say", and without a "please"."""
    tokens, begin = tokens_of(text), 0
    while begin < len(tokens) and (length := phrase_at("writing.leads", tokens, begin)):
        begin += length
    end = len(tokens)
    while end > begin and is_all("writing.trails", tokens[end - 1].word):
        end -= 1
    if begin >= end:
        return text.strip(" .!")
    return text[tokens[begin].begin : tokens[end - 1].end if end < len(tokens) else len(text)].strip(" .!,")


def _like_a_job(name: str) -> bool:
    """Tell a name from a sentence: a few words with no mark between, none of which only a sentence has."""
    tokens = tokens_of(name)
    named = any(not is_all("values.plain", each.word) for each in tokens)
    told = bool(find_phrases("values.clause", tokens)) or bool(_CUT.search(name))
    misspelt = len(tokens) == 1 and bool(get_close_matches(tokens[0].word, listed("values.clause"), 1, 0.8))
    return named and len(tokens) <= JOB_NAME_MAX_WORDS and not told and not misspelt
