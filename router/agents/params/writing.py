"""What rules read of a sentence that names a table to write to; what they are not sure of, they leave."""

import re
from collections.abc import Mapping
from dataclasses import replace

from router.agents.params.grounding import spoken
from router.agents.params.known import NO_NAME
from router.agents.params.modes import mode_of
from router.agents.params.rest import QUOTED, Rest, unquoted
from router.agents.params.wishes import WritingWish

_WORD = r"[^\W\d]\w*(?:[-$#]\w+)*"
_PART = rf"(?:{QUOTED}|\w[\w$#-]*)"
_DOTTED = re.compile(rf"(?<![\w.@])(?P<value>{_PART}(?:\.{_PART}){{1,2}})(?![\w@])")
_FILE = re.compile(r"\.(?:csv|xlsx?|txt|pdf|json)$", re.IGNORECASE)

_ENDS = (
    r"(?=\s*(?:$|[,;:.!?\0)(]|(?:in|on|im|into|to|and|but|please|pls|with|for|then|replac\w*|overwrit\w*|append\w*"
    r"|from|of"
    r"|bitte|speichern|schreiben|ablegen|und|dans|et|en|y|del?|du|within|at|which|there|first|if)\b))"
)
_VALUE = rf"(?P<value>{QUOTED}|{_WORD}(?!\w))"
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
_TABLES = (
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
    re.compile(rf"\b(?:as|als|sous|comme|como|under|unter) {_THE}{_VALUE}{_ENDS}", re.IGNORECASE),
    re.compile(rf"\b(?:as|als|sous|comme|como) (?P<value>{_WORD}(?: [\w-]+){{1,3}}?(?![\w-])){_ENDS}", re.IGNORECASE),
)
_TO = re.compile(rf"\b(?:to|into|onto|in|nach|dans|en|a) {_THE}{_VALUE}{_ENDS}", re.IGNORECASE)
_LIKE_A_TABLE = re.compile(rf"(?<![\w.]){_THE}(?P<value>[^\W\d]\w*_\w*[^\W_])(?![\w.])")
"""An underscore makes a name of it, wherever it stands."""
_IN = re.compile(rf"\b(?:in|im|within|dans|en|of) {_THE}{_VALUE}{_ENDS}", re.IGNORECASE)


def rules_of_writing(rest: Rest, connections: Mapping[str, str]) -> WritingWish:
    """Return what is sure; `connections` are labels by name."""
    name = rest.take(*_JOBS)
    wish = replace(_dotted(rest, connections), name=name)
    connection = wish.connection or _connection(rest, connections)
    table = wish.table or _named(rest, *_TABLES)
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
