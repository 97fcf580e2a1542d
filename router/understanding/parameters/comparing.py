"""Reads what a sentence changes of a comparison that a card shows: its key, its pairs of columns, or its report."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from router.language.folding import without_accents
from router.memory.comparing import Reporting
from router.understanding.kinds import is_question
from router.understanding.parameters.columns import column_pairs

CORRECTION_MAX_CHARS = 200
"""Characters of a sentence that is looked at."""

_LEAD = re.compile(
    r"^(?:(?:yes|no|nein|ja|non|oui|si|ok|okay|please|bitte|sorry|actually|and|und|et|y|but|aber|mais|pero|then|use|take|nimm"
    r"|prends|usa|make|set|it'?s|let'?s (?:use|take|say)|show(?: me)?|give me|i (?:want|need|meant?)|compare|just|only"
    r"|nur|solo|seulement|instead|lieber|rather)\b[,:]?\s+)+"
)
_THE = r"(?:(?:the|der|die|das|le|la|l'|el|los|las|les|den|dem)\s*)?"
_KEY = r"(?:(?:primary |join )?keys?|schlussel|cles?|claves?|id column)"
_KEYS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_THE}(?P<names>.+?) (?:is|are|as|should be|must be|ist|sind|als|est|sont|comme|es|son|como) {_THE}{_KEY}",
        rf"{_THE}{_KEY}(?:(?: is| are| should be|:| =| ist| sind| c'est| est| sont| es| son))? {_THE}(?P<names>.+?)",
        r"(?:by|on|via|per|uber|nach|par|sur|por|segun) (?P<names>.+?)"
        r"(?: (?:instead of|rather than|statt|au lieu de|en vez de) .+)?",
        r"(?P<names>.+?) (?:on both sides|in both|auf beiden seiten|des deux cotes|en ambos lados)",
        r"(?P<names>.+?)",
    )
)
_TAIL = re.compile(r"\s*(?:,? (?:please|pls|plz|bitte|svp|por favor|instead|then|as well))+$")
_AND = re.compile(r"\s*(?:,|\+|&|\band\b|\bund\b|\bet\b|\by\b)\s*")
_REPORTS: Mapping[Reporting, str] = {
    "differences": r"(?:differences?|(?:what|rows that) (?:differs?|changed|(?:i|')s (?:different|missing).*)|changes"
    r"|missing (?:rows|ones)|unterschiede?|abweichungen|differences|diferencias)",
    "summary": r"(?:a )?(?:short )?(?:summary|counts?|overview|zusammenfassung|resume|resumen)",
    "columns": r"(?:by|per|je|pro|par|por) (?:column|spalte|colonne|columna)",
    "all": r"(?:all|every|alle|toutes les|todas las) (?:the )?(?:rows?|zeilen|lignes|filas)|everything|alles",
    "aggregates": r"(?:totals?|sums?|aggregates?|summen|totaux|totales|sumas)",
}
_REPORT_TAIL = r"(?: (?:only|report|please|nur|seulement|solamente|bitte))*"


@dataclass(frozen=True, slots=True)
class ComparisonCorrection:
    """Changes of a comparison; empty is what stays.

    `keys` are names of columns of either query, `pairs` columns of the second query by those of the first, "" to leave
    one out.
    """

    keys: tuple[str, ...] = ()
    pairs: Mapping[str, str] = field(default_factory=dict)
    report: Reporting | None = None

    def __bool__(self) -> bool:
        return bool(self.keys or self.pairs or self.report)


def comparison_correction(text: str, left: tuple[str, ...], right: tuple[str, ...]) -> ComparisonCorrection:
    """Return what a sentence changes; `left` and `right` are the columns of the queries. A question changes nothing."""
    if len(text) > CORRECTION_MAX_CHARS or is_question(text):
        return ComparisonCorrection()
    plain = " ".join(without_accents(text.replace("’", "'")).lower().split()).strip(" .!")
    plain = _TAIL.sub("", _LEAD.sub("", plain, count=1) or plain)
    for report, words in _REPORTS.items():
        if re.fullmatch(rf"{_THE}(?:{words}){_REPORT_TAIL}", plain):
            return ComparisonCorrection(report=report)
    if pairs := column_pairs(text, left):
        known = {_plain(name): name for name in right}
        found = {source: known.get(_plain(target), "") for source, target in pairs.items()}
        if all(found[source] or not target for source, target in pairs.items()):
            return ComparisonCorrection(pairs=found)
    return ComparisonCorrection(keys=_keys(plain, (*left, *right)))


def _keys(plain: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns that a sentence names as the key, all of which there are; else nothing."""
    known = {_plain(name): name for name in columns}
    for pattern in _KEYS:
        if match := pattern.fullmatch(plain):
            names = [_plain(re.sub(rf"^{_THE}", "", name)) for name in _AND.split(match["names"]) if name]
            if names and all(name in known for name in names):
                return tuple(dict.fromkeys(known[name] for name in names))
    return ()


def _plain(name: str) -> str:
    return without_accents(name).casefold().replace("_", " ").strip(" \"'`")
