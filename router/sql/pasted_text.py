"""Signs that word processors and chats put in place of those of SQL: put right outside of strings, and said.

Strings, quoted names and comments are found by the rules of the dialect and stay letter by letter as they are. A string
between curly quotes gets straight ones, and what stands in it stays.
"""

import re
from dataclasses import dataclass
from functools import cache
from html import unescape

from router.sql.dialect import Name

_PLAIN, _ESCAPING = r"'(?:[^']|'')*'", r"'(?:[^'\\]|''|\\.)*'"
_BACKTICKS, _BRACKETS, _DOLLARS = r"`(?:[^`]|``)*`", r"\[[^\]]*\]", r"\$(?P<tag>(?:[A-Za-z_]\w*)?)\$.*?\$(?P=tag)\$"
_KEPT: dict[Name, tuple[str, ...]] = {
    "sqlite": (_BACKTICKS, _BRACKETS, _PLAIN),
    "duckdb": (_DOLLARS, rf"(?<!\w)[eE]{_ESCAPING}", _PLAIN),
    "postgres": (_DOLLARS, rf"(?<!\w)[eE]{_ESCAPING}", _PLAIN),
    "oracle": (r"(?<!\w)[nN]?[qQ]'(?:\[.*?\]|\(.*?\)|\{.*?\}|<.*?>|(?P<sign>\S).*?(?P=sign))'", _PLAIN),
    "mysql": (_BACKTICKS, r"#[^\n]*", _ESCAPING, r'"(?:[^"\\]|""|\\.)*"'),
    "tsql": (r"\[(?:[^\]]|\]\])*\]", _PLAIN),
}
_COMMENTS = (r"--[^\n]*", r"/\*.*?\*/", r'"(?:[^"]|"")*"')

_SINGLE, _DOUBLE = "‘’‚‛＇", "“”„‟＂"
_SIGNS = (
    rf"(?P<single>[{_SINGLE}](?:[^{_SINGLE}'\n]|[{_SINGLE}]{{2}})*[{_SINGLE}']|'[^{_SINGLE}'\n]*[{_SINGLE}])",
    rf"(?P<double>[{_DOUBLE}][^{_DOUBLE}\"\n]*[{_DOUBLE}\"])",
    r"(?P<html>&(?:lt|gt|amp|nbsp|quot|apos|#39|#34);|<br\s*/?>)",
    r"(?P<end>(?i:(?:(?<=\n)[ \t]*(?:go|/)[ \t\r]*;?|;?\\g)(?=\s*(?:\Z|\n\s*(?:select|with)\b))))",
    "(?P<space>[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000])",
    "(?P<line>[\u000b\u0085\u2028\u2029])",
    "(?P<nothing>[\u200b\u2060\ufeff\u00ad])",
    r"(?P<mark>[−‐‑﹣－–—―⸺≤≥≠])",
    r"(?P<wide>[！-～])",
)
_MARKS = {"≤": "<=", "≥": ">=", "≠": "<>", **dict.fromkeys("—―⸺", "--"), **dict.fromkeys("−‐‑﹣－–", "-")}
"""A long dash is what programs make of the two hyphens of a comment."""

_ALIKE = {
    "html": "codes of HTML as what they stand for",
    "space": "special spaces as plain ones",
    "line": "special line breaks as plain ones",
    "nothing": "invisible signs left out",
    "wide": "full-width signs as plain ones",
}


@dataclass(frozen=True, slots=True)
class PastedSql:
    """SQL with its signs put right; `said` tells people which."""

    sql: str
    said: str = ""


def put_right(sql: str, dialect: Name) -> PastedSql:
    """Return SQL with the signs of SQL in place of those that a word processor, a telephone or a chat made of them."""
    said: dict[str, None] = {}

    def plain(found: re.Match[str]) -> str:
        mark, what = _put_right(found)
        if what:
            said[what] = None
        return mark

    text = _pattern(dialect).sub(plain, sql)
    return PastedSql(text, f"Put right outside of strings: {', '.join(said)}." if said else "")


def _put_right(found: re.Match[str]) -> tuple[str, str]:
    """Return what stands in the place of a part, and what is said of it."""
    kind, typed = found.lastgroup or "", found[0]
    match kind:
        case "single":
            text = re.sub(rf"[{_SINGLE}]{{2}}", "''", typed[1:-1])
            return f"'{text}'", f"{typed[0]} {typed[-1]} as `'`"
        case "double":
            return f'"{typed[1:-1]}"', f'{typed[0]} {typed[-1]} as `"`'
        case "html":
            return "\n" if typed.startswith("<") else unescape(typed).replace("\xa0", " "), _ALIKE[kind]
        case "end":
            return ";", f"`{typed.strip().strip(';')}` as the end of the statement"
        case "mark":
            mark = _MARKS[typed]
            return mark, f"{typed} as `{mark}`{' (a comment)' if mark == '--' else ''}"
        case "space" | "line" | "nothing":
            return {"space": " ", "line": "\n", "nothing": ""}[kind], _ALIKE[kind]
        case "wide":
            return chr(ord(typed) - 0xFEE0), _ALIKE[kind]
    return typed, ""  # a string, a quoted name or a comment


@cache
def _pattern(dialect: Name) -> re.Pattern[str]:
    kept = "|".join((*_KEPT[dialect], *_COMMENTS))
    return re.compile(rf"(?P<kept>{kept})|{'|'.join(_SIGNS)}", re.DOTALL)
