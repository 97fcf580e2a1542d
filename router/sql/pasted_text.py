"""Signs that word processors and chats put in place of those of SQL: put right outside of strings, and said.

Strings, quoted names and comments are found by the rules of the dialect and stay letter by letter as they are. A string
between curly quotes gets straight ones, and what stands in it stays. Where one quote is curly and the other is not, all
are made straight if the text can be read only then.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import product

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.sql.dialect import DIALECTS, Name
from router.sql.parsing import statement

DASHES_TRIED_MAX = 6
"""Dashes of a text of which each may be a comment or a minus; of further ones, all are read alike."""

_COMMENTS = (r"--[^\n]*", r"/\*.*?\*/", r'"(?:[^"]|"")*"')

_SINGLE, _DOUBLE = "‘’‚‛＇", "“”„‟＂"
_CURLY = (
    rf"(?P<single>[{_SINGLE}](?P<text>(?:[^{_SINGLE}'\n]|[{_SINGLE}]{{2}})*)[{_SINGLE}])",
    rf"(?P<double>[{_DOUBLE}](?P<name>[^{_DOUBLE}\"\n]*)[{_DOUBLE}])",
    r"(?P<coded>&(?P<quote>quot|apos|#39|#34);(?P<inside>.*?)&(?P=quote);)",
)
_SIGNS = (
    r"(?P<html>&(?:lt|gt|amp|nbsp);|<br\s*/?>)",
    r"(?P<end>(?i:(?:(?<=\n)[ \t]*(?:go|/)[ \t\r]*;?|;?\\g)(?=\s*(?:\Z|\n\s*(?:select|with)\b))))",
    "(?P<space>[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000])",
    "(?P<line>[\u000b\u0085\u2028\u2029])",
    "(?P<nothing>[\u200b\u2060\ufeff\u00ad])",
    r"(?P<minus>[−‐‑﹣－])",
    r"(?P<dash>[–—―⸺])",
    r"(?P<compare>[≤≥≠])",
    r"(?P<wide>[！-～])",
)
_STRAIGHT = str.maketrans(dict.fromkeys(_SINGLE, "'") | dict.fromkeys(_DOUBLE, '"'))
_COMPARISONS = {"≤": "<=", "≥": ">=", "≠": "<>"}
_ALIKE = {
    "html": "codes of HTML as what they stand for",
    "space": "special spaces as plain ones",
    "line": "special line breaks as plain ones",
    "nothing": "invisible signs left out",
    "wide": "full-width signs as plain ones",
}
_LONG = "—―⸺"
"""Dashes that are made of two hyphens."""


@dataclass(frozen=True, slots=True)
class PastedSql:
    """SQL with its signs put right; `said` tells people which, `problem` that a dash can be read in two ways."""

    sql: str
    said: str = ""
    problem: str = ""


def put_right(sql: str, dialect: Name) -> PastedSql:
    """Return SQL with the signs of SQL in place of those that a word processor, a telephone or a chat made of them."""
    found, straight = _with_signs(sql, dialect), sql.translate(_STRAIGHT)
    if straight == sql or found.problem or _tree(found.sql, dialect) is not None:
        return found
    other = _with_signs(straight, dialect, "all curly quotes as straight ones")
    return found if _tree(other.sql, dialect) is None else other


def _with_signs(sql: str, dialect: Name, *made: str) -> PastedSql:
    parts = list(_parts(sql, dialect))
    said = dict.fromkeys([*made, *(said for _, said, _ in parts if said)])
    dashes = [typed for _, _, typed in parts if typed]
    if not dashes:
        return PastedSql("".join(text for text, _, _ in parts), _sentence(tuple(said)))
    texts = {marks: _with_dashes(parts, marks) for marks in _readings(dashes)}
    sound: dict[str, tuple[str, ...]] = {}
    for marks, text in texts.items():
        if (tree := _tree(text, dialect)) is not None:
            sound.setdefault(tree, marks)
    chosen = next(iter(sound.values()), next(iter(texts)))
    if len(sound) > 1 and any(sign in _LONG for sign in dashes):
        longest = max(sound.values(), key=lambda marks: marks.count("-"))
        return PastedSql(texts[longest], problem=_TWO_READINGS.format(next(sign for sign in dashes if sign in _LONG)))
    said |= {
        f"{sign} as `{mark}`{' (a comment)' if mark == '--' else ''}": None for sign, mark in _paired(dashes, chosen)
    }
    return PastedSql(texts[chosen], _sentence(tuple(said)))


_TWO_READINGS = (
    "The dash {} may begin a comment (--) or be a minus (-), and this SQL can be read either way, so it does not run. "
    "Please type the one you mean."
)


def _sentence(said: tuple[str, ...]) -> str:
    return f"Put right outside of strings: {', '.join(said)}." if said else ""


def _readings(dashes: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield what the dashes can stand for, the likeliest first: a long one is a comment, any other one a minus."""
    ways = [("--", "-") if sign in _LONG else ("-", "--") for sign in dashes]
    if len(ways) <= DASHES_TRIED_MAX:
        yield from product(*ways)
    else:
        yield from zip(*ways, strict=True)


