"""Names that people type for new tables and jobs: a question, thanks, or a word of a sentence is none."""

import re
from typing import Final

from router.policy import writable
from router.turn import Said, Turn
from router.understanding.button_words import CONFIRMATIONS, folded, means_button
from router.understanding.kinds import asks_clearly
from router.understanding.parameters.corrections import writing_correction
from router.understanding.parameters.sentence import unquoted
from router.understanding.short_wishes import agrees, thanks

JOB_NAME_MAX_CHARS, TABLE_NAME_MAX_CHARS = 80, 128

NO_JOB_NAME: Final = f"That is no name for a job. It needs one line of at most {JOB_NAME_MAX_CHARS} characters."
NO_TABLE_NAME: Final = "That is no name for a table. Type one such as `orders_2026`, or in quotes."

_LIKE_A_NAME = re.compile(r"[^\W\d][\w$#-]*[\d_$#][\w$#-]*|([\"`“„]).+[\"`”“]")
_WORD = re.compile(r"[^\W\d][\w-]*")


def is_name(text: str, most: int) -> bool:
    """Tell whether a text may name something: one line of at most so many characters, and no word such as "ok"."""
    return 0 < len(text) <= most and text.isprintable() and folded(text) not in CONFIRMATIONS


def typed_job(turn: Turn) -> str:
    """Return the name of a job that was typed or filled in; empty where it is none, or says something else."""
    text, said = turn.text, isinstance(turn.incoming.input, Said)
    if said and (named := writing_correction(text, {}).name):
        text = named
    elif said and (means_button(text) or asks_clearly(text) or text.endswith("?") or thanks(text)):
        return ""
    return text if is_name(text, JOB_NAME_MAX_CHARS) else ""


def typed_table(turn: Turn) -> str:
    """Return the name of a new table that was typed or filled in; empty where it is none.

    A single word may be one of a sentence as well, so that `Turn.refusal` then says how a table is made of it.
    """
    text, said = turn.text, isinstance(turn.incoming.input, Said)
    if said and (named := writing_correction(text, labels_of(turn)).table):
        text = named
    elif said and not _LIKE_A_NAME.fullmatch(text):
        word = _WORD.fullmatch(text) and not (means_button(text) or agrees(text) or thanks(text))
        turn.unclear(
            f"There is no table “{text}” here. To make a new one, type: new table {text}" if word else NO_TABLE_NAME
        )
        return ""
    name = unquoted(text)
    if not is_name(name, TABLE_NAME_MAX_CHARS):
        turn.unclear(NO_TABLE_NAME)
        return ""
    return name


def labels_of(turn: Turn) -> dict[str, str]:
    """Return the labels of the databases that the person may write to, by name."""
    return {connection.name: connection.label for connection in writable(turn.services.connections, turn.owner)}
