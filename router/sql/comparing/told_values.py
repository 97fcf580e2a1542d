"""Values of a difference as brief texts: two that differ are written so that a person sees by what."""

from typing import Any
from unicodedata import category, normalize

from router.language.wording import truncate
from router.sql.cell_text import number, plain

SHOWN_VALUE_MAX_CHARS = 200
_BEFORE_CHARS = 40
"""So much is shown before the first letter that differs, if that is far from the beginning."""

_TWINS = str.maketrans("АВЕКМНОРСТХаеорсухіΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTXaeopcyxiABEZHIKMNOPTYXo")
"""Letters of other alphabets that look like those of the Latin one."""


def brief(value: Any) -> str | None:
    """Return a value as a text of at most 200 characters; None for NULL."""
    return None if value is None else truncate(_text(value), SHOWN_VALUE_MAX_CHARS)


def told_apart(left: Any, right: Any) -> tuple[str | None, str | None]:
    """Return two different values as brief texts in which one sees that they differ, by escapes if need be."""
    if left is None or right is None:
        return _beside_null(left), _beside_null(right)
    mine, its = _text(left), _text(right)
    if mine == its:
        mine, its = plain(left), plain(right)
    if mine == its:
        mine, its = f"{mine} ({type(left).__name__})", f"{its} ({type(right).__name__})"
    both = enumerate(zip(mine, its, strict=False))
    start = next((place for place, (here, there) in both if here != there), min(len(mine), len(its)))
    if start > SHOWN_VALUE_MAX_CHARS - _BEFORE_CHARS:
        mine, its = f"…{mine[start - _BEFORE_CHARS :]}", f"…{its[start - _BEFORE_CHARS :]}"
    mine, its = truncate(mine, SHOWN_VALUE_MAX_CHARS), truncate(its, SHOWN_VALUE_MAX_CHARS)
    for write in (str, _with_blanks, ascii):
        if _looks(write(mine)) != _looks(write(its)):
            return write(mine), write(its)
    return mine, its


def _text(value: Any) -> str:
    """Return a value's text: bytes in hexadecimal digits, a float rounded to what a person reads."""
    if isinstance(value, bytes | bytearray | memoryview):
        return f"0x{bytes(value).hex()}"
    return number(value) if isinstance(value, float) else plain(value)


def _beside_null(value: Any) -> str | None:
    """Return a value that stands beside no value, so that it is not taken for one too."""
    text = brief(value)
    if text is not None and not text.strip():
        return "(empty text)"
    return "“NULL”" if text == "NULL" else text


def _looks(text: str) -> str:
    """Return what is to be seen of a text."""
    spaced = "".join(" " if letter.isspace() else letter for letter in normalize("NFC", text.translate(_TWINS)))
    return " ".join("".join(letter for letter in spaced if category(letter) not in ("Cf", "Cc")).split())


def _with_blanks(text: str) -> str:
    """Return a text in which blanks, and letters that are none, are seen: "open␣", "a\\tb"."""
    return repr(text)[1:-1].replace(" ", "␣")
