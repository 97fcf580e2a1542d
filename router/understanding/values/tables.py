"""The place that a sentence names for rows: a connection by its label, a schema, a table that is there or a new one."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from router.language.folding import unaccented
from router.language.phrases import find_phrases, is_all, phrase_at, tokens_of
from router.understanding.values.connections import find_connection
from router.understanding.values.sentence import QUOTED, Sentence, unquoted

_PART: Final = rf"(?:{QUOTED}|\w[\w$#-]*)"
_DOTTED: Final = re.compile(rf"(?<![\w.@])(?P<value>{_PART}(?:\.{_PART}){{1,2}})(?![\w@])")
_FILE: Final = re.compile(r"\.(?:csv|xlsx?|txt|pdf|json)$|^[\d.]+$", re.IGNORECASE)
_NAME: Final = re.compile(rf"(?P<value>{QUOTED}|[^\W\d]\w*(?:[-$#]\w+)*)(?![\w@])(?!\.\w)")
_LIKE_A_NAME: Final = re.compile(r"(?<![\w.@-])[^\W\d]\w*_\w*[^\W_](?![\w@])(?!\.\w)")


@dataclass(frozen=True, slots=True)
class NamedTarget:
    """Where rows go, as the person spelled it; empty is what the sentence does not say."""

    connection: str = ""
    schema: str = ""
    table: str = ""


def find_target(
    sentence: Sentence, connections: Mapping[str, str], tables: Sequence[str] = (), *, sure: bool = False
) -> NamedTarget:
    """Take the place out of a sentence; `connections` are labels by name, `tables` those that are there.

    `sure`: behind "as" and "into", only what looks like a name is one. What is denied is taken, and is no place.
    """
    connection, schema, table = _dotted(sentence, connections)
    connection = connection or find_connection(sentence, connections)
    table = table or _existing(sentence, tables)
    if not table:
        table = _first(sentence, (*_marked(sentence, "table"), *_marked(sentence, "called")))
    schema = schema or _first(sentence, _marked(sentence, "schema"))
    if not table:
        table = _first(sentence, _placed(sentence, "as", sure))
    if not table:
        table = _first(sentence, (*_lone(sentence), *_placed(sentence, "into", sure)))
    if table and not schema:
        schema = _first(sentence, _placed(sentence, "into", sure))
    return NamedTarget(connection, schema, table)


def _dotted(sentence: Sentence, connections: Mapping[str, str]) -> tuple[str, str, str]:
    """Take `schema.table`, with a connection in front or in place of the schema."""
    known = {name.casefold(): name for name in connections}
    for found in _DOTTED.finditer(sentence.left):
        if _FILE.search(found["value"]):
            continue
        denied = sentence.is_denied(*found.span())
        sentence.take(*found.span())
        if denied:
            continue
        parts = [unquoted(part) for part in re.findall(_PART, found["value"])]
        connection = known.get(parts[0].casefold(), "")
        names = parts[1:] if connection or len(parts) > 2 else parts
        return connection, names[0] if len(names) > 1 else "", names[-1]
    return "", "", ""


Place = tuple[int, int]


def _first(sentence: Sentence, places: Iterable[Place]) -> str:
    """Take the first name that the sentence does not deny."""
    for place in places:
        denied = sentence.is_denied(*place)
        value = sentence.take(*place)
        if not denied:
            return value
    return ""


def _existing(sentence: Sentence, names: Sequence[str]) -> str:
    """Take the one name that is there, in blanks or underscores; "the archive one for customers" names one as well."""
    # A name within quotes is a part of another one.
    plain = re.sub(QUOTED, lambda quoted: " " * len(quoted[0]), unaccented(sentence.left))
    found: dict[str, Place] = {}
    passed = set[str]()
    for name in sorted(names, key=len, reverse=True):
        way = re.escape(unaccented(name)).replace("_", "[ _-]")
        for each in re.finditer(rf"(?<![\w.@]){way}(?!\w)", plain) if len(plain) == len(sentence.left) else ():
            place = each.span()
            if _is_told_of(sentence, place):
                passed.add(name)
            elif sentence.is_denied(*place):
                sentence.take(*place)
            elif not any(begin < place[1] and place[0] < end for begin, end in found.values()):
                found.setdefault(name, place)
    if len(found) == 1:
        name, place = found.popitem()
        sentence.take(*place)
        return name
    said = {each.word for each in sentence.tokens}
    having = [name for name in names if "_" in name and name not in passed and set(unaccented(name).split("_")) <= said]
    if found or len(having) != 1 or find_phrases("denial.before", sentence.tokens):
        return ""
    parts = unaccented(having[0]).split("_")
    for token in sentence.tokens:
        if token.word in parts:
            sentence.take(token.begin, token.end)
    return having[0]


def _is_told_of(sentence: Sentence, place: Place) -> bool:
    """Return whether a name is what the sentence is about: "sales_report has the wrong columns"."""
    tokens = tokens_of(sentence.left[place[1] :].partition(",")[0])
    return bool(tokens) and phrase_at("writing.told", tokens, 0) > 0


def _marked(sentence: Sentence, kind: str) -> Iterator[Place]:
    """Yield the names behind a word such as "table", or else in front of it."""
    for begin, end in sentence.spans(f"writing.{kind}"):
        place = sentence.behind("writing.linking", end)
        behind = _NAME.match(sentence.left, place) if place > end else None
        before = re.search(rf"{_NAME.pattern}[ -]$", sentence.left[:begin])
        if behind and _is_name(behind):
            yield behind.span("value")
        elif kind != "called" and before and _is_name(before):
            yield before.span("value")


def _placed(sentence: Sentence, kind: str, sure: bool) -> Iterator[Place]:
    """Yield the names behind a word such as "as" or "into", where nothing that belongs to them follows."""
    for _, end in sentence.spans(f"writing.{kind}"):
        name = _NAME.match(sentence.left, sentence.behind("values.article", end))
        like_one = name and (_quoted(name) or not sure or re.search(r"[\d_$#]", name["value"]))
        if name and like_one and _is_name(name) and (_quoted(name) or sentence.ends_at(name.end())):
            yield name.span("value")


def _lone(sentence: Sentence) -> Iterator[Place]:
    """Yield the words that only a name can be, for their underscore."""
    for each in _LIKE_A_NAME.finditer(sentence.left):
        if not _is_told_of(sentence, each.span()):
            yield each.span()


def _is_name(name: re.Match[str]) -> bool:
    """Return whether a word may be a name: it is quoted, or no word of a request, such as "the" or "replaced"."""
    kinds = ("values.plain", *(f"writing.{mode}" for mode in ("append", "truncate", "drop")))
    return _quoted(name) or not any(is_all(kind, name["value"]) for kind in kinds)


def _quoted(name: re.Match[str]) -> bool:
    return unquoted(name["value"]) != name["value"]
