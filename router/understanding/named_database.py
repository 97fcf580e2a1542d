"""Recognises the database that a sentence names; by rules, without a model.

Names of databases are often ordinary words ("Shop", "Finance"), so that the name alone is not enough. It counts beside
a word such as "database" or the name of a table, in brackets, in front of a colon, after "switch to", or spelt as it is
called after "in".
"""

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

NAMING_MAX_CHARS = 500
"""A longer text is not looked at: it is a mail, or a note, and no question that names its database."""


@dataclass(frozen=True, slots=True)
class NamedDatabase:
    """The connection that is named, and the question without the words that name it; "" where there is no other word.

    `unknown` is what is called a database, and is none of those that the person may read.
    """

    connection: str = ""
    question: str = ""
    unknown: str = ""


IsData = Callable[[str], bool]
"""Tells whether a word is a table or a value of the database that the talk is about."""

_DATABASE = r"(?:data ?base|db|datenbank|base de donn[ée]es|base de datos|bdd)"
_THE = r"(?:(?:the|our|this|der|die|das|dem|den|unsere[rn]?|la|le|notre|el|nuestra) )?"
_IN = r"(?:in|from|at|on|against|aus|dans|depuis|sur|en|desde)"
_ANY_IN = rf"(?:{_IN}|out of|within|inside|against|using|via|of|im|von|vom|auf|bei|de|del)"
_LOOK = (
    r"(?:(?:(?:please |bitte )?(?:(?:(?:a|one|eine|une|una) )?(?:question|frage|pregunta)"
    r" (?:to|for|an|f[üu]r|[àa]|pour|para)|look|search|check|schau|such|regarde|cherche|busca|mira) (?:it up )?)?)"
)
_SWITCH = (
    r"(?:(?:switch|change|go|move|connect)(?: over| back)? to|back to|i meant?|select|use|choose"
    r"|nimm|nutze|verwende|wechs[el]+ (?:(?:bitte|mal|jetzt) )*(?:zu[rm]?|in|auf|nach)|geh zu[rm]?|zur[üu]ck zu[rm]?"
    r"|ich meine?(?:te)?"
    r"|utilise[rz]?|prends|prenez|pass(?:e[rz]?|ons) (?:[àa]|sur)|va (?:dans|sur)"
    r"|(?:retour|reviens|revenons|retourne) (?:[àa]|sur|vers|dans)"
    r"|usa|utiliza|cambia a|pasa a|vuelve a|volver a|take|look in|search in)"
)
_BEFORE = (
    r"(?:(?:please|pls|sorry|oops|ups|pardon|perd[óo]n|wrong (?:database|db|one|place)|falsche datenbank|mauvaise base"
    r"|base equivocada|what about|how about|no|ok|okay|and|now|then|bitte|nein|und|jetzt|non|et|maintenant|y|ahora"
    r"|can you|could you|let's|let us)[, ]+)*"
)
_BEHIND = (
    r"(?:,? (?:please|pls|instead|now|again|bitte|jetzt|stattdessen|maintenant|ahora|por favor|s'il te pla[iî]t))*"
)
_GO_ON = r"(?:[\s,.:;!–—-]*(?:\b(?:and|then|und|dann|et|puis|y|luego)\b ?)*)"
_NEXT = (
    r"(?=\s*(?:$|[?.!,;:)]|\b(?:instead|please|pls|again|too|also|stattdessen|bitte|plutôt|svp|mejor|with|by|per|for|since|that|who|whose|which|where|when|last|this|during|between|before"
    r"|after|sorted|ordered|as|mit|nach|pro|je|seit|die|der|das|letzte\w*|diese\w*|avec|par|depuis|pour|qui|que|con|por"
    r"|desde|para|ça|ca|how|what|wie|was|welche\w*|combien|quels?|quelles?|cuánt\w+|qué)\b))"
)

