"""A second reading of the rendered text, by the database's own rules of quoting and without sqlglot.

The text is cut into signs by one regular expression a database. A sign that is not in it, a string whose end could be
disputed, a function that is not on the list, a word that begins another statement: each is a refusal.
"""

import re
from collections import Counter
from functools import cache
from itertools import pairwise

from sqlglot import exp

from router.sql import folding
from router.sql.dialect import Name
from router.sql.functions import ALLOWED
from router.sql.vocabulary import BEFORE_PARENTHESIS, FORBIDDEN, HARMLESS_PAIRS, PREFIXES

_PLAIN_STRING = r"'(?:[^']|'')*+'"
# Where a backslash may or may not be an escape, both readings must end the string at the same quote.
_WARY_STRING = r"'(?:[^'\\]|''|\\[^'])*+'"
_DOUBLE_QUOTED = r'"(?:[^"]|"")++"'
_QUOTED = {"mysql": r"`(?:[^`]|``)++`", "tsql": r"\[(?:[^\]]|\]\])++\]"}
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
_WORD = r"[^\W\d]\w*"
_WORDS = {"oracle": r"[^\W\d][\w$#]*", "tsql": r"[^\W\d][\w$#]*", "postgres": r"[^\W\d][\w$]*"}
_NUMBER = r"0x[0-9A-Fa-f]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"


@cache
def _signs(dialect: Name) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<space>[ \n]+)|(?P<string>{_STRINGS.get(dialect, _PLAIN_STRING)})"
        rf"|(?P<quoted>{_QUOTED.get(dialect, _DOUBLE_QUOTED)})|(?P<number>(?:{_NUMBER})(?![\w$#@]))"
        rf"|(?P<word>{_WORDS.get(dialect, _WORD)})|(?P<sign>{_SIGNS[dialect]}|{_COMMON})"
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
        elif dialect == "oracle" and before == "." and folding.lower(piece.strip('"')) in ("nextval", "currval"):
            return "Only reading is possible here: taking a number from a sequence changes it."
        elif kind == "word" and (reason := _word(before, piece, after, dialect)):
            return reason
    return ""


def _word(before: str, piece: str, after: str, dialect: Name) -> str:
    name = folding.lower(piece)
    lowered = (folding.lower(before), name, folding.lower(after))
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
    name = folding.lower(piece)
    if dialect == "oracle" and name == "value" and before.startswith("'"):  # JSON_OBJECT('key' VALUE (…))
        return ""
    if kind == "word" and (name in ALLOWED[dialect] or name in BEFORE_PARENTHESIS):
        return ""
    return f"The function {name[:60]} is not on the list of functions that may run."
