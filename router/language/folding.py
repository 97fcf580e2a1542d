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


# Measures the letters by which two texts differ (Levenshtein's distance).


def within_one(one: str, other: str) -> bool:
    """Tell whether two texts differ by a letter at most: another, one more, one less, or two that changed places."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    swapped = one[at + 1 : at + 2] + one[at : at + 1] + one[at + 2 :]
    return one[at + 1 :] == other[at + 1 :] or swapped == other[at:]


def distance(one: str, other: str, most: int) -> int:
    """Return how many letters two texts differ by, up to `most` + 1, which stands for any number above.

    Levenshtein's distance, but for one pair of letters that changed places, which counts as one. A library would add
    30 milliseconds to every start, to do the same.
    """
    if one == other:
        return 0
    if within_one(one, other):
        return 1
    # Another letter takes one from the set of letters and adds one at most: most texts need no closer look.
    if most < 2 or abs(len(one) - len(other)) > most or len({*one} ^ {*other}) > 2 * most:
        return most + 1
    row = list(range(len(other) + 1))
    for n, a in enumerate(one, 1):
        above, row = row, [n]
        for m, b in enumerate(other, 1):
            row.append(min(above[m] + 1, row[m - 1] + 1, above[m - 1] + (a != b)))
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
