"""Compares a statement as it was typed with the text that sqlglot renders from its tree: both must say the same.

sqlglot knows one node for several spellings, and some spellings mean different things in one database: 0x04 is a
number and x'04' a text, MINUS is older than EXCEPT. So the words, names, texts and numbers of both are counted.
What only differs in spelling is a row of the tables below; any other difference is a refusal, never a silent change.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from sqlglot.tokenizer_core import Token, TokenType

from router.sql.dialect import Name

_TEXTS = frozenset(
    {TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.BYTE_STRING, TokenType.RAW_STRING}
    | {TokenType.HEX_STRING, TokenType.BIT_STRING, TokenType.HEREDOC_STRING, TokenType.UNICODE_STRING}
)
_PLAIN_TEXTS = frozenset({TokenType.STRING, TokenType.HEREDOC_STRING, TokenType.RAW_STRING})

_SILENT = frozenset("(),.:") | {"AS", "CROSS", "INNER", "JOIN", "OUTER", "NULLS", "FIRST", "LAST", "ASC"}
"""Signs and words that sqlglot adds or leaves out where the meaning stays; the tree has what they stand for."""

_COMMON_SPELLINGS = (
    "!= <>, ^= <>, == =, :: CAST, NOTNULL NOT IS NULL, ISNULL IS NULL, SOME ANY, ROWS ROW, NEXT FIRST, RLIKE REGEXP"
)
_OWN_SPELLINGS: Mapping[Name, str] = {
    "sqlite": "",
    "duckdb": ", ^ POWER, ** POWER, % MOD, PERCENT MOD",
    "postgres": ", ^ POWER, |/ SQRT, ! NOT",
    "oracle": ", EXCEPT MINUS",
    "mysql": (
        ", && AND, || OR, ! NOT, MOD %, DISTINCTROW DISTINCT, CONVERT CAST, USING CHAR CHARACTER SET"
        ", CHARSET CHARACTER SET"
    ),
    "tsql": "",
}
_SPELLINGS: Mapping[Name, Mapping[str, list[str]]] = {
    dialect: {word: same for word, *same in map(str.split, (_COMMON_SPELLINGS + own).split(","))}
    for dialect, own in _OWN_SPELLINGS.items()
}
"""By dialect, words and signs and the one that sqlglot writes for them, in upper case."""

_WHOLE_TABLE = Counter({"SELECT": 1, "*": 1, "FROM": 1, "_VALUES": 1})
_ADDED: tuple[tuple[str, Counter[str]], ...] = (
    ("LIMIT", Counter({"OFFSET": 1})),
    ("PRECEDING", Counter({"BETWEEN": 1, "AND": 1, "CURRENT": 1, "ROW": 1})),
    ("FOLLOWING", Counter({"BETWEEN": 1, "AND": 1, "CURRENT": 1, "ROW": 1})),
    ("VALUES", _WHOLE_TABLE),
    ("TABLE", _WHOLE_TABLE),
    ("FROM", Counter({"SELECT": 1, "*": 1})),
    ("SAMPLE", Counter({"REPEATABLE": 1})),
    ("BINARY", Counter({"CAST": 1})),
)
"""By a word that is typed, what may be added for each time it stands there."""


def changed_words(typed: list[Token], rendered: list[Token], dialect: Name) -> tuple[str, str]:
    """Return the words that rendering takes away and those that it adds; ("", "") where both texts say the same."""
    before, after = Counter(_words(typed, dialect)), Counter(_words(rendered, dialect))
    lost, added = before - after, after - before
    for word in ("TABLE", "=") if dialect == "tsql" else ("TABLE",):  # an alias may stand before =
        lost.pop(word, None)
    for word, addition in _ADDED:
        for each, times in addition.items():
            if word in before and each in added:
                added[each] -= times * before[word]
    return _listed(lost), _listed(+added)


def _listed(words: Counter[str]) -> str:
    return ", ".join(sorted(words))[:100]


def _words(tokens: Iterable[Token], dialect: Name) -> Iterator[str]:
    """Yield what a text says: texts in quotes, numbers by their digits, names and words in upper case."""
    spellings, before = _SPELLINGS[dialect], ""
    for token in tokens:
        if before in ("CROSS", "OUTER") and token.text.upper() == "APPLY":
            yield before
        word = token.text.upper()
        if token.token_type in _TEXTS:
            kind = "" if token.token_type in _PLAIN_TEXTS else token.token_type.name
            yield word if before == "AS" else f"{kind}'{token.text}'"  # SQL Server takes a text for an alias
        elif token.token_type is TokenType.NUMBER:
            yield word.strip(".").removeprefix("0.")
        elif token.token_type is TokenType.IDENTIFIER:
            yield word
        elif token.token_type is not TokenType.HINT and not _is_silent(before, word):
            yield from spellings.get(word, [word])
        before = word


def _is_silent(before: str, word: str) -> bool:
    if word in ("ALL", "DISTINCT"):
        return before in ("UNION", "EXCEPT", "INTERSECT") and word == "DISTINCT"
    return word in _SILENT
