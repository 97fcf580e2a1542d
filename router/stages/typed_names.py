"""Names that people type for new tables and jobs: a question, thanks, or a word of a sentence is none."""

import re
from typing import Final

from router.policy import writable
from router.turn import Said, Turn
from router.understanding.button_words import CONFIRMATIONS, folded, is_answer
from router.understanding.kinds import is_question
from router.understanding.parameters.corrections import writing_correction
from router.understanding.parameters.sentence import unquoted
from router.understanding.schedule_wishes import schedule_wish_of
from router.understanding.short_wishes import agrees, thanks

JOB_NAME_MAX_CHARS, TABLE_NAME_MAX_CHARS = 80, 128

NO_JOB_NAME: Final = f"That is no name for a job. It needs one line of at most {JOB_NAME_MAX_CHARS} characters."
NO_TABLE_NAME: Final = "That is no name for a table. Type one such as `orders_2026`, or in quotes."

_LIKE_A_NAME = re.compile(r"[^\W\d][\w$#-]*[\d_$#][\w$#-]*|([\"`“„]).+[\"`”“]")
_CALLED = re.compile(
    r"^(?:(?:please|so|well|hm+|maybe|perhaps|then|just|i would say|i'd say|let'?s (?:say|go with|take|use|call it)"
    r"|something like|how about|what about|(?:a |the )?(?:new )?(?:table|job|name)?,? ?(?:call|name)(?:e?d)?"
    r"(?: (?:it|this|the job|the table))?|it'?s|take|use|create|make|(?:its|the) name (?:is|should be|shall be)"
    r"|nenn\w*(?: (?:es|ihn|sie|die tabelle))?|nimm|heißt|namens|name:?|leg\w* (?:\w+ )?an|eine? neue tabelle"
    r"|appelle(?:z)?(?:[- ]l[ea])?|nomme(?:z)?(?:[- ]l[ea])?|crée|prends|une (?:nouvelle )?table"
    r"|llámal[oa]|ponle|crea|(?:que )?se llame|nómbral[oa]|(?:una |la )?(?:nueva )?tabla(?: nueva)?(?: que)?)"
    r"[,:]?\s+)+",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?<!\w)[\"`“„«']([^\"`”“»']+)[\"`”“»']")
_WORD = re.compile(r"[^\W\d][\w-]*")
_SAYS_SOMETHING = re.compile(
    r"\b(?:i|it|is|are|not|you|we|don'?t|do not|doesn'?t|can'?t|same as|nothing|none|no name|need|want|whatever|skip"
    r"|without|ich|du|wir|nicht|kein\w*|egal|gleich wie|wie die|tu|nous|pas|aucun|comme la|yo|tú|no|ningún|igual que"
    r"|nada)\b",
    re.IGNORECASE,
)
"""Words of a sentence about the name, or about something else, that no name of a job has."""


def is_name(text: str, most: int) -> bool:
    """Tell whether a text may name something: one line of at most so many characters, and no word such as "ok"."""
    return 0 < len(text) <= most and text.isprintable() and folded(text) not in CONFIRMATIONS


def typed_job(turn: Turn) -> str:
    """Return the name of a job that was typed or filled in; empty where it is none, or says something else."""
    text, said = turn.text, isinstance(turn.incoming.input, Said)
    if said and (named := writing_correction(text, {}).name):
        text = named
    elif said and (quoted := _QUOTED.findall(text)) and len(quoted) == 1:
        text = quoted[0]
    elif (said and (is_answer(text) or is_question(text) or thanks(text) or _SAYS_SOMETHING.search(_named(text)))) or (
        said and (writing_correction(text, {}).mode or schedule_wish_of(text, asked=True))
    ):
        return ""
    elif said:
        text = _named(text)
    return text if is_name(text, JOB_NAME_MAX_CHARS) else ""


def typed_table(turn: Turn) -> str:
    """Return the name of a new table that was typed or filled in; empty where it is none.

    A single word may be one of a sentence as well, so that `Turn.refusal` then says how a table is made of it.
    """
    text, said = turn.text, isinstance(turn.incoming.input, Said)
    if said and (named := writing_correction(text, labels_of(turn)).table):
        text = named
    elif said and _LIKE_A_NAME.fullmatch(called := _named(text)):
        text = called
    elif said and not _LIKE_A_NAME.fullmatch(text):
        word = _WORD.fullmatch(text) and not (is_answer(text) or agrees(text) or thanks(text))
        turn.unclear(
            f"There is no table “{text}” here. To make a new one, type: new table {text}" if word else NO_TABLE_NAME
        )
        return ""
    name = unquoted(text)
    if not is_name(name, TABLE_NAME_MAX_CHARS):
        turn.unclear(NO_TABLE_NAME)
        return ""
    return name


def _named(text: str) -> str:
    """Return a name without the words before it, such as "call it" and "let's say"."""
    return _CALLED.sub("", text, count=1).strip(" .!")


def labels_of(turn: Turn) -> dict[str, str]:
    """Return the labels of the databases that the person may write to, by name."""
    return {connection.name: connection.label for connection in writable(turn.services.connections, turn.owner)}
