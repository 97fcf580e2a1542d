"""Rules that read a sentence which names a table to write to, and leave what they are not sure of."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from router.memory.thread import Mode
from router.understanding.parameters.sentence import NO_NAME, QUOTED, Rest, WritingWish, spoken, unquoted

# Modes of writing: the fate of the rows that are in the table, by a closed list of words.


_CONTENTS = (
    r"(?:the |all |its |any |die |alle |les |las |los )*(?:existing |old |current |alten |bestehenden "
    r"|vorhandenen? )?"
    r"(?:rows|contents?|data|records|entries|lines|zeilen|daten|inhalte?|lignes|données|filas|datos)\b"
)
_DENIED = (
    r"(?:\b(?:do not|don'?t|does not|doesn'?t|without|never|not|no|nothing (?:is|should|shall|must)|nicht|ohne"
    r"|kein\w*|nichts|sans|pas|sin)\b"
    r"(?: \w+){0,2} ?)"
)
_MODE_WORDS: dict[Mode, str] = {
    "truncate": rf"empt(?:y|ied|ying)\b|trunc(?:at\w*)?\b|wip(?:e|ed|ing)\b|purg\w+|clear(?:ed|ing)?\b"
    rf"|(?:delete|remove|replace|overwrite|refresh|ersetze?|lösche?|supprime[rz]?|remplace[rz]?|borra|elimina"
    rf"|reemplaza)"
    rf" (?:{_CONTENTS}|what|alles|everything)|{_CONTENTS} (?:löschen|entfernen)|leere?n?\b|geleert|vide[rz]?\b"
    rf"|vac[ií]a\w*|delete (?:it )?(?:first|before)"
    rf"|clean (?:it|the table)",
    "drop": r"replac\w+|overwrit\w+|recreat\w+|re-?creat\w+|drop(?:ped|ping)?\b|swap\w*|ersetz\w*|überschreib\w*"
    r"|remplac\w+|écras\w+|reempl[aá]z\w+|sobrescrib\w+|sobreescrib\w+",
    "append": r"append\w*|apend|add(?:ing|ed)?\b|keep(?:ing)? (?:what|the|all|those|everything|existing)|on top of"
    r"|(?:to|at) the end|in addition|häng\w*|anhäng\w*|hinzu\w*|füge?\b|ergänz\w*|ajout\w+|añad\w+|agreg\w+"
    r"|behalt\w*|zusätzlich|\w*dranhäng\w*|(?:at|to) the bottom|ans? ende|unten dran|hinten dran"
    r"|à la (?:fin|suite)|al final",
    "create": r"new (?:table|one)\b|fresh table|create\b(?! or)|neuen? tabelle|anlegen"
    r"|nouvelle table|tabla nueva|nueva tabla|crée[rz]?\b|crea[r]?\b",
}
_LOSES = (
    rf"(?:{_MODE_WORDS['truncate']}|{_MODE_WORDS['drop']}|delet\w+|remov\w+|eras\w+|touch\w*|los(?:e|ing|es|t)|lösch\w*"
    r"|verlier\w*|anfass\w*|efface\w*|supprim\w*|perd\w*|borr\w+|elimin\w+|pierd\w*|toques?)"
)
_LOSES_NOTHING = re.compile(
    rf"{_DENIED}{_LOSES}|\bn'(?:{_LOSES})\s+(?:rien|pas|aucun\w*)|\b{_LOSES}\s+(?:nothing|nichts|rien|nada)\b"
    r"|\b(?:keep|leave|behalt\w*|lass\w*|garde\w*|conserv\w*|mant[eé]n\w*)\b.*\b(?:rows|ones|data|records|entries|zeilen|daten"
    r"|einträge|lignes|données|filas|datos)\b|\b(?:zeilen|daten|einträge|lignes|données) (?:behalten|lassen|garder)\b",
    re.IGNORECASE,
)
_REPLACES_WHAT = re.compile(
    r"\b(?:replace|overwrite|remplace|reemplaza|ersetze?) (?:what|ce qui|lo que|was)\b", re.IGNORECASE
)


def mode_of(text: str) -> Mode | Literal[""]:
    """Return the one mode that the words mean, or "" where they mean none, or several that do not go together.

    Text that could be a name is no longer in `text`. Words that are denied ("do not overwrite") do not count.
    """
    if _REPLACES_WHAT.search(text):
        return "drop"
    found = [mode for mode, words in _MODE_WORDS.items() if _meant(words, text)]
    if found[:2] == ["truncate", "drop"] and re.search(rf"\b(?:{_MODE_WORDS['truncate']})", text, re.IGNORECASE):
        # "replace the rows" is the narrower of the two.
        rest = re.sub(rf"\b(?:{_MODE_WORDS['truncate']})", "", text, flags=re.IGNORECASE)
        found = ["truncate"] if not _meant(_MODE_WORDS["drop"], rest) else []
    match found:
        case [only]:
            return only
        case ["truncate", "append"]:
            return "truncate"
        case ["drop", "create"]:
            return "drop"
    return ""


def keeps_rows(text: str) -> bool:
    """Tell whether the words only say that nothing shall be lost, as an answer to what becomes of the rows there."""
    return bool(_LOSES_NOTHING.search(text)) and not mode_of(text)


def _meant(words: str, text: str) -> bool:
    return bool(
        re.search(rf"\b(?:{words})", re.sub(rf"{_DENIED}(?:{words})", "", text, flags=re.IGNORECASE), re.IGNORECASE)
    )


_BARE_NAME = r"[^\W\d]\w*(?:[-$#]\w+)*"
_PART = rf"(?:{QUOTED}|\w[\w$#-]*)"
_DOTTED = re.compile(rf"(?<![\w.@])(?P<value>{_PART}(?:\.{_PART}){{1,2}})(?![\w@])")
_FILE = re.compile(r"\.(?:csv|xlsx?|txt|pdf|json)$", re.IGNORECASE)

_NAME_ENDS = (
    r"(?=\s*(?:$|[,;:.!?\0)(]|(?:in|on|im|into|to|and|but|please|pls|with|for|then|replac\w*|overwrit\w*|append\w*"
    r"|from|of"
    r"|bitte|speichern|schreiben|ablegen|und|dans|et|en|y|del?|du|within|at|which|there|first|if)\b))"
)
_VALUE = rf"(?P<value>{QUOTED}|{_BARE_NAME}(?!\w))"
_THE = (
    r"(?:the |teh |a |an |our |my |der |die |das |dem |den |la |le |el |new |neue |neuen |einer |eine |une "
    r"|una ){0,3}"
)

_JOBS = (
    re.compile(
        r"(?:[,;]\s*)?(?:and )?(?:name|call|title) (?:the|this) job[ :]+(?P<value>\S.*?)(?=[,;.]|$)", re.IGNORECASE
    ),
    re.compile(
        rf"(?:with |and |the |der )*\bjob(?:'s)? ?name\b[ :=]*(?:is |should be )?(?P<value>{QUOTED}|[^,;.\0]+)",
        re.IGNORECASE,
    ),
    re.compile(rf"\bjob(?: called | named |: ?)(?P<value>{QUOTED}|[^,;.\0]+)", re.IGNORECASE),
)
_TABLE_PHRASES = (
    re.compile(
        r"(?:\b(?:table|tabelle|tabla)\s+)?\b(?:called|named|(?:name|call) (?:it|them|this|that|these)"
        r"|under the name(?: of)?|with the name|namens|genannt"
        rf"|unter dem namen|appelée?|nommée?|llamad[oa]|sous le nom(?: de)?) {_VALUE}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:table|tabelle|tabla)(?: name)?(?: is| should be| shall be)?\s?[:=]?\s?(?<=\W){_VALUE}", re.IGNORECASE
    ),
    re.compile(rf"\bname of the table (?:is|should be) {_VALUE}", re.IGNORECASE),
    re.compile(rf"\b(?:to|into|in|onto|dans|en) (?:the|la) {_VALUE} table\b", re.IGNORECASE),
)
_SCHEMAS = (
    re.compile(rf"\b(?:schema|schéma|esquema)(?: called| named| namens)?\s?[:=]?\s?(?<=\W){_VALUE}", re.IGNORECASE),
    re.compile(rf"\b(?:the |our |im |dem )?{_VALUE}[- ](?:schema|schéma|esquema)\b", re.IGNORECASE),
)
_AS = (
    re.compile(rf"\b(?:as|als|sous|comme|como|under|unter) {_THE}{_VALUE}{_NAME_ENDS}", re.IGNORECASE),
    re.compile(
        rf"\b(?:as|als|sous|comme|como) (?P<value>{_BARE_NAME}(?: [\w-]+){{1,3}}?(?![\w-])){_NAME_ENDS}", re.IGNORECASE
    ),
)
_TO = re.compile(rf"\b(?:to|into|onto|in|nach|dans|en|a) {_THE}{_VALUE}{_NAME_ENDS}", re.IGNORECASE)
_LIKE_A_TABLE = re.compile(rf"(?<![\w.]){_THE}(?P<value>[^\W\d]\w*_\w*[^\W_])(?![\w.])")
"""An underscore makes a name of it, wherever it stands."""
_IN = re.compile(rf"\b(?:in|im|within|dans|en|of) {_THE}{_VALUE}{_NAME_ENDS}", re.IGNORECASE)


def rules_of_writing(rest: Rest, connections: Mapping[str, str]) -> WritingWish:
    """Return what is sure; `connections` are labels by name."""
    name = rest.take(*_JOBS)
    wish = replace(_dotted(rest, connections), name=name)
    connection = wish.connection or _connection(rest, connections)
    table = wish.table or _named(rest, *_TABLE_PHRASES)
    schema = wish.schema or _named(rest, *_SCHEMAS)
    table = table or _named(rest, *_AS) or _named(rest, _TO) or _named(rest, _LIKE_A_TABLE)
    if table and not schema:
        schema = _named(rest, _IN)
    return WritingWish(connection, schema, table, mode_of(rest.unnamed), name)


def _dotted(rest: Rest, connections: Mapping[str, str]) -> WritingWish:
    """Read `schema.table`, with a connection in front or in place of the schema."""
    for found in _DOTTED.finditer(rest.left):
        if _FILE.search(found["value"]):
            continue
        parts = [unquoted(part) for part in re.findall(_PART, found["value"])]
        rest.read(found)
        known = {name.casefold(): name for name in connections}
        connection = known.get(parts[0].casefold(), "")
        names = parts[1:] if connection or len(parts) > 2 else parts
        return WritingWish(connection, names[0] if len(names) > 1 else "", names[-1])
    return WritingWish()


def _connection(rest: Rest, connections: Mapping[str, str]) -> str:
    """Return the name of the connection that is spoken of as a place, by name or label; the longest one wins."""
    ways = [(words, name) for name, label in connections.items() for words in spoken(name, label)]
    for words, name in sorted(ways, key=lambda pair: -len(pair[0])):
        named = re.escape(words)
        alone = re.compile(
            rf"(?:^|[,;:(.!?]\s*(?:that is |i\.e\. |and )?|\b(?:db|database|connection"
            rf"|datenbank)\s*[:=]?\s*)(?P<value>{named})"
            r"(?:,? (?:please|pls|bitte))?(?=\s*(?:$|[,;.!)?]))",
            re.IGNORECASE,
        )
        place = re.compile(
            r"(?:\b(?:in|into|to|onto|on|at|of|im|ins|nach|auf|dans|en|a|del?|du|use|database|connection|db"
            r"|datenbank|vers|sur)\s+"
            rf"{_THE}(?:database |connection |datenbank |base )?)(?P<value>{named})(?![\w.-])"
            r"(?! (?:schema|table|tabelle))(?: (?:database|connection|db))?",
            re.IGNORECASE,
        )
        if rest.take(place, alone):
            return name
    return ""


def _named(rest: Rest, *patterns: re.Pattern[str]) -> str:
    """Return the first name that one of the patterns finds, and that is a name."""
    for pattern in patterns:
        for found in pattern.finditer(rest.left):
            value = found["value"]
            quoted = unquoted(value) != value
            if quoted or not any(word in NO_NAME for word in value.lower().split()):
                return rest.read(found)
    return ""
