"""Singular, plural and stem of English words, as far as spelling tells.

No library: the Snowball stemmer takes "ordering" for "orders" and adds 110 milliseconds to every start, `inflect` adds
1,400; what is looked for here is the number of a noun, and seldom more.
"""

import re
from functools import lru_cache

from router.language.phrases import listed

_IRREGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman"}
_SAME_IN_PLURAL = frozenset({"series", "species", "news", "data"})
"""One and several of them are one word."""
_ENDINGS = (
    (re.compile(r"(?:mov|cook|calor|rook|selfi|zomb)ies$"), 1),
    (re.compile(r"(?:(?<![a-z])b|[tnprs])uses$"), 2),  # buses, statuses, bonuses; houses and causes end in e
    (re.compile(r"(?:ss|x|tz|ch|sh)es$"), 2),
)
"""Endings of plurals, and how many letters are too many there."""

_DERIVED_ENDING = re.compile(r"(?:ations?|ments?|ings?|ions?|ers?|ors?|ed|es?|al)$")


def singular(word: str) -> str:
    """Return one of what a word speaks of, in its case: "address" of "addresses", "category" of "categories"."""
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if (
        not low.endswith("s")
        or len(low) < 3
        or low in _SAME_IN_PLURAL
        or low in listed("inflection.no_plural")
        or low.endswith(("ss", "us", "is"))
    ):
        return word
    for ending, letters in _ENDINGS:
        if ending.search(low):
            return word[:-letters]
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + ("Y" if word[-1] == "S" else "y")
    return word[:-1]


def plural(word: str) -> str:
    """Return several of what a word speaks of; a word that is a plural already stays as it is."""
    low = word.lower()
    if low in _SAME_IN_PLURAL or singular(word) != word:
        return word
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if low.endswith(("s", "x", "z", "ch", "sh")) else "s")


@lru_cache(20_000)
def stem(word: str) -> str:
    """Return what a word shares with its plural, in lower case, as words are compared."""
    return singular(word.lower())


@lru_cache(20_000)
def word_family(word: str) -> str:
    """Return what a stem shares with the words made of it: shipped, shipping and shipment; a short one stays."""
    cut = _DERIVED_ENDING.sub("", word)
    cut = cut[:-1] if len(cut) > 4 and cut[-1] == cut[-2] else cut
    return cut if len(cut) > 3 else word


def other_number(key: str) -> tuple[str, ...]:
    """Return a folded word in the other number: "river" for "rivers", and the ways to write several of a river."""
    one = stem(key)
    if one != key:
        return (one,)
    several = plural(key)
    return (several, key + "es") if several == key + "s" else (key + "s", several)