_SENDS = re.compile(
    r"\b(?:write|save|store|export|copy|load|insert|append|put|move it|send|e-?mail|mail|upload|import|compare\w*"
    r"|compar(?:er|ez|a|ar)|differences?|schreib\w*|speicher\w*|send\w*|schick\w*|kopier\w*|lade|vergleich\w*|[ée]cri[st]\w*"
    r"|enregistre\w*|envoie\w*|envoy\w+|copie[rz]?|guarda\w*|escrib\w*|env[ií]a\w*|manda\w*|copia\w*)\b",
    re.IGNORECASE,
)
"""Words for what is done with rows: a database behind them is where these go, not where they come from."""
_NOT = re.compile(
    r"(?:\b(?:not|nicht|pas|no|except|ohne|sauf|salvo)|n't|\w,? (?:or|and|oder|und|et|ou|y|o)) *$", re.IGNORECASE
)
"""What stands before a name that is not where to look, or one of several."""
_MEANT = re.compile(r"\b(?:i meant?|ich meine?(?:te)?)\b", re.IGNORECASE)


@cache
def _words(kind: Literal["same_there", "no_name"]) -> frozenset[str]:
    """Return one list of words."""
    lists = tomllib.loads(files("router.understanding").joinpath("named_database.toml").read_text(encoding="utf-8"))
    return frozenset(lists[kind])


def named_database(text: str, called: Mapping[str, str], is_data: IsData) -> NamedDatabase | None:
    """Return the database that a sentence names for certain; None where it names none, or several.

    `called` has the readable connections by their labels and names, as these are written.
    """
    text = text.strip()
    if not text or not called or len(text) > NAMING_MAX_CHARS:
        return None
    rules = _rules(tuple(called))
    if rules.anywhere.search(left := rules.denied.sub(" ", text)):
        text = left.strip(" ,;")  # "Shop, not Finance" names the Shop
    found = [each for each in _namings(text, rules, is_data) if not _SENDS.search(text[: each.start])]
    names = {_connection(each.name, called) for each in found}
    if len(names) > 1:
        return None
    if found:
        return NamedDatabase(names.pop(), _without(text, found))
    return _unknown(text, rules) if not _SENDS.search(text) else None


def unreadable_database(text: str, names: Collection[str], is_data: IsData) -> NamedDatabase | None:
    """Return one of the names that a sentence calls its database by, as it was typed; None where it names none.

    `names` are those of databases that the person may not read. That the name stands behind "in" is enough: nothing is
    answered from elsewhere without a word, and one press goes on.
    """
    text = text.strip()
    if not names or len(text) > NAMING_MAX_CHARS or _SENDS.search(text):
        return None
    rules = _rules(tuple(names))
    found = _namings(text, rules, is_data)
    placed = (each for each in rules.place.finditer(text) if not is_data(_name(each)))
    found = found or [_naming(each) for each in placed if not _NOT.search(text[: each.start()])]
    return NamedDatabase(question=_without(text, found), unknown=found[0].name) if found else None


def database_in(text: str, called: Mapping[str, str]) -> str:
    """Return the connection whose name stands anywhere in a text, in upper or lower case; "" for none or several."""
    found = {_connection(each["x"], called) for each in _rules(tuple(called)).anywhere.finditer(text)}
    return found.pop() if len(found) == 1 else ""


_IDENTIFIER = re.compile(r"\b[^\W\d]\w*_\w+\b")


def home_of(text: str, homes: Mapping[str, frozenset[str]], current: str) -> str:
    """Return the one connection that has a table which a text names exactly; "" where it needs no other than `current`.

    `homes` has the connections by the names of their tables, in lower case. Only names with an underscore count: any
    other may be an ordinary word.
    """
    named = [homes[word] for word in map(str.lower, _IDENTIFIER.findall(text)) if word in homes]
    if not named or any(current in where for where in named):
        return ""
    common = frozenset.intersection(*named)
    return next(iter(common)) if len(common) == 1 else ""


@dataclass(frozen=True, slots=True)
class _Naming:
    """Where a name stands with the words around it; `cut`: these go, and the question stays whole without them."""

    name: str
    start: int
    end: int
    cut: bool = True


