"""Names that people give to new tables and jobs."""

import re
from typing import Final

from router.understanding.button_words import is_confirmation
from router.understanding.values.sentence import unquoted

JOB_NAME_MAX_CHARS, TABLE_NAME_MAX_CHARS = 80, 128

NO_JOB_NAME: Final = f"A job's name is one line of at most {JOB_NAME_MAX_CHARS} characters."
NO_TABLE_NAME: Final = "That can't be a table's name. Type one such as `orders_2026`, or put it in quotes."

_LIKE_A_NAME: Final = re.compile(r"[^\W\d][\w$#-]*[\d_$#][\w$#-]*")


def is_name(text: str, most: int) -> bool:
    """Return whether a text may name something: one line of at most so many characters, and no word such as "ok"."""
    return 0 < len(text) <= most and text.isprintable() and not is_confirmation(text)


def typed_table(text: str) -> str:
    """Return the name that stands alone in quotes, or that no word of a sentence can be; empty for any other text."""
    name = unquoted(text)
    return name if (name != text or _LIKE_A_NAME.fullmatch(text)) and is_name(name, TABLE_NAME_MAX_CHARS) else ""
