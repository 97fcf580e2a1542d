"""Reads which of several offered things a sentence means: "the second one", "2", its label, or none of them."""

import re
from collections.abc import Sequence
from typing import Final

from router.language.folding import without_accents
from router.language.inflection import stem

NONE_OF_THESE: Final = -1

LIKENESS_MAX_WORDS: Final = 6
"""Words of a message that may stand for a label without being it."""

_DENIES = re.compile(
    r"\b(?:not|no|nor|but|except|without|both|all|and|or|nicht|kein\w*|aber|beide|und|oder|pas|mais|sauf|les deux|et|ou"
    r"|pero|ambos|y|o)\b|\d|\?"
)
_SMALL_WORDS = frozenset(
    [
        "the",
        "one",
        "that",
        "this",
        "thing",
        "its",
        "mean",
        "want",
        "please",
        "the",
        "course",
        "ofc",
        "per",
        "with",
        "for",
        "from",
        "was",
        "ist",
        "der",
        "die",
        "das",
        "les",
        "des",
        "une",
        "una",
        "los",
        "las",
        "est",
    ]
)

_ORDINALS = (
    r"first|1st|erste[rns]?|premi[eè]re?|primer[oa]?",
    r"second|2nd|zweite[rns]?|deuxieme|seconde?|segund[oa]",
    r"third|3rd|dritte[rns]?|troisieme|tercer[oa]?",
    r"fourth|4th|vierte[rns]?|quatrieme|cuart[oa]",
    r"fifth|5th|funfte[rns]?|cinquieme|quint[oa]",
)
_CARDINALS = ("one|eins|un|uno", "two|zwei|deux|dos", "three|drei|trois|tres", "four|vier|quatre", "five|funf|cinq")
_AROUND = (
    r"(?:(?:i|we|you) (?:mean|meant|want|take|would take|choose|pick)|i'?ll take|take|use|choose|pick|it'?s|the|der|die"
    r"|das|ich meine|nimm|le|la|el|lo|prends|je veux|toma|quiero"
    r"|number|option|no\.?|nr\.?|nummer|numero|#|please|ja|yes|ok)"
)
_BEHIND = r"(?:one|option|choice|answer|please|pls|of (?:them|these|those)|bitte|svp|por favor|davon|opcion)"
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
    bare = re.sub(rf"^(?:{_AROUND}(?!\w)\s*)+(?=\S)", "", typed)
    bare = re.sub(rf"(?:\s+{_BEHIND})+$", "", bare).strip()
    if bare in plain:
        return plain.index(bare)
    for place, (ordinal, cardinal) in enumerate(zip(_ORDINALS, _CARDINALS, strict=True)):
        if place < len(labels) and re.fullmatch(rf"{ordinal}|{cardinal}|{place + 1}[.)]?", bare):
            return place
    if re.fullmatch(r"last|letzte[rns]?|derni[eè]re?|ultim[oa]", bare) and labels:
        return len(labels) - 1
    if re.fullmatch(r"other|andere[rns]?|autre|otr[oa]", bare) and len(labels) == 2 and typed != bare:
        return 1
    if _NONE.fullmatch(typed):
        return NONE_OF_THESE
    named = [
        place for place, label in enumerate(plain) if len(bare) > 2 and re.search(rf"\b{re.escape(bare)}\b", label)
    ]
    return named[0] if len(named) == 1 else _likest(bare, plain)


def _likest(typed: str, labels: Sequence[str]) -> int | None:
    """Return the one label that shares a word with a few typed words, and no other label does; None where in doubt."""
    said = {stem(word) for word in re.findall(r"[^\W\d_]{3,}", typed)} - _SMALL_WORDS
    if not said or len(typed.split()) > LIKENESS_MAX_WORDS or _DENIES.search(typed):
        return None
    shared = [said & {stem(word) for word in re.findall(r"[^\W\d_]{3,}", label)} for label in labels]
    most = max(map(len, shared), default=0)
    fit = [place for place, words in enumerate(shared) if words and len(words) == most]
    return fit[0] if len(fit) == 1 and 2 * most >= len(said) else None


def _plain(text: str) -> str:
    return " ".join(without_accents(text.replace("’", "'")).lower().split()).strip(" .!,;:\"'`“”„«»()")
