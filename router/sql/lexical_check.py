"""A second reading of the rendered text, by the database's own rules of quoting and without sqlglot.

The text is cut into signs by one regular expression a database. A sign that is not in it, a string whose end could be
disputed, a function that is not on the list, a word that begins another statement: each is a refusal.
"""

import re
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise

from sqlglot import exp

from router.sql import identifiers
from router.sql.allowed_functions import ALLOWED
from router.sql.dialect import Name

# Words of the SQL language in a rendered text.

_SYNTAX = """
    all and any apply array as asc at bernoulli between by case cast check columns connect cube cycle desc distinct
    div else end escape except exclude exists fetch filter following for from group having ilike in include index
    intersect interval is join keep key lateral like limit materialized member minus mod next not nulls of offset on
    option or order outer over overlaps partition pass percent pivot preceding prior qualify recursive regexp rename
    repeatable replace reservoir rlike rollup row rows sample search select sets siblings similar some start struct
    system tablesample then ties to top union unnest unpivot using values when where window with within xor
"""
_TYPES = """
    bigint binary binary_double binary_float bit blob bool boolean bpchar char character clob date datetime
    datetime2 datetimeoffset dec decimal double float int integer json jsonb list map mediumint money nchar nclob
    number numeric nvarchar nvarchar2 precision raw real signed smallint struct text time timestamp timestamptz
    timetz tinyint unsigned uuid varbinary varbit varchar varchar2 vector year
"""
BEFORE_PARENTHESIS = frozenset(f"{_SYNTAX} {_TYPES}".split())
"""Words that a parenthesis may follow without being functions."""

_STATEMENTS = """
    alter attach begin call commit copy create delete detach do drop dumpfile exec execute grant handler insert
    install into kill load lock merge outfile pragma prepare revoke rollback shutdown truncate update vacuum
"""
_SESSION = "current_catalog current_role current_schema current_user session_user system_user"
_TSQL = """
    backup break bulk checkpoint close continue dbcc deallocate declare deny disk dump errlvl exit go goto
    identitycol if kill nocheck opendatasource openquery openrowset print proc procedure raiserror readtext
    reconfigure restore return revert rowguidcol save set setuser shutdown statistics tran transaction trigger
    tsequal updatetext use user waitfor while writetext
"""
FORBIDDEN: dict[Name, frozenset[str]] = {
    "sqlite": frozenset(f"{_STATEMENTS} {_SESSION}".split()),
    "duckdb": frozenset(f"{_STATEMENTS} {_SESSION} user".split()),
    "postgres": frozenset(f"{_STATEMENTS} {_SESSION} user".split()),
    "oracle": frozenset(f"{_STATEMENTS} {_SESSION} user uid userenv".split()),
    "mysql": frozenset(f"{_STATEMENTS} {_SESSION}".split()),
    "tsql": frozenset(f"{_STATEMENTS} {_SESSION} {_TSQL}".split()),
}
"""Words that, without quotes, begin another statement or ask who is connected."""

HARMLESS_PAIRS: defaultdict[Name, frozenset[tuple[str, str]]] = defaultdict(frozenset)
HARMLESS_PAIRS["oracle"] = frozenset({("overflow", "truncate")})
HARMLESS_PAIRS["duckdb"] = frozenset({("into", "name")})
"""Neighbours of which one would be forbidden alone: LISTAGG (… ON OVERFLOW TRUNCATE …), UNPIVOT … INTO NAME."""

PREFIXES: dict[Name, frozenset[str]] = {
    "sqlite": frozenset({"x"}),
    "duckdb": frozenset({"e", "x"}),
    "postgres": frozenset({"e", "x", "b"}),
    "oracle": frozenset({"n"}),
    "mysql": frozenset({"n", "x", "b"}),
    "tsql": frozenset({"n"}),
}
"""Letters that may stand directly before a string."""


_PLAIN_STRING = r"'(?:[^']|'')*+'"
# Where a backslash may or may not be an escape, both readings must end the string at the same quote.
_WARY_STRING = r"'(?:[^'\\]|''|\\[^'])*+'"
_DOUBLE_QUOTED = r'"(?:[^"]|"")++"'
_QUOTED_NAMES = {"mysql": r"`(?:[^`]|``)++`", "tsql": r"\[(?:[^\]]|\]\])++\]"}
_STRINGS = {"mysql": _WARY_STRING, "postgres": _WARY_STRING}
_SIGNS = {
    "sqlite": r"<<|>>|->>|->|==|~",
    "duckdb": r"<<|>>|->>|->|@>|<@|<=>|//|\*\*|&&|\^@|<->|=>|!~~\*?|~~\*?|!~|~|[\[\]{}:^!]",
    "postgres": (
        r"<<=?|>>=?|->>|->|@>|<@|@@|@\?|#>>|#>|#-|\?\||\?&|\?|&&|&<|&>|-\|-|\^@|<->|<#>|!?~~?\*?|=>|\|/|[\[\]:^!#]"
    ),
    "oracle": r"\(\+\)|=>|\^=",
    "mysql": r"<=>|<<|>>|->>|->|&&|[!^~]",
    "tsql": r"[~^]",
}
_COMMON = r"<=|>=|<>|!=|\|\||-(?!-)|/(?!\*)|[+*%=<>(),.&|]"
_SQL_WORD = r"[^\W\d]\w*"
_SQL_WORDS = {"oracle": r"[^\W\d][\w$#]*", "tsql": r"[^\W\d][\w$#]*", "postgres": r"[^\W\d][\w$]*"}
_SQL_NUMBER = r"0x[0-9A-Fa-f]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"


