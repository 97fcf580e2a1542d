"""From a text to the one statement in it, or to the sentence that says why not; a second reading of what will run."""

import re
import unicodedata
from collections import Counter
from difflib import get_close_matches
from functools import cache
from itertools import pairwise

from sqlglot import exp
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from router.sql import step_limit
from router.sql.dialect import DIALECTS, EVERY_DIALECT, Name
from router.sql.grammar import settings
from router.sql.names import ascii_lower

SQL_MAX_CHARS = 300_000
SQL_MAX_TOKENS = 40_000
NESTING_MAX_DEPTH = 40

_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END}
_STARTS = {"SELECT", "WITH", "VALUES", "("}
_CHANGES = frozenset(EVERY_DIALECT["words"]["changes"].split())
_DECEIVING = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]")
_CONDITIONAL = re.compile(r"/\*M?!", re.IGNORECASE)
_ONE_ONLY = "Only one statement at a time can run here; this text has {}, and none of them ran."


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

    Raises SqlglotError if the text is not SQL of this dialect.
    """
    return tree_of(tokens(sql, dialect), sql, dialect)


def tokens(sql: str, dialect: Name) -> list[Token]:
    """Return the words and signs of a text, without semicolons at its end; comments are none of them."""
    tokens = settings(dialect).tokenize(sql.lstrip("\ufeff"))
    step_limit.require_time()
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    return tokens


def has_same_tokens(these: list[Token], those: list[Token]) -> bool:
    """Return whether two texts are made of the same words and signs, so that one tree stands for both."""
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
        ends = sum(after is TokenType.SEMICOLON is not before for before, after in pairwise(kinds))
        return _ONE_ONLY.format(1 + ends)
    if (TokenType.L_BRACE, TokenType.L_BRACE) in pairwise(kinds):
        return "Double braces belong to a template, and templates are not filled in here."
    if TokenType.L_BRACE in kinds and not DIALECTS[dialect].braces:
        return f"Braces have no meaning in SQL of {DIALECTS[dialect].label}."
    return _start(tokens[0].text.upper(), dialect) or _depth(kinds)


def _start(first: str, dialect: Name) -> str:
    if first in _CHANGES:
        return f"Only reading is possible here: the statement would change data ({first})."
    if first not in _STARTS | DIALECTS[dialect].starts:
        meant = get_close_matches(first, ("SELECT", "WITH"), 1, cutoff=0.75)
        if meant:
            return f"SQL can't begin with {first[:30]}. Did you mean {meant[0]}?"
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


# The second reading: of the rendered text, by the database's own rules of quoting and without sqlglot.
#
# The text is cut into signs by one regular expression a database. A sign that is not in it, a string whose end could be
# disputed, a function that is not on the list, a word that begins another statement: each is a refusal.

BEFORE_PARENTHESIS = frozenset(" ".join(EVERY_DIALECT["before_parenthesis"].values()).split())
"""Words that a parenthesis may follow without being functions."""

_COMMON = r"<=|>=|<>|!=|\|\||-(?!-)|/(?!\*)|[+*%=<>(),.&|]"
_SQL_NUMBER = r"0[xX][0-9A-Fa-f]+|0[bB][01]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"


@cache
def _signs(dialect: Name) -> re.Pattern[str]:
    own = DIALECTS[dialect]
    return re.compile(
        rf"(?P<space>[ \n]+)|(?P<string>{own.string})|(?P<quoted>{own.quoted_name})"
        rf"|(?P<number>(?:{_SQL_NUMBER})(?![\w$#@]))|(?P<word>{own.word})|(?P<sign>{own.signs}|{_COMMON})"
    )


def lexical_problem(text: str, tree: exp.Expr, dialect: Name) -> str:
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
            if kind == "word" and after == "string" and piece.lower() in DIALECTS[dialect].prefixes:
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
        elif dialect == "oracle" and before == "." and ascii_lower(piece.strip('"')) in ("nextval", "currval"):
            return "Only reading is possible here: taking a number from a sequence changes it."
        elif kind == "word" and (reason := _word(before, piece, after, dialect)):
            return reason
    return ""


def _word(before: str, piece: str, after: str, dialect: Name) -> str:
    name, own = ascii_lower(piece), DIALECTS[dialect]
    lowered = (ascii_lower(before), name, ascii_lower(after))
    if lowered[:2] in own.harmless_pairs or lowered[1:] in own.harmless_pairs:
        return ""
    if before != "." and name in own.forbidden and after != "." and (before.upper() != "AS" or dialect == "tsql"):
        return f"The word {piece.upper()} may not be used here; if it is a column's name, it has to be quoted."
    return ""


def _naming(tree: exp.Expr, dialect: Name) -> Counter[str]:
    """Count the aliases that are followed by a list of their columns, which looks like a call."""
    aliases = (alias for alias in tree.find_all(exp.TableAlias) if alias.args.get("columns") and alias.this)
    return Counter(alias.this.sql(dialect=dialect) for alias in aliases)


def _call(before: str, kind: str, piece: str, dialect: Name) -> str:
    name, listed = ascii_lower(piece), DIALECTS[dialect].functions
    is_chained = dialect == "duckdb" and kind == "word" and name in listed
    if before == "." and not is_chained:
        return f"Functions of a schema, a package or an object may not run here (near {piece[:60]})."
    if dialect == "oracle" and name == "value" and before.startswith("'"):  # JSON_OBJECT('key' VALUE (…))
        return ""
    if kind == "word" and (name in listed or name in BEFORE_PARENTHESIS):
        return ""
    return unlisted_function(name)


def unlisted_function(name: str) -> str:
    """Return the refusal of a function that is not on the list."""
    return f"The function {name[:60]} is not on the list of functions that may run."
