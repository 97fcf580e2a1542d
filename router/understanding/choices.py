"""Reads which of several offered things a sentence means: "the second one", "2", its label, or none of them."""

import re
from collections.abc import Sequence
from typing import Final

from router.language.folding import unaccented, without_accents
from router.language.wording import WORD
from router.understanding.business_words import known_in, meanings_of

NONE_OF_THESE: Final = -1

LIKENESS_MAX_WORDS: Final = 6
"""Words of a message that may stand for a label without being it, but for small ones."""

LETTERS_MIN: Final = 2
"""A word that is not known and has no more letters tells nothing."""

_DENIES = re.compile(
    r"\b(?:not|no|nor|but|except|without|both|all|and|or|nicht|kein\w*|aber|beide|und|oder|pas|mais|sauf|les deux|et|ou"
    r"|pero|ambos|y|o)\b|\d|\?"
)
_SMALL_WORDS = frozenset(
    """
    the one that this these thing its mean meant want please course ofc per with for from our you are was ist der die
    das den dem bitte pro les des une aux svp una los las est del por nach bei sur par ones kind version question frage
    option
    """.split()  # noqa: SIM905 — a list of words is read as words
)
_NAMES_NOTHING = _SMALL_WORDS | frozenset(
    """
    a an and of in on at to use take choose pick go run ask it s i d ll m like let us yes ok okay no database db
    databases would datenbank base donnees datos bitte und die im am zu auf nimm y et la le l el en de dans sur
    """.split()  # noqa: SIM905 — a list of words is read as words
)
"""Words that tell nothing beside a part of a name."""

BEGINNING_MIN: Final = 3
"""The least letters of a word that stand for a longer one."""

_ORDINALS = (
    r"first|1st|erste[rns]?|premi[eè]re?|primer[oa]?",
    r"second|2nd|zweite[rns]?|deuxieme|seconde?|segund[oa]",
    r"third|3rd|dritte[rns]?|troisieme|tercer[oa]?",
    r"fourth|4th|vierte[rns]?|quatrieme|cuart[oa]",
    r"fifth|5th|funfte[rns]?|cinquieme|quint[oa]",
)
_CARDINALS = ("one|eins|un|uno", "two|zwei|deux|dos", "three|drei|trois|tres", "four|vier|quatre", "five|funf|cinq")
_AROUND = (
    r"(?:(?:i|we|you) (?:mean|meant|want|take|would take|choose|pick|think)|i'?(?:ll|d|m) (?:take|like|say"
    r"|going with)|take"
    r"|use|choose|pick|it'?s|go (?:with|for)|let'?s (?:do|take|go with|see)|(?:show|give) me|maybe|probably|rather"
    r"|just|then"
    r"|the|der|die|das|den|ich (?:meine?|meinte|nehme|mochte|will)|nimm|gib mir|zeig mir|dann|lieber|eher|wohl|le|la"
    r"|l'|el"
    r"|lo|les|prends|je (?:veux|prends|voudrais|pense a)|plutot|donne-moi|toma|quiero|dame|me quedo con|mejor|creo que"
    r"|number|option|no\.?|nr\.?|nummer|numero|opcion|#|please|bitte|ja|yes|ok|oui|si)"
)
_BEHIND = (
    r"(?:one|option|choice|answer|please|pls|thanks|of (?:them|these|those)|then|i (?:think|guess)|is (?:fine|right"
    r"|good|it)"
    r"|would do|bitte|danke|passt|svp|merci|por favor|gracias|davon|opcion|[,.;!])"
)
_NONE = re.compile(
    r"(?:no,? )?(?:none|neither|nothing|not any|no one|nope|no|nein|non|something else|anything else|other|another"
    r"|kein\w*|nichts|weder noch|was anderes|etwas anderes|aucune?|ni l'un ni l'autre|autre chose"
    r"|ningun[oa]?|nada|otra cosa)"
    r"(?: (?:of (?:them|these|those|the above)|one|davon|von (?:beiden|diesen)|d'entre eux|de (?:estos|ellos)))?"
    r"(?:,? (?:thanks|thank you|please|sorry|danke|merci|gracias))?",
)


