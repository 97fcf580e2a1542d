"""What becomes of the rows that are in the table, by a closed list of words."""

import re
from typing import Literal

from router.memory import Mode

_CONTENTS = (
    r"(?:the |all |its |any |die |alle |les |las |los )*(?:existing |old |current |alten |bestehenden "
    r"|vorhandenen? )?"
    r"(?:rows|contents?|data|records|entries|lines|zeilen|daten|inhalte?|lignes|données|filas|datos)\b"
)
_NOT = (
    r"(?:\b(?:do not|don'?t|does not|doesn'?t|without|never|not|no|nothing (?:is|should|shall|must)|nicht|ohne"
    r"|kein\w*|nichts|sans|pas|sin)\b"
    r"(?: \w+){0,2} ?)"
)
_WORDS: dict[Mode, str] = {
    "truncate": rf"empt(?:y|ied|ying)\b|truncat\w*|wip(?:e|ed|ing)\b|purg\w+|clear(?:ed|ing)?\b"
    rf"|(?:delete|remove|replace|overwrite|refresh|ersetze?|lösche?|supprime[rz]?|remplace[rz]?|borra|elimina"
    rf"|reemplaza)"
    rf" (?:{_CONTENTS}|what|alles|everything)|{_CONTENTS} (?:löschen|entfernen)|leere?n?\b|geleert|vide[rz]?\b"
    rf"|vac[ií]a\w*|delete (?:it )?(?:first|before)"
    rf"|clean (?:it|the table)",
    "drop": r"replac\w+|overwrit\w+|recreat\w+|re-?creat\w+|drop(?:ped|ping)?\b|swap\w*|ersetz\w*|überschreib\w*"
    r"|remplac\w+|écras\w+|reemplaz\w+|sobrescrib\w+|sobreescrib\w+",
    "append": r"append\w*|apend|add(?:ing|ed)?\b|keep(?:ing)? (?:what|the|all|those|everything|existing)|on top of"
    r"|(?:to|at) the end|in addition|häng\w*|anhäng\w*|hinzu\w*|füge?\b|ergänz\w*|ajout\w+|añad\w+|agreg\w+"
    r"|behalt\w*|zusätzlich",
    "create": r"new (?:table|one)\b|fresh table|create\b(?! or)|neuen? tabelle|anlegen"
    r"|nouvelle table|tabla nueva|nueva tabla|crée[rz]?\b|crea[r]?\b",
}
_REPLACES_WHAT = re.compile(
    r"\b(?:replace|overwrite|remplace|reemplaza|ersetze?) (?:what|ce qui|lo que|was)\b", re.IGNORECASE
)


def mode_of(text: str) -> Mode | Literal[""]:
    """Return the one mode that the words mean, or "" where they mean none, or several that do not go together.

    Text that could be a name is no longer in `text`. Words that are denied ("do not overwrite") do not count.
    """
    if _REPLACES_WHAT.search(text):
        return "drop"
    found = [mode for mode, words in _WORDS.items() if _meant(words, text)]
    if found[:2] == ["truncate", "drop"] and re.search(rf"\b(?:{_WORDS['truncate']})", text, re.IGNORECASE):
        # "replace the rows" is the narrower of the two.
        rest = re.sub(rf"\b(?:{_WORDS['truncate']})", "", text, flags=re.IGNORECASE)
        found = ["truncate"] if not _meant(_WORDS["drop"], rest) else []
    match found:
        case [only]:
            return only
        case ["truncate", "append"]:
            return "truncate"
        case ["drop", "create"]:
            return "drop"
    return ""


def _meant(words: str, text: str) -> bool:
    return bool(
        re.search(rf"\b(?:{words})", re.sub(rf"{_NOT}(?:{words})", "", text, flags=re.IGNORECASE), re.IGNORECASE)
    )