@cache
def _signs(dialect: Name) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<space>[ \n]+)|(?P<string>{_STRINGS.get(dialect, _PLAIN_STRING)})"
        rf"|(?P<quoted>{_QUOTED_NAMES.get(dialect, _DOUBLE_QUOTED)})|(?P<number>(?:{_SQL_NUMBER})(?![\w$#@]))"
        rf"|(?P<word>{_SQL_WORDS.get(dialect, _SQL_WORD)})|(?P<sign>{_SIGNS[dialect]}|{_COMMON})"
    )


def problem(text: str, tree: exp.Expr, dialect: Name) -> str:
    """Return the sentence for what the database could read in `text` that may not run, or ""."""
    pieces: list[tuple[str, str]] = []
    place, signs = 0, _signs(dialect)
    while place < len(text):
        match = signs.match(text, place)
        if match is None:
            return f"The sign {text[place]!r} (near {text[max(0, place - 20) : place + 20]!r}) may not be used here."
        pieces.append((match.lastgroup or "", match.group()))
        place = match.end()
    return _prefix(pieces, dialect) or _words(pieces, tree, dialect)


def _prefix(pieces: list[tuple[str, str]], dialect: Name) -> str:
    for (kind, piece), (after, _) in pairwise(pieces):
        if after in ("string", "quoted") and kind in ("word", "number", "string", "quoted"):
            if kind == "word" and after == "string" and piece.lower() in PREFIXES[dialect]:
                continue
            return f"Quotes right after {piece[:40]!r} could be read in two ways, so this SQL does not run."
    return ""


def _words(pieces: list[tuple[str, str]], tree: exp.Expr, dialect: Name) -> str:
    seen = [("", ""), *(piece for piece in pieces if piece[0] != "space"), ("", "")]
    naming = _naming(tree, dialect)
    for (_, before), (kind, piece), (_, after) in zip(seen, seen[1:], seen[2:], strict=False):
        if kind in ("word", "quoted") and after == "(":
            if naming[piece] > 0 and before != ".":
                naming[piece] -= 1
            elif reason := _call(before, kind, piece, dialect):
                return reason
        elif dialect == "oracle" and before == "." and identifiers.lower(piece.strip('"')) in ("nextval", "currval"):
            return "Only reading is possible here: taking a number from a sequence changes it."
        elif kind == "word" and (reason := _word(before, piece, after, dialect)):
            return reason
    return ""


def _word(before: str, piece: str, after: str, dialect: Name) -> str:
    name = identifiers.lower(piece)
    lowered = (identifiers.lower(before), name, identifiers.lower(after))
    if lowered[:2] in HARMLESS_PAIRS[dialect] or lowered[1:] in HARMLESS_PAIRS[dialect]:
        return ""
    if before != "." and name in FORBIDDEN[dialect] and after != "." and (before.upper() != "AS" or dialect == "tsql"):
        return f"The word {piece.upper()} may not be used here; if it is a column's name, it has to be quoted."
    return ""


def _naming(tree: exp.Expr, dialect: Name) -> Counter[str]:
    """Count the aliases that are followed by a list of their columns, which looks like a call."""
    aliases = (alias for alias in tree.find_all(exp.TableAlias) if alias.args.get("columns") and alias.this)
    return Counter(alias.this.sql(dialect=dialect) for alias in aliases)


def _call(before: str, kind: str, piece: str, dialect: Name) -> str:
    if before == ".":
        return f"Functions of a schema, a package or an object may not run here (near {piece[:60]})."
    name = identifiers.lower(piece)
    if dialect == "oracle" and name == "value" and before.startswith("'"):  # JSON_OBJECT('key' VALUE (…))
        return ""
    if kind == "word" and (name in ALLOWED[dialect] or name in BEFORE_PARENTHESIS):
        return ""
    return f"The function {name[:60]} is not on the list of functions that may run."