def choice_in(text: str, labels: Sequence[str]) -> int | None:
    """Return the place of the label that a sentence means, NONE_OF_THESE, or None where it says neither."""
    typed = _plain(text)
    plain = [_plain(label) for label in labels]
    if typed in plain:
        return plain.index(typed)
    bare = _bare(typed)
    if bare in plain:
        return plain.index(bare)
    if (place := _place_of(bare, len(labels))) is not None:
        return place
    if re.fullmatch(r"other|andere[rns]?|autre|otr[oa]", bare) and len(labels) == 2 and typed != bare:
        return 1
    if _NONE.fullmatch(typed):
        return NONE_OF_THESE
    named = [
        place for place, label in enumerate(plain) if len(bare) > 2 and re.search(rf"\b{re.escape(bare)}\b", label)
    ]
    return named[0] if len(named) == 1 else _likest(bare, plain)


def place_named(text: str, count: int) -> int | None:
    """Return the place, of so many, that a text names by its number or an ordinal; None for anything else."""
    return _place_of(_bare(_plain(text)), count)


def named_by(text: str, called: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the places of the things, each called by several names, that a text can only mean; several where in doubt.

    A thing is meant by one of its names, by its place, or by words that are all in its names: "the sample one".
    """
    typed = _plain(text)
    bare, plain = _bare(typed), [[_plain(name) for name in names] for names in called]
    for said in (typed, bare):
        if exact := tuple(place for place, names in enumerate(plain) if said in names):
            return exact
    if (place := _place_of(bare, len(called))) is not None:
        return (place,)
    return fitting([word for word in WORD.findall(typed) if word not in _NAMES_NOTHING], called)


def fitting(words: Sequence[str], called: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the places of the things whose names have all of the words, or words that begin with these."""
    names = [WORD.findall(_plain(" ".join(each))) for each in called]
    fit = [place for place, each in enumerate(names) if words and _all_in(words, each)]
    return tuple([place for place in fit if set(words) <= set(names[place])] or fit)


def _all_in(words: Sequence[str], names: Sequence[str]) -> bool:
    """Tell whether each word is one of a name, or begins one."""
    return all(
        any(name == word or (len(word) >= BEGINNING_MIN and name.startswith(word)) for name in names) for word in words
    )


def _bare(typed: str) -> str:
    """Return what was typed without the words around a choice: "let's take the first one, please"."""
    bare = re.sub(rf"^(?:{_AROUND}(?!\w)[\s,.!]*)+(?=\S)", "", typed)
    return re.sub(rf"(?:\s+{_BEHIND})+$", "", bare).strip()


def _place_of(bare: str, count: int) -> int | None:
    """Return the place, of so many, that is named by its number or an ordinal; None for anything else."""
    if count and re.fullmatch(r"last|letzte[rns]?|derni[eè]re?|ultim[oa]", bare):
        return count - 1
    for place, (ordinal, cardinal) in enumerate(zip(_ORDINALS, _CARDINALS, strict=True)):
        if place < count and re.fullmatch(rf"{ordinal}|{cardinal}", bare):
            return place
    number = re.fullmatch(r"([1-9][0-9]{0,4})(?:[.)]|st|nd|rd|th)?", bare)
    return int(number[1]) - 1 if number and int(number[1]) <= count else None


def behind_none(text: str) -> str:
    """Return what stands behind "none of these": "no, revenue by store"; empty where it is nothing, or denies, too."""
    plain = without_accents(text)
    found = re.match(rf"(?:(?:{_NONE.pattern})\s*[,.;:!–-]+\s*)+", plain, re.IGNORECASE)
    rest = text[found.end() :].strip() if found and len(plain) == len(text) else ""
    return "" if re.match(r"(?:not?|nicht|kein\w*|ne|pas|never|sin|without)\b", rest, re.IGNORECASE) else rest


def _likest(typed: str, labels: Sequence[str]) -> int | None:
    """Return the one label that has most of what a few typed words mean; None where in doubt.

    A known word that is not in the label is of another question: "revenue per store" is no "revenue per month".
    """
    said = meanings_of(typed) - _SMALL_WORDS
    said = frozenset(word for word in said if len(word) > LETTERS_MIN or word in known_in(said))
    if not said or len(said) > LIKENESS_MAX_WORDS or _DENIES.search(typed):
        return None
    shared = [said & meanings_of(label) for label in labels]
    most = max(map(len, shared), default=0)
    fit = [place for place, words in enumerate(shared) if words and len(words) == most]
    return fit[0] if len(fit) == 1 and 2 * most > len(said) and known_in(said) <= shared[fit[0]] else None


def _plain(text: str) -> str:
    return unaccented(text).strip(" .!,;:\"'`“”„«»()")
