"""Reads which of several offered things a sentence means: "the second one", "2", its label, or none of them."""

import re
from collections.abc import Sequence
from typing import Final

from router.language.phrases import has_phrase, says_only, tokens_of, unlisted
from router.understanding.business_words import known_in, meanings_of

NONE_OF_THESE: Final = -1

MEANT_MAX_WORDS: Final = 6
"""Words of a message that may mean a label in other words, as in another language."""

BEGINNING_MIN: Final = 3
"""The least letters of a word that stand for a longer one."""

NUMBER_MAX_DIGITS: Final = 4
"""Digits of a number that may be a place."""

_BESIDE: Final = ("choices.beside", "courtesy.please", "courtesy.thanks")
_ORDINALS: Final = ("choices.1", "choices.2", "choices.3", "choices.4", "choices.5")


def choice_in(text: str, labels: Sequence[str]) -> int | None:
    """Return the place of the label that a sentence means, NONE_OF_THESE, or None if it says neither."""
    found = named_by(text, [(label,) for label in labels])
    if len(found) == 1:
        return found[0]
    if says_only(text, ("choices.none",), _BESIDE):
        return NONE_OF_THESE
    said = known_in(meanings_of(text))
    short = (
        len(text.split()) <= MEANT_MAX_WORDS and not re.search(r"\d", text) and not has_phrase("denial.before", text)
    )
    fit = [place for place, label in enumerate(labels) if short and said and said <= meanings_of(label)]
    return fit[0] if len(fit) == 1 else None


def place_named(text: str, count: int) -> int | None:
    """Return the place, of so many, that a text names by its number or an ordinal; None for anything else."""
    if (rest := _distinctive_words(text)) and rest[0].isdigit():
        if re.search(rf"-\d|\d{{{NUMBER_MAX_DIGITS + 1}}}", text):
            return None  # less than none, or more than anything has
        return int(rest[0]) - 1 if len(rest) == 1 and 0 < int(rest[0]) <= count else None
    places = [*enumerate(_ORDINALS[:count]), (count - 1, "choices.last")]
    if count == 2:  # the first is what one would press
        places.append((1, "choices.other"))
    return next((place for place, kind in places if count and says_only(text, (kind,), _BESIDE)), None)


def named_by(text: str, called: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the places of the things, each called by several names, that a text can only mean; several if in doubt.

    A thing is meant by one of its names, by its place, or by words that are all in its names: "the sample one".
    """
    plain = [{_plain(name) for name in names} for names in called]
    for said in (_plain(text), " ".join(_distinctive_words(text))):
        if exact := tuple(place for place, names in enumerate(plain) if said and said in names):
            return exact
    place = place_named(text, len(called))
    return (place,) if place is not None else fitting(_distinctive_words(text), called)


def fitting(words: Sequence[str], called: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the places of the things whose names have all of the words, or words that begin with these."""
    names = [_plain(" ".join(each)).split() for each in called]
    fit = [place for place, each in enumerate(names) if words and all(_is_in(word, each) for word in words)]
    return tuple([place for place in fit if set(words) <= set(names[place])] or fit)


def _is_in(word: str, names: Sequence[str]) -> bool:
    """Return whether a word is one of a name, or begins one."""
    return word in names or (len(word) >= BEGINNING_MIN and any(name.startswith(word) for name in names))


def _distinctive_words(text: str) -> list[str]:
    """Return the words of a text but for those that stand around a choice: "let's take the first one, please"."""
    return [token.word for token in unlisted(tokens_of(text), *_BESIDE)]


def _plain(text: str) -> str:
    return " ".join(token.word for token in tokens_of(text))
