"""Compares a statement as it was typed with the text that sqlglot renders from its tree: both must say the same.

sqlglot knows one node for several spellings, and some spellings mean different things in one database: 0x04 is a
number and x'04' a text, MINUS is older than EXCEPT. So the words, names, texts and numbers of both are counted.
Names, texts and numbers keep their order, too.
What only differs in spelling is a row of the tables below; any other difference is a refusal, never a silent change.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

from router.sql.dialect import DIALECTS, EVERY_DIALECT, Name

_TEXTS = frozenset(
    {TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.BYTE_STRING, TokenType.RAW_STRING}
    | {TokenType.HEX_STRING, TokenType.BIT_STRING, TokenType.HEREDOC_STRING, TokenType.UNICODE_STRING}
)
_PLAIN_TEXTS = frozenset({TokenType.STRING, TokenType.HEREDOC_STRING, TokenType.RAW_STRING})

_SILENT = frozenset(EVERY_DIALECT["spellings"]["silent"].split())
"""Signs and words that sqlglot adds or leaves out if the meaning stays; the tree has what they stand for."""


@cache
def _spellings(dialect: Name) -> Mapping[str, list[str]]:
    """Return words and signs and the ones that sqlglot writes for them, in upper case."""
    listed = ", ".join(filter(None, (EVERY_DIALECT["spellings"]["common"], DIALECTS[dialect].spellings)))
    return {word: same for word, *same in map(str.split, listed.split(","))}


Rules = Mapping[str, Mapping[str, int]]
"""By a word that is typed, how often others may be left out, or be added, for each time it stands there."""

_LEFT_OUT: Rules = EVERY_DIALECT["left_out"]
_ADDED: Rules = EVERY_DIALECT["added"]


def changed_words(typed: list[Token], rendered: list[Token], dialect: Name) -> tuple[str, str]:
    """Return the words that rendering takes away and those that it adds; ("", "") if both texts say the same."""
    before, after = _said(typed, dialect), _said(rendered, dialect)
    lost, added = before - after, after - before
    if dialect == "tsql":  # total = SUM(amount) gives an alias
        del lost["="]
    if dialect not in ("postgres", "oracle"):  # city 'Town' does, too
        named = Counter(
            {word: times for word, times in lost.items() if word[:1] == "'" and word[1:-1].upper() in added}
        )
        lost, added = lost - named, added - Counter({word[1:-1].upper(): times for word, times in named.items()})
    return _listed(lost - _permitted(_LEFT_OUT, before)), _listed(added - _permitted(_ADDED, before))


_NAMES_AND_VALUES = _TEXTS | {TokenType.NUMBER, TokenType.IDENTIFIER, TokenType.VAR}
_LENGTHS = frozenset({"LIMIT", "OFFSET", "TOP", "FETCH", "FIRST", "NEXT"})
"""Words before the numbers of rows: LIMIT 1, 2 is LIMIT 2 OFFSET 1, and TOP stands before the columns."""
_BETWEEN_LENGTHS = frozenset("(),")
_WAYS_TO_SAMPLE = frozenset({"BERNOULLI", "SYSTEM", "RESERVOIR"})


def moved_word(typed: list[Token], rendered: list[Token], dialect: Name) -> str:
    """Return the first name, text or number that rendering puts further to the front; "" if all keep their order.

    sqlglot reads a table behind WHERE as if it stood before it: SELECT … FROM a WHERE id = 5, t joins t. An alias may
    stand before what it names in SQL Server and DuckDB, DuckDB lets FROM come first, and Oracle START WITH come last.
    """
    free = _WAYS_TO_SAMPLE | frozenset(word for same in _spellings(dialect).items() for word in (same[0], *same[1]))
    if dialect in ("tsql", "duckdb"):
        free |= {name.text.upper() for word, name in pairwise(rendered) if word.text.upper() == "AS"}
    before, after = ([word for word in _in_order(tokens) if word not in free] for tokens in (typed, rendered))
    if dialect == "oracle" and any(token.text.upper().startswith("CONNECT") for token in typed):
        return ""
    if before == after or (dialect == "duckdb" and _has_from_first(typed)):
        return ""
    once, then = Counter(before), Counter(after)
    kept, stand = ([word for word in words if once[word] == then[word]] for words in (before, after))
    return next((other for word, other in zip(kept, stand, strict=True) if word != other), "")


def _in_order(tokens: list[Token]) -> Iterator[str]:
    counts_rows = False
    for token in tokens:
        word = token.text.upper()
        counts_rows = word in _LENGTHS or (
            counts_rows and (token.token_type is TokenType.NUMBER or word in _BETWEEN_LENGTHS)
        )
        if token.token_type in _NAMES_AND_VALUES and not counts_rows:
            yield _digits_of(word) if token.token_type is TokenType.NUMBER else word


def _has_from_first(tokens: list[Token]) -> bool:
    """Return whether a FROM begins a query, which has its SELECT, if any, behind it."""
    words = ["(", *(token.text.upper() for token in tokens)]
    return any(word == "FROM" and before in ("(", "UNION", "ALL") for before, word in pairwise(words))


def _permitted(rules: Rules, typed: Counter[str]) -> Counter[str]:
    """Return how often each word may be missing, or may be new, because of the words that are typed."""
    permitted: Counter[str] = Counter()
    for word, others in rules.items():
        for other, times in others.items():
            permitted[other] += times * typed[word]
    return permitted


def _listed(words: Counter[str]) -> str:
    return ", ".join(sorted(words))[:100]


def _said(tokens: list[Token], dialect: Name) -> Counter[str]:
    """Count the words of a text; a join may have ON TRUE.

    In SQLite, IS NOT is IS DISTINCT FROM, and NOT NULL behind a value IS NOT NULL.
    """
    words = "\n".join(_words(tokens, dialect)).replace("\nON\nTRUE", "")
    if dialect == "sqlite":
        words = words.replace("IS\nNOT\nDISTINCT\nFROM", "IS").replace("IS\nDISTINCT\nFROM", "IS\nNOT")
        words = words.replace("IS\nNOT\nNULL", "NOT\nIS\nNULL").replace("NOT\nNULL", "NOT\nIS\nNULL")
    return Counter(words.split("\n"))


def _words(tokens: Iterable[Token], dialect: Name) -> Iterator[str]:
    """Yield what a text says: texts in quotes, numbers by their digits, names and words in upper case."""
    spellings, before = _spellings(dialect), ""
    for token in tokens:
        if before in ("CROSS", "OUTER") and token.text.upper() == "APPLY":
            yield before
        word = token.text.upper()
        if token.token_type in _TEXTS:
            kind = "" if token.token_type in _PLAIN_TEXTS else token.token_type.name
            quotes = token.end + 1 - token.start - len(token.text) if kind else 0  # 2 in 0x1F, 3 in x'1F'
            yield f"{kind}{quotes or ''}'{token.text}'"
        elif token.token_type is TokenType.NUMBER:
            yield _digits_of(word)
        elif token.token_type is TokenType.IDENTIFIER:
            yield word
        elif token.token_type is not TokenType.HINT and not _is_silent(before, word):
            yield from spellings.get(word, [word])
        before = word


def _digits_of(number: str) -> str:
    """Return a number in one spelling: .5 and 0.5, 5. and 5."""
    return number.strip(".").removeprefix("0.")


def _is_silent(before: str, word: str) -> bool:
    """Return whether a word says nothing: UNION DISTINCT is UNION."""
    return word in _SILENT or (word == "DISTINCT" and before in ("UNION", "EXCEPT", "INTERSECT"))
