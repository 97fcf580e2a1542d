"""Texts without what people leave out when they type: case, accents, hyphens, blanks.

Four strengths: `caseless` keeps the accents, `without_accents` the case, `unaccented` the punctuation, and `fold`
letters and digits alone.
"""

import unicodedata

_NOT_LETTERS = {code: None for code in range(128) if not chr(code).isalnum()}
_BARE = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "þ": "th", "ħ": "h"})
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


def caseless(text: str) -> str:
    """Return the text without case, on one line with single blanks."""
    return " ".join(text.casefold().split())


def without_accents(text: str) -> str:
    """Return the text without the accents of its letters: "Málaga" is "Malaga"; letters such as ø stay."""
    if text.isascii():
        return text
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", bare)  # the letters of some scripts were taken apart, too


def unaccented(text: str) -> str:
    """Return the text in lower case, on one line with single blanks, without accents, and with straight apostrophes."""
    return " ".join(without_accents(text.replace("’", "'")).lower().split())


def fold(text: str) -> str:
    """Return the letters and digits of a text, without case and accents: "Saint-Étienne" is "saintetienne"."""
    if text.isascii():
        return text.lower().translate(_NOT_LETTERS)
    bare = unicodedata.normalize("NFKD", text).casefold().translate(_BARE)
    return "".join(char for char in unicodedata.normalize("NFKD", bare).casefold() if char.isalnum())


def folds(text: str) -> tuple[str, ...]:
    """Return the ways in which a text may be typed: "Müller" is "muller", and "mueller" as well."""
    plain = fold(text)
    if text.isascii():
        return (plain,)
    spelt = fold(unicodedata.normalize("NFC", text.casefold()).translate(_SPELT_OUT))
    return (plain,) if spelt == plain else (plain, spelt)
