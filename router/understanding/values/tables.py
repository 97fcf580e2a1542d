"""The place that a sentence names for rows: a connection by its label, a schema, a table that is there or a new one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from router.language.folding import unaccented
from router.language.phrases import is_all, phrase_at, tokens_of
from router.understanding.values.connections import find_connection
from router.understanding.values.sentence import QUOTED, Sentence, unquoted

_PART: Final = rf"(?:{QUOTED}|\w[\w$#-]*)"
_DOTTED: Final = re.compile(rf"(?<![\w.@]){_PART}(?:\.{_PART}){{1,2}}(?![\w@])")
_FILE: Final = re.compile(r"\.(?:csv|xlsx?|txt|pdf|json)$|^[\d.]+$", re.IGNORECASE)
_NAME: Final = re.compile(rf"(?P<value>{QUOTED}|[^\W\d]\w*(?:[-$#]\w+)*)(?![\w@])(?!\.\w)")
_BEFORE: Final = re.compile(rf"{_NAME.pattern}[ -]$")
_LIKE_A_NAME: Final = re.compile(r"(?<![\w.@-])[^\W\d]\w*_\w*[^\W_](?![\w@])(?!\.\w)")
_LOOSE: Final = ("as", "into")
"""Words behind which much else stands than names."""
_NO_NAME: Final = ("values.plain", "writing.append", "writing.truncate", "writing.drop")


def find_target(
    sentence: Sentence, connections: Mapping[str, str], tables: Sequence[str] = (), *, sure: bool = False
) -> tuple[str, str, str]:
    """Take connection, schema and table out of a sentence, as they are spelled; "" is what it does not say.

    `connections` are labels by name, `tables` those that are there.
    `sure`: behind "as" and "into", only what looks like a name is one. What is denied is taken, and is no place.
    """
    connection, schema, table = _dotted(sentence, connections)
    connection = connection or find_connection(sentence, connections)
    table = table or _existing(sentence, tables)
    for kind in ("table", "called"):
        table = table or _first(sentence, _named(sentence, kind))
    schema = schema or _first(sentence, _named(sentence, "schema"))
    for names in (_named(sentence, "as", sure), _lone(sentence), _named(sentence, "into", sure)):
        table = table or _first(sentence, names)
    if table and not schema:
        schema = _first(sentence, _named(sentence, "into", sure))
    for place in _lone(sentence):  # "tmp_open, not tmp_old"
        if sentence.is_denied(*place):
            sentence.take(*place)
    return connection, schema, table


Place = tuple[int, int]


def _dotted(sentence: Sentence, connections: Mapping[str, str]) -> tuple[str, str, str]:
    """Take `schema.table`, with a connection in front or in place of the schema."""
    known = {name.casefold(): name for name in connections}
    for found in _DOTTED.finditer(sentence.left):
        if _FILE.search(found[0]):
            continue
        denied = sentence.is_denied(*found.span())
        sentence.take(*found.span())
        if not denied:
            parts = [unquoted(part) for part in re.findall(_PART, found[0])]
            connection = known.get(parts[0].casefold(), "")
            names = parts[1:] if connection or len(parts) > 2 else parts
            return connection, names[0] if len(names) > 1 else "", names[-1]
    return "", "", ""


def _first(sentence: Sentence, places: Iterator[Place]) -> str:
    """Take the first name that the sentence does not deny."""
    for place in places:
        denied = sentence.is_denied(*place)
        value = sentence.take(*place)
        if not denied:
            return value
    return ""


def _existing(sentence: Sentence, names: Sequence[str]) -> str:
    """Take the one name that is there, in blanks or underscores; of several that are not denied, none."""
    # A name within quotes is a part of another one.
    plain = re.sub(QUOTED, lambda quoted: " " * len(quoted[0]), sentence.folded)
    found: dict[Place, str] = {}
    for name in sorted(names, key=len, reverse=True):
        way = re.escape(unaccented(name)).replace("_", "[ _-]")
        for each in re.finditer(rf"(?<![\w.@]){way}(?!\w)", plain):
            begin, end = each.span()
            if not _is_told_of(sentence, end) and not any(begin < stop and start < end for start, stop in found):
                found[begin, end] = name
    wanted = {name for place, name in found.items() if not sentence.is_denied(*place)}
    for place in found if len(wanted) < 2 else ():
        sentence.take(*place)
    return wanted.pop() if len(wanted) == 1 else ""


def _is_told_of(sentence: Sentence, end: int) -> bool:
    """Return whether a name is what the sentence is about: "sales_report has the wrong columns"."""
    return phrase_at("writing.told", tokens_of(sentence.left[end:].partition(",")[0]), 0) > 0


def _named(sentence: Sentence, kind: str, sure: bool = False) -> Iterator[Place]:
    """Yield the names behind a word such as "table" or "into", and those in front of "table" and "schema"."""
    for begin, end in sentence.spans(f"writing.{kind}"):
        name = _NAME.match(sentence.left, sentence.behind("values.article", sentence.behind("writing.linking", end)))
        told = kind == "called" or is_all("writing.create", sentence.left[begin:end])
        is_told = name and told and _ends_with(sentence, name)
        is_plain = kind not in _LOOSE or (name and (_is_quoted(name) or _stands_alone(sentence, name, sure)))
        if name and (is_told or (_is_name(name) and is_plain)):
            yield name.span("value")
        before = _BEFORE.search(sentence.left[:begin])
        if kind in ("table", "schema") and before and _is_name(before):
            yield before.span("value")


def _ends_with(sentence: Sentence, name: re.Match[str]) -> bool:
    """Return whether a sentence ends with a word that may be a name, as in "new table copies"."""
    ends = not sentence.left[name.end() :].strip(" .!")
    return ends and not is_all("writing.trails", name["value"]) and not is_all("values.article", name["value"])


def _stands_alone(sentence: Sentence, name: re.Match[str], sure: bool) -> bool:
    """Return whether no word that belongs to a name follows; `sure`: whether it looks like a name."""
    if sure:
        return re.search(r"[\d_$#]", name["value"]) is not None
    tail = sentence.left[name.end() :]
    tokens = tokens_of(tail)
    plain = not tokens or is_all("values.plain", tokens[0].word) or phrase_at("writing.into", tokens, 0) > 0
    return plain or re.match(r"\s*[^\w\s]", tail) is not None


def _lone(sentence: Sentence) -> Iterator[Place]:
    """Yield the words that only a name can be, for their underscore."""
    return (each.span() for each in _LIKE_A_NAME.finditer(sentence.left) if not _is_told_of(sentence, each.end()))


def _is_name(name: re.Match[str]) -> bool:
    """Return whether a word may be a name: it is quoted, or no word of a request, such as "the" or "replaced"."""
    return _is_quoted(name) or not any(is_all(kind, name["value"]) for kind in _NO_NAME)


def _is_quoted(name: re.Match[str]) -> bool:
    return unquoted(name["value"]) != name["value"]