def _paired(dashes: list[str], marks: tuple[str, ...]) -> dict[tuple[str, str], None]:
    return dict.fromkeys(zip(dashes, marks, strict=True))


def _with_dashes(parts: list[tuple[str, str, str]], marks: tuple[str, ...]) -> str:
    waiting = iter(marks)
    return "".join(next(waiting) if typed else text for text, _, typed in parts)


def _tree(sql: str, dialect: Name) -> str | None:
    """Return a text that is the same for SQL that reads the same; None for what does not read."""
    try:
        tree = statement(sql, dialect)
    except (SqlglotError, RecursionError):
        return None
    return tree.sql(dialect, comments=False) if isinstance(tree, exp.Expr) else None


def _parts(sql: str, dialect: Name) -> Iterator[tuple[str, str, str]]:
    """Yield the parts of a text: what stands there now, what is said of it, and the sign of a dash."""
    place = 0
    for found in _pattern(dialect).finditer(sql):
        yield sql[place : found.start()], "", ""
        place = found.end()
        yield _put_right(found)
    yield sql[place:], "", ""


def _put_right(found: re.Match[str]) -> tuple[str, str, str]:
    kind, typed = found.lastgroup, found[0]
    match kind:
        case "single":
            text = re.sub(rf"[{_SINGLE}]{{2}}", "''", found["text"])
            return f"'{text}'", f"{typed[0]} {typed[-1]} as `'`", ""
        case "double":
            return f'"{found["name"]}"', f'{typed[0]} {typed[-1]} as `"`', ""
        case "coded":
            quote = unescape(f"&{found['quote']};")
            return f"{quote}{unescape(found['inside'])}{quote}", _ALIKE["html"], ""
        case "html":
            return "\n" if typed.startswith("<") else unescape(typed).replace("\xa0", " "), _ALIKE["html"], ""
        case "end":
            return ";", f"`{typed.strip().strip(';')}` as the end of the statement", ""
        case "dash":
            return typed, "", typed
        case "minus" | "compare":
            mark = _COMPARISONS.get(typed, "-")
            return mark, f"{typed} as `{mark}`", ""
        case "space" | "line" | "nothing":
            return {"space": " ", "line": "\n", "nothing": ""}[kind], _ALIKE[kind], ""
        case "wide":
            return chr(ord(typed) - 0xFEE0), _ALIKE[kind], ""
    return typed, "", ""  # a string, a quoted name or a comment


@cache
def _pattern(dialect: Name) -> re.Pattern[str]:
    kept = "|".join((*DIALECTS[dialect].kept, *_COMMENTS))
    return re.compile(rf"(?P<kept>{kept})|{'|'.join((*_CURLY, *_SIGNS))}", re.DOTALL)
