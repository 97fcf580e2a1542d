"""Names that people type for new tables and jobs: a question, thanks, or a word of a sentence is none."""

import re
from difflib import get_close_matches
from typing import Final

from router.policy import writable
from router.turn import Said, Turn
from router.understanding.button_words import greets, is_answer, is_confirmation, waits
from router.understanding.kinds import is_question
from router.understanding.parameters.corrections import writing_correction
from router.understanding.parameters.sentence import NOT_A_NAME, NOT_IN_NAMES, unquoted
from router.understanding.schedule_wishes import schedule_wish_of
from router.understanding.short_wishes import agrees, thanks

JOB_NAME_MAX_CHARS, TABLE_NAME_MAX_CHARS = 80, 128

NO_JOB_NAME: Final = f"A job's name is one line of at most {JOB_NAME_MAX_CHARS} characters."
NO_TABLE_NAME: Final = "That can't be a table's name. Type one such as `orders_2026`, or put it in quotes."

_LIKE_A_NAME = re.compile(r"[^\W\d][\w$#-]*[\d_$#][\w$#-]*|([\"`“„]).+[\"`”“]")
_CALLED = re.compile(
    r"(?:(?:please|so|well|hm+|maybe|perhaps|then|just|i would say|i(?:'d| would) (?:call|name) it|something like"
    r"|let(?:'?s| us) (?:say|go with|take|use|call it|name it)|how about|what about|(?:the |this )?(?:job"
    r"|name),? (?:is|=)"
    r"|(?:it|the (?:job|name)) (?:is|should be|shall be|can be)(?: called| named)?"
    r"|(?:a |the )?(?:new )?(?:table|job|name)?,? ?(?:call|name)(?:e?d)?"
    r"(?: (?:it|this|the job|the table))?|it'?s|take|use|create|make|(?:its|the) name (?:is|should be|shall be)"
    r"|nenn\w*(?: (?:es|ihn|sie|die tabelle|den job))?|nimm|heißt|namens|name:?|job:?|leg\w* (?:\w+ )?an"
    r"|eine? neue tabelle"
    r"|appel\w+(?:[- ]l[ea])?|nomm\w+(?:[- ]l[ea])?|crée|prends|une (?:nouvelle )?table"
    r"|llámal[oa]|ponle|crea|(?:que )?se llame|nómbral[oa]|(?:una |la )?(?:nueva )?tabla(?: nueva)?(?: que)?)"
    r"[,:]?\s+)+",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"(?:[,.]?\s*(?:please|pls|bitte|danke|thanks|thx|s'il (?:te|vous) plaît|svp|por favor|would (?:do"
    r"|be (?:good|fine))"
    r"|(?:is|sounds) (?:fine|good)|then|maybe|vielleicht))+[.!]*$",
    re.IGNORECASE,
)
_CALLED_BEHIND = re.compile(
    r"(?:(?:der|den|die|das) )?(?:job|name)?\s*(?:soll|könnte|nenn\w* wir|bitte)?\s*(?P<name>.+?) (?:heißen"
    r"|nennen)[.!]*",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?<!\w)[\"`“„«']([^\"`”“»']+)[\"`”“»']")
_WORD = re.compile(r"[^\W\d][\w-]*")


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
    quoted = _QUOTED.findall(text)
    if (len(quoted) == 1 and not _REFUSED.search(text)) or (named := writing_correction(text, {}).name):
        name = quoted[0] if len(quoted) == 1 else named
        return name if is_name(name, JOB_NAME_MAX_CHARS) else ""
    name = _named(text)
    if not is_name(name, JOB_NAME_MAX_CHARS) or is_answer(text) or is_question(text) or thanks(text) or greets(text):
        return ""
    called = name != _BEHIND.sub("", text).strip(" .!")
    if not called and (writing_correction(text, {}) or schedule_wish_of(text, asked=True)):
        return ""
    if "@" in name or waits(name):
        return ""
    if _like_a_job(name):
        return name
    turn.unclear(
        f"Should the job be called “{name}”? Then type it in quotes. Otherwise, type another name, or `cancel`."
    )
    return ""


_REFUSED = re.compile(r"\b(?:not|nicht|pas|no|instead of|statt)\b.*[\"“„«`]", re.IGNORECASE)
_DENIES = re.compile(r"(?:no|without|ohne|keine?n?|sans|sin)\b", re.IGNORECASE)
_CUT = re.compile(r"[,;!?@\n]|\.\s|:\s")
_COMMANDS = (
    *("cancel", "abort", "return", "finish", "append", "overwrite", "abbrechen", "zurück", "weiter"),
    *("annuler", "retour", "cancelar", "atrás"),
)
JOB_NAME_MAX_WORDS: Final = 7


def _like_a_job(name: str) -> bool:
    """Tell a name from a sentence: a few words with no mark between, none of which only a sentence has."""
    words = re.findall(r"[^\W_][\w'’-]*", name.casefold().replace("’", "'"))
    told = any(word in NOT_IN_NAMES for word in words) or _DENIES.match(name) or _CUT.search(name)
    misspelt = len(words) == 1 and bool(get_close_matches(words[0], _COMMANDS, 1, 0.8))
    names = any(word not in NOT_A_NAME for word in words)
    return names and not told and not misspelt and len(words) <= JOB_NAME_MAX_WORDS


_NEW_TABLE = re.compile(
    r"(?:new table|neue tabelle|nouvelle table|nueva tabla|tabla nueva):? ([^\W\d][\w$#-]*)", re.IGNORECASE
)
"""The way to name a new table that people are told; any word may be its name."""


def typed_table(turn: Turn) -> str:
    """Return the name of a new table that was typed or filled in; empty where it is none.

    A single word may be one of a sentence as well, so that `Turn.refusal` then says how a table is made of it.
    """
    text, said = turn.text, isinstance(turn.incoming.input, Said)
    if said and (new := _NEW_TABLE.fullmatch(text)) and not (is_answer(new[1]) or thanks(new[1])):
        text = new[1]
    elif said and (named := writing_correction(text, labels_of(turn)).table):
        text = named
    elif said and _LIKE_A_NAME.fullmatch(called := _named(text)):
        text = called
    elif said and not _LIKE_A_NAME.fullmatch(text):
        word = _WORD.fullmatch(text) and not (is_answer(text) or agrees(text) or thanks(text))
        turn.unclear(
            f"There's no table “{text}” here. To make a new one, type: new table {text}" if word else NO_TABLE_NAME
        )
        return ""
    name = unquoted(text)
    if not is_name(name, TABLE_NAME_MAX_CHARS):
        turn.unclear(NO_TABLE_NAME)
        return ""
    return name


def _named(text: str) -> str:
    """Return a name without the words around it, such as "call it", "let's say" and "please"."""
    behind = _CALLED_BEHIND.fullmatch(text)
    called = _CALLED.match(text)
    name = behind["name"] if behind else text[called.end() :] if called else text
    return _BEHIND.sub("", name).strip(" .!")


def labels_of(turn: Turn) -> dict[str, str]:
    """Return the labels of the databases that the person may write to, by name."""
    return {connection.name: connection.label for connection in writable(turn.services.connections, turn.owner)}
