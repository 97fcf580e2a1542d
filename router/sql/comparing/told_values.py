"""Values of a difference as brief texts: two that differ are written so that a person sees by what."""

from typing import Any
from unicodedata import category, name, normalize

from router.language.wording import truncate
from router.sql.cell_text import number, plain

SHOWN_VALUE_MAX_CHARS = 200
_BEFORE_CHARS = 40
"""So much is shown before the first letter that differs, where that is far from the beginning."""

_CHARACTER_NAMES = {" ": "␣", "\t": "⟨tab⟩", "\n": "⟨line feed⟩", "\r": "⟨carriage return⟩"}

_TWINS = str.maketrans("АВЕКМНОРСТХаеорсухіΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTXaeopcyxiABEZHIKMNOPTYXo")
"""Letters of other alphabets that look like those of the Latin one."""


def brief(value: Any) -> str | None:
    """Return a value as a text of at most 200 characters; None for NULL."""
    return None if value is None else truncate(_text(value), SHOWN_VALUE_MAX_CHARS)


def told_apart(left: Any, right: Any) -> tuple[str | None, str | None]:
    """Return two different values as brief texts in which one sees that they differ, with names in ⟨…⟩ if need be."""
    if left is None or right is None:
        return _beside_null(left), _beside_null(right)
    mine, its = _text(left), _text(right)
    if mine == its:
        mine, its = plain(left), plain(right)
    if mine == its:
        mine, its = f"{mine} ({type(left).__name__})", f"{its} ({type(right).__name__})"
    start = _common_prefix_chars(mine, its)
    if start > SHOWN_VALUE_MAX_CHARS - _BEFORE_CHARS:
        mine, its = f"…{mine[start - _BEFORE_CHARS :]}", f"…{its[start - _BEFORE_CHARS :]}"
    mine, its = truncate(mine, SHOWN_VALUE_MAX_CHARS), truncate(its, SHOWN_VALUE_MAX_CHARS)
    return _with_names(mine, its) if _looks(mine) == _looks(its) else (mine, its)


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


def _with_names(mine: str, its: str) -> tuple[str, str]:
    """Return two texts with names for the letters in which they differ that are not seen, or taken for others."""
    start = _common_prefix_chars(mine, its)
    end = _common_prefix_chars(mine[start:][::-1], its[start:][::-1])
    both = ((text[:start], text[start : len(text) - end], text[len(text) - end :]) for text in (mine, its))
    first, second = (before + "".join(map(_letter, middle)) + behind for before, middle, behind in both)
    return first, second


def _common_prefix_chars(one: str, other: str) -> int:
    """Return how many letters at the beginning are the same."""
    both = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, its) in both if mine != its), min(len(one), len(other)))


def _letter(letter: str) -> str:
    if letter in _CHARACTER_NAMES:
        return _CHARACTER_NAMES[letter]
    if category(letter)[0] in "MCZ" or letter.translate(_TWINS) != letter:
        return f"⟨{name(letter, f'U+{ord(letter):04X}').lower()}⟩"
    return letter
