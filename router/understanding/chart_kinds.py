"""Recognises in which way a result is to be drawn: as bars, as lines or as a pie; by rules, in four languages."""

import re
from typing import Final

from router.cards import ChartKind
from router.language.folding import unaccented
from router.understanding.result_actions import POLITE

_PICTURE: Final = r"(?:chart|graph|diagram|plot|graphic|diagramm|grafik|graphique|grafico|grafica)s?"
_WORDS: Final[dict[ChartKind, str]] = {
    "line": r"lines?|curves?|linien?(?:diagramm)?|kurven?|lignes?|courbes?|lineas?",
    "pie": r"pies?|do(?:ugh)?nuts?|shares|torten?(?:diagramm)?|kreis(?:e|diagramm)?|camembert|secteurs|sectores|tarta"
    r"|circular",
    "bar": rf"bars?|columns?(?= {_PICTURE})|balken(?:diagramm)?|saulen(?:diagramm)?|barres|barras",
}
_KIND: Final = "(?:" + "|".join(f"(?P<{kind}>{words})" for kind, words in _WORDS.items()) + ")"
_IN_TEXT: Final = re.compile(rf"\b{_KIND}\b")
_WHOLE: Final = re.compile(
    rf"{POLITE}(?:(?:make|draw|show|plot|turn|change|switch|render|display|do|use|try|give|have|zeig\w*|zeichne\w*|mach\w*"
    r"|dessine\w*|montre\w*|fais|mets|dibuja\w*|haz\w*|muestra\w*)\b *)?"
    rf"(?:(?:me|us|it|this|that|them|these|the|es|das|ca|lo|la|le|{_PICTURE}|to|into|in|as|be|a|an|with|als|eine?n?|comme"
    r"|en|un|une|una|de|como|con|rather|instead|better|lieber|plutot|mejor)\b,? *)*"
    rf"{_KIND}(?: {_PICTURE})?(?: (?:instead|rather|better|please|then|now|bitte|lieber|stattdessen|plutot|mejor))*",
)

_LISTS: Final = re.compile(
    rf"{POLITE}(?:show|display|give|have|do|zeig\w*|montre\w*|muestra\w*)(?: (?:me|us|the|le|la))* \w+"
)
"""A wish for rows as well: "show me the lines"."""


def chart_kind_in(text: str) -> ChartKind | None:
    """Return the kind of chart that a wish for a picture names; None where it names none."""
    return _kind_of(_IN_TEXT.search(unaccented(text)))


def chart_kind_wished(text: str) -> ChartKind | None:
    """Return the kind of a sentence that asks for nothing but another drawing: "make it a pie", "bars instead"."""
    bare = unaccented(text).rstrip("?.! ")
    return None if _LISTS.fullmatch(bare) else _kind_of(_WHOLE.fullmatch(bare))


def _kind_of(found: re.Match[str] | None) -> ChartKind | None:
    return next((kind for kind in _WORDS if found[kind]), None) if found else None
