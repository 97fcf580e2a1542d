"""Signs that word processors and chats put in place of those of SQL: put right outside of strings, and said.

Strings, quoted names and comments are found by the rules of the dialect and stay letter by letter as they are. A string
between curly quotes gets straight ones, and what stands in it stays. If one quote is curly and the other is not, all
are made straight if the text can be read only then.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import unescape

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.sql.dialect import DIALECTS, Name
from router.sql.parsing import statement

_COMMENTS = (r"--[^\n]*", r"/\*.*?\*/", r'"(?:[^"]|"")*"')

_SINGLE, _DOUBLE = "‘’‚‛＇", "“”„‟＂"
_STRAIGHT = str.maketrans(dict.fromkeys(_SINGLE, "'") | dict.fromkeys(_DOUBLE, '"'))
_LONG = "—―⸺"
"""Dashes that are made of two hyphens."""

_WIDE = {chr(sign): chr(sign - 0xFEE0) for sign in range(ord("！"), ord("～") + 1)}
_SIGNS: Mapping[str, tuple[str, str]] = {
    **{wide: (plain, "full-width signs as plain ones") for wide, plain in _WIDE.items()},
    **dict.fromkeys("\u00a0\u1680\u202f\u205f\u3000", (" ", "special spaces as plain ones")),
    **dict.fromkeys(map(chr, range(0x2000, 0x200B)), (" ", "special spaces as plain ones")),
    **dict.fromkeys("\u000b\u0085\u2028\u2029", ("\n", "special line breaks as plain ones")),
    **dict.fromkeys("\u200b\u2060\ufeff\u00ad", ("", "invisible signs left out")),
    **{sign: ("-", f"{sign} as `-`") for sign in "−‐‑﹣－"},
    **{sign: (plain, f"{sign} as `{plain}`") for sign, plain in (("≤", "<="), ("≥", ">="), ("≠", "<>"))},
}
"""By a sign, the one of SQL in its place, and what is said of that."""

_PARTS = (
    rf"(?P<single>[{_SINGLE}](?P<text>(?:[^{_SINGLE}'\n]|[{_SINGLE}]{{2}})*)[{_SINGLE}])",
    rf"(?P<double>[{_DOUBLE}](?P<name>[^{_DOUBLE}\"\n]*)[{_DOUBLE}])",
    r"(?P<html>&(?:lt|gt|amp|nbsp|quot|apos|#39|#34);|<br\s*/?>)",
    r"(?P<end>(?i:(?:(?<=\n)[ \t]*(?:go|/)[ \t\r]*;?|;?\\g)(?=\s*(?:\Z|\n\s*(?:select|with)\b))))",
    r"(?P<dash>[–—―⸺])",
    rf"(?P<sign>[{re.escape(''.join(_SIGNS))}])",
)


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
    dashes = [text for text, said in parts if said is None]
    is_long = any(sign in _LONG for sign in dashes)
    texts = {
        mark: "".join(mark if said is None else text for text, said in parts)
        for mark in (("--", "-") if is_long else ("-", "--") if dashes else ("",))
    }
    sound = {tree: mark for mark, text in texts.items() if dashes and (tree := _tree(text, dialect)) is not None}
    if len(sound) > 1 and is_long:
        return PastedSql(texts["-"], problem=_TWO_READINGS.format(next(sign for sign in dashes if sign in _LONG)))
    mark = next(iter(sound.values() or texts))
    told = [f"{sign} as `{mark}`{' (a comment)' if mark == '--' else ''}" for sign in dashes]
    said = dict.fromkeys([*made, *(said for _, said in parts if said), *told])
    return PastedSql(texts[mark], f"Put right outside of strings: {', '.join(said)}." if said else "")


_TWO_READINGS = (
    "The dash {} may begin a comment (--) or be a minus (-), and this SQL can be read either way, so it does not run. "
    "Please type the one you mean."
)

Part = tuple[str, str | None]
"""A text as it is now, and what is said of it; None for a dash, which is not put right yet."""


def _tree(sql: str, dialect: Name) -> str | None:
    """Return a text that is the same for SQL that reads the same; None for what does not read."""
    try:
        tree = statement(sql, dialect)
    except (SqlglotError, RecursionError):
        return None
    return tree.sql(dialect, comments=False) if isinstance(tree, exp.Expr) else None


def _parts(sql: str, dialect: Name) -> Iterator[Part]:
    """Yield the parts of a text, put right."""
    place = 0
    for found in _pattern(dialect).finditer(sql):
        yield sql[place : found.start()], ""
        place = found.end()
        yield _put_right(found)
    yield sql[place:], ""


def _put_right(found: re.Match[str]) -> Part:
    typed = found[0]
    match found.lastgroup:
        case "single":
            text = re.sub(rf"[{_SINGLE}]{{2}}", "''", found["text"])
            return f"'{text}'", f"{typed[0]} {typed[-1]} as `'`"
        case "double":
            return f'"{found["name"]}"', f'{typed[0]} {typed[-1]} as `"`'
        case "html":
            return "\n" if typed.startswith("<") else unescape(typed).replace(
                "\xa0", " "
            ), "codes of HTML as what they stand for"
        case "end":
            return ";", f"`{typed.strip().strip(';')}` as the end of the statement"
        case "dash":
            return typed, None
        case "sign":
            return _SIGNS[typed]
    return typed, ""  # a string, a quoted name or a comment


@cache
def _pattern(dialect: Name) -> re.Pattern[str]:
    kept = "|".join((*DIALECTS[dialect].kept, *_COMMENTS))
    return re.compile(rf"(?P<kept>{kept})|{'|'.join(_PARTS)}", re.DOTALL)
