"""From a text to the one statement in it, or to the sentence that says why not."""

import re
import unicodedata
from itertools import pairwise

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from router.sql import step_limit
from router.sql.dialect import DIALECTS, Name

SQL_MAX_CHARS = 300_000
SQL_MAX_TOKENS = 40_000
NESTING_MAX_DEPTH = 40

_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END}
_STARTS = {"SELECT", "WITH", "VALUES", "("}
_OWN_STARTS: dict[Name, set[str]] = {"duckdb": {"FROM", "PIVOT", "UNPIVOT"}, "postgres": {"TABLE"}}
_CHANGES = frozenset(
    {"ALTER", "BULK", "COMMENT", "COPY", "CREATE", "DELETE", "DENY", "DROP", "GRANT", "IMPORT", "INSERT", "LOAD"}
    | {"MERGE", "REINDEX", "RENAME", "REPLACE", "REVOKE", "TRUNCATE", "UPDATE", "UPSERT", "VACUUM"}
)
_DECEIVING = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
_CONDITIONAL = re.compile(r"/\*M?!", re.IGNORECASE)
_ONE_ONLY = "Only one statement at a time can run here; this text has {}."


def problem(sql: str, dialect: Name) -> str:
    """Return why this text is not worth parsing, or "" if it is."""
    if dialect not in DIALECTS:
        return f"The database kind {dialect!r} is not known here."
    if not sql.strip():
        return "There is no SQL in this text."
    if len(sql) > SQL_MAX_CHARS:
        return f"This SQL has {len(sql):,} characters; at most {SQL_MAX_CHARS:,} can be judged."
    if any(unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\t\r\n\f\ufeff" for sign in sql):
        return "This SQL contains control characters, so it does not run."
    if dialect == "mysql" and _CONDITIONAL.search(sql):
        return "Comments that begin with /*! or /*M! are run by some servers, so they may not be used here."
    if "__SQLGLOT__" in sql:  # sqlglot's own mark for the end of a line
        return "This SQL contains a name that is kept for the parser, so it does not run."
    if _DECEIVING.search(sql):
        return "This SQL contains invisible characters that turn the direction of writing, so it does not run."
    return ""


def statement(sql: str, dialect: Name) -> exp.Expr | str:
    """Return the tree of the only statement, without optimizer hints, or the sentence that says why there is none.

    Raises SqlglotError where the text is not SQL of this dialect.
    """
    return tree_of(tokens(sql, dialect), sql, dialect)


def tokens(sql: str, dialect: Name) -> list[Token]:
    """Return the words and signs of a text, without semicolons at its end; comments are none of them."""
    tokens = Dialect.get_or_raise(dialect).tokenize(sql.lstrip("\ufeff"))
    step_limit.demand_time()
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    return tokens


def same_tokens(these: list[Token], those: list[Token]) -> bool:
    """Tell whether two texts are made of the same words and signs, so that one tree stands for both."""
    return len(these) == len(those) and all(
        this.token_type is that.token_type and this.text == that.text for this, that in zip(these, those, strict=True)
    )


def tree_of(tokens: list[Token], sql: str, dialect: Name) -> exp.Expr | str:
    """Return what `statement` does, for a text of which the words and signs are known."""
    if reason := _reason(tokens, dialect):
        return reason
    trees = [tree for tree in step_limit.parse(tokens, sql, dialect) if tree is not None]
    trees = [tree for tree in trees if not isinstance(tree, exp.Semicolon)]
    if len(trees) != 1:
        return _ONE_ONLY.format(len(trees))
    tree = trees[0]
    if not isinstance(tree, (exp.Select, exp.SetOperation, exp.Subquery, exp.Values, exp.Pivot)):
        return f"Only reading is possible here, by SELECT; this is something else ({tree.key.upper()})."
    for hint in list(tree.find_all(exp.Hint)):
        hint.pop()
    return tree


def syntax_error(error: SqlglotError, dialect: Name) -> str:
    """Say in one sentence where the text stops being SQL of this dialect."""
    label = DIALECTS[dialect].label
    if isinstance(error, step_limit.StepLimitExceeded):
        return "This SQL is too entangled to be judged, so it does not run; please write it more simply."
    if isinstance(error, ParseError) and error.errors:
        first = error.errors[0]
        return f"This cannot be read as SQL of {label}, from line {first['line']} near {first['highlight'][:40]!r}."
    return f"This cannot be read as SQL of {label}."


def _reason(tokens: list[Token], dialect: Name) -> str:
    kinds = [token.token_type for token in tokens]
    if not tokens:
        return "There is no SQL in this text."
    if len(tokens) > SQL_MAX_TOKENS:
        return f"This SQL has {len(tokens):,} words and signs; at most {SQL_MAX_TOKENS:,} can be judged."
    if TokenType.SEMICOLON in kinds:
        return _ONE_ONLY.format(1 + kinds.count(TokenType.SEMICOLON))
    if (TokenType.L_BRACE, TokenType.L_BRACE) in pairwise(kinds):
        return "Double braces belong to a template, and templates are not filled in here."
    if TokenType.L_BRACE in kinds and dialect != "duckdb":
        return f"Braces have no meaning in SQL of {DIALECTS[dialect].label}."
    return _start(tokens[0].text.upper(), dialect) or _depth(kinds)


def _start(first: str, dialect: Name) -> str:
    if first in _CHANGES:
        return f"Only reading is possible here: the statement would change data ({first})."
    if first not in _STARTS | _OWN_STARTS.get(dialect, set()):
        return f"Only reading is possible here: a statement that begins with {first[:30]} cannot run."
    return ""


def _depth(kinds: list[TokenType]) -> str:
    depth = deepest = 0
    for kind in kinds:
        depth += (kind in _OPENING) - (kind in _CLOSING)
        deepest = max(deepest, depth)
    return (
        f"This SQL is nested {deepest} levels deep; at most {NESTING_MAX_DEPTH} can be judged."
        if deepest > NESTING_MAX_DEPTH
        else ""
    )