@dataclass(frozen=True, slots=True)
class _Rules:
    """The patterns for one set of names."""

    switch: re.Pattern[str]
    alone: re.Pattern[str]
    lead: re.Pattern[str]
    beside: re.Pattern[str]
    bracket: re.Pattern[str]
    mention: re.Pattern[str]
    place: re.Pattern[str]
    table: re.Pattern[str]
    denied: re.Pattern[str]
    anywhere: re.Pattern[str]
    labels: frozenset[str]


@cache
def _rules(called: tuple[str, ...]) -> _Rules:
    longest_first = sorted(called, key=len, reverse=True)
    names = "|".join(re.escape(each).replace(r"\ ", r"\s+") for each in longest_first)
    quote = "[\"'“”„«»]?"
    one = rf"{quote}\b(?P<x>{names})\b{quote}"
    # Both orders: "the HR database", "la base de données HR".
    behind = rf"{quote}\b(?P<y>{names})\b{quote}(?:['’]s)?[ -]?{_DATABASE}\b"
    front = (
        rf"\b(?:{_DATABASE}|(?<=la )base|(?<=notre )base) (?:de |named |called |namens )?{quote}(?P<z>{names})\b{quote}"
    )
    noun = rf"(?:{behind}|{front})"
    either = rf"(?:{noun}|{one})"

    def made(pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)

    return _Rules(
        made(
            rf"^{_BEFORE}{_SWITCH} {_THE}{either}{_BEHIND}(?=$|[.!?,:;]|\s+(?:and|then|und|dann|et|puis|y)\b){_GO_ON}"
        ),
        made(rf"^{_BEFORE}@? ?{_THE}{either}{_BEHIND}\s*[.!?]*$"),
        made(
            rf"^{_LOOK}(?:@ ?)?(?:{_ANY_IN} )?{_THE}{either}(?:, not [^.:,]+| not [^.:,]+)?"
            r"(?P<mark>\s*[:.]|\s*,| [–—-])\s+"
        ),
        made(rf"\b{_LOOK}{_ANY_IN} {_THE}{noun}\s*,?"),
        made(rf"\s*(?:[(\[]\s*(?:{_ANY_IN} )?{_THE}{either}\s*[)\]]|(?<!\w)@ ?(?P<w>{names})\b)"),
        made(rf"\b(?:{noun}|(?P<w>{names})(?=\.[^\W\d]))"),
        made(rf"\b{_LOOK}{_IN} {_THE}{one}{_NEXT}"),
        made(
            rf"{one}(?:['’]s)?(?: (?:have|has|table|hat|tabelle|a|tiene|tabla))* (?P<t>[^\W\d]\w*_\w+)\b"
            rf"|\b(?P<u>[^\W\d]\w*_\w+)(?: table)? {_ANY_IN} {_THE}(?P<w>{names})\b"
        ),
        made(
            r",? ?\b(?:(?:and|und|et|y|but) )?"
            r"(?:not|nicht|pas|no|instead of|rather than|statt|au lieu de|en (?:vez|lugar) de)"
            rf" (?:{_ANY_IN} )?{_THE}(?:{_DATABASE} )?(?P<denied>{names})\b(?:[ -]?{_DATABASE}\b)?"
            r"(?:\s*,?\s*\b(?:but|sondern|mais|sino)\b|(?=\s*(?:$|[.!?,;])))"
        ),
        made(one),
        frozenset(called),
    )


def _namings(text: str, rules: _Rules, is_data: IsData) -> list[_Naming]:
    """Return where a database is named, by the surest rule that finds one."""
    if found := _at_once(text, rules, is_data):
        return [_naming(found)]
    if beside := [_naming(each) for each in rules.beside.finditer(text) if not _NOT.search(text[: each.start()])]:
        return beside
    if bracketed := [_naming(each) for each in rules.bracket.finditer(text) if not is_data(_name(each))]:
        return bracketed
    mentions = [_naming(each, cut=False) for each in rules.mention.finditer(text)]
    if mentions and not _NOT.search(text[: mentions[0].start]):
        return mentions
    tables = [each for each in rules.table.finditer(text) if not is_data(each["t"] or each["u"])]
    if tables and not _NOT.search(text[: tables[0].start()]):
        return [_naming(each, cut=False) for each in tables]
    placed = [each for each in rules.place.finditer(text) if _spelt(text, each, rules, is_data)]
    return [_naming(each) for each in placed]


def _at_once(text: str, rules: _Rules, is_data: IsData) -> re.Match[str] | None:
    """Return the name that a sentence begins with, or that it is about and nothing else."""
    found = rules.switch.match(text)
    if found and (_beside(found) or not _MEANT.search(found[0]) or not is_data(_name(found))):
        return found
    if (found := rules.alone.match(text)) and (_beside(found) or not is_data(_name(found))):
        return found
    for only in (*rules.mention.finditer(text), *rules.anywhere.finditer(text)):
        if (_beside(only) or _spelt(text, only, rules, is_data)) and not _without(text, [_naming(only)]):
            return only
    found = rules.lead.match(text)
    if found and (_beside(found) or (":" in found["mark"] and not is_data(_name(found)))):
        return found
    return found if found and _spelt(text, found, rules, is_data) else None


def _naming(found: re.Match[str], cut: bool = True) -> _Naming:
    return _Naming(_name(found), found.start(), found.end(), cut)


def _name(found: re.Match[str]) -> str:
    return next(value for key, value in found.groupdict().items() if key in "xyzw" and value)


def _beside(found: re.Match[str]) -> bool:
    """Tell whether a word such as "database" stands beside the name."""
    groups = found.groupdict()
    return bool(groups.get("y") or groups.get("z"))


def _spelt(text: str, found: re.Match[str], rules: _Rules, is_data: IsData) -> bool:
    """Tell a name that is spelt as it is called, and can be no ordinary word of the question."""
    name = _name(found)
    ordinary = re.fullmatch(r"[^\W\d_]+", name) is not None
    as_called = name in rules.labels and name != name.lower() and text != text.upper()
    if _NOT.search(text[: found.start()]) or (ordinary and not as_called):
        return False
    return not is_data(name)


def _connection(name: str, called: Mapping[str, str]) -> str:
    typed = " ".join(name.casefold().split())
    return called.get(name) or next(value for key, value in called.items() if key.casefold() == typed)


def _without(text: str, found: list[_Naming]) -> str:
    """Return the question without the words that name its database; "" where only "the same there" is left."""
    for each in reversed(found):
        if each.cut:
            # Cut from the middle, a comma that stood behind it would part what belongs together.
            text = f"{text[: each.start].rstrip()} {text[each.end :].lstrip()}"
    text = re.sub(r"\s+([?.!,;:])", r"\1", text).strip(" ,;:–—-")
    words = re.findall(r"[\w'’]+", text.casefold())
    left = [word for word in words if word.replace("’", "'") not in _words("same_there")]
    return text if left else ""


@cache
def _unknown_patterns() -> tuple[re.Pattern[str], ...]:
    word = r"(?P<u>[^\W\d_][\w&]*)"
    capital = r"(?P<u>(?-i:[A-ZÄÖÜÉ])[\w&]*)"
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"^{_BEFORE}{_SWITCH} {_THE}{word}[ -]{_DATABASE}{_BEHIND}[.!?]*$",
            rf"\b(?:{_ANY_IN}|{_SWITCH}) {_THE}{capital}[ -]{_DATABASE}\b",
            rf"\b(?:{_ANY_IN}|{_SWITCH}) {_THE}(?:{_DATABASE}|(?<=la )base) {capital}\b",
        )
    )


def _unknown(text: str, rules: _Rules) -> NamedDatabase | None:
    """Return what is called a database, and is none here."""
    for pattern in _unknown_patterns():
        found = pattern.search(text)
        if found and found["u"].casefold() not in _words("no_name") and not rules.anywhere.search(text):
            return NamedDatabase(unknown=found["u"])
    return None
