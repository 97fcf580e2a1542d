"""THE place that decides whether a text is SQL, and which part of it is.

A text that begins as SQL, or as a comment before it, is SQL to its end: what of it can't run is said, and nothing is
cut off. SQL is cut out if it stands in a code fence, or behind the beginning of a sentence. English begins like SQL
as well ("select the best customers"): the structure decides, by sqlglot's tokens and tree and by the tables that FROM
names; if that leaves a doubt, the person is asked.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise
from typing import Literal

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from router.language.detection import is_small_word
from router.language.phrases import spellings_of
from router.sql import parsing, step_limit
from router.sql.dialect import Name
from router.sql.pasted_text import put_right
from router.understanding.kinds import forced_question

Names = Callable[[], frozenset[str]]
Judgement = Literal["sql", "perhaps", "no"]

PROSE_MAX_CHARS = 12_000
"""Characters of a message that SQL is looked for in."""
ENDS_TRIED_MAX = 400
"""Words of a sentence at which the SQL in it may end."""
JUDGING_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class TypedSql:
    """The SQL of a message, letter by letter.

    `cut`: other words stood around it; `unsure`: it may be a question; `command`: it is no query, and wishes of people
    begin alike ("insert into places").
    """

    text: str
    cut: bool = False
    unsure: bool = False
    command: bool = False


_BLANK = " \t\r\n\f\v\u00a0\u200b\u2060\ufeff"
_FENCED = re.compile(
    r"(?P<fence>```|~~~)(?:[\w+.-]*[ \t]*\r?\n|sql\b)?(?P<sql>.*?)(?P=fence)", re.IGNORECASE | re.DOTALL
)
_BEGINS = re.compile(r"(?<!\w)(?<!\w['’])(?:select|with)\b(?=[\s(*])", re.IGNORECASE)
_WORD_END = re.compile(r"(?<=\S)(?=\s|\Z|[;,.!?\"”'`)]+(?:[\s,.]|\Z))")

_QUERIES = frozenset({"SELECT", "WITH", "VALUES", "FROM", "TABLE"})
_SHAPED = "ALTER COMMENT CREATE DELETE DROP GRANT IMPORT INSERT MERGE REINDEX REVOKE TRUNCATE UPDATE VACUUM"
_COMMANDS = frozenset(
    f"""{_SHAPED} ATTACH BEGIN CALL COMMIT COPY DECLARE DETACH DO EXEC EXECUTE INSTALL KILL LOAD LOCK PRAGMA RENAME
    REPLACE ROLLBACK SET UPSERT USE""".split()
)
"""Statements that no guard lets pass are SQL all the same: people are told why, and get no model's guess."""
_OBJECTS = """
    COLUMN DATABASE FROM FUNCTION INDEX INTO MATERIALIZED OR PROCEDURE ROLE SCHEMA SELECT SEQUENCE SESSION SYSTEM TABLE
    TABLESPACE TEMP TEMPORARY TRIGGER UNIQUE USER VIEW
"""
"""Words that come behind that of a command."""
_FIRST_WORDS = _QUERIES | _COMMANDS | {"EXPLAIN"}
_FIRST_WORD = re.compile(r"[\s(]*([^\W\d_]+)\b")
_EXPLAIN = re.compile(r"explain\s*(?:(?:analy[sz]e|verbose|query|plan|for|extended)\s+|\([^()]*\)\s*)*", re.IGNORECASE)
_SIGNS = frozenset(
    {TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.GT, TokenType.LTE, TokenType.GTE, TokenType.STRING}
    | {TokenType.IDENTIFIER, TokenType.SEMICOLON, TokenType.DPIPE, TokenType.DCOLON, TokenType.UNKNOWN, TokenType.STAR}
)
"""Signs that SQL has, and sentences hardly ever."""
_CLAUSES = frozenset(
    {TokenType.WHERE, TokenType.JOIN, TokenType.GROUP_BY, TokenType.ORDER_BY, TokenType.HAVING, TokenType.LIMIT}
    | {TokenType.UNION}
)
_SURE_SIGNS = 2
"""Signs that speak for SQL although it can't be read."""


def find_sql(text: str, tables: Names = frozenset, dialects: Sequence[Name] = ("sqlite",)) -> TypedSql | None:
    """Return the SQL of a message: all of it, what stands in a code fence, or a query in a sentence; None without any.

    `tables` gives the names of known tables in lower case, and is asked only if that decides. The text is read as
    each of the dialects reads it.
    """
    whole = text.strip(_BLANK)
    if not whole or forced_question(whole):
        return None
    try:
        with step_limit.budget(JUDGING_SECONDS):
            judged = _judge(whole, tables, dialects)
            if judged == "sql":
                return TypedSql(whole, command=_first(_tokens(whole, dialects[0])) in _COMMANDS)
            if judged == "perhaps":
                return TypedSql(whole, unsure=True)
            return _within(whole, tables, dialects) if len(whole) <= PROSE_MAX_CHARS else None
    except (SqlglotError, RecursionError):  # too entangled for a sentence
        return TypedSql(whole)


# The whole text: SQL, a sentence, or either.


def _judge(text: str, tables: Names, dialects: Sequence[Name]) -> Judgement:
    word = _FIRST_WORD.match(text)
    if word and word[1].isascii() and word[1].upper() not in _FIRST_WORDS:
        return "no"  # most sentences, without being read as SQL
    signs, trees = _read(text, dialects)
    first = _first(signs)
    if len(signs) < 2:
        return "no"
    if first == "SELECT":
        return _select(text, signs, trees, tables)
    if first in _QUERIES:
        return _other_query(first, signs, trees, tables)
    if first == "EXPLAIN":
        explained = _EXPLAIN.split(text, 1)[1:]
        return "sql" if explained and _judge(explained[0], tables, dialects) == "sql" else "no"
    if first in _COMMANDS:
        return _command(first, list(dropwhile(lambda sign: sign.text.upper() != first, signs))[1:])
    return "no"


def _select(text: str, signs: list[Token], trees: list[exp.Expr], tables: Names) -> Judgement:
    """Judge what begins with SELECT: by signs of SQL, and by the tables that stand behind FROM and JOIN."""
    prose, evidence = text.endswith("?") or _small_words(signs) > 0, _evidence(signs) + text.endswith(";")
    if trees and evidence:
        return "sql"
    named, known = _behind_from(signs), tables()
    if trees and not named:
        return "no" if any(tree.find(exp.Column) for tree in trees) else "sql"
    loud = any(sign.text in ("SELECT", "FROM", "WHERE") for sign in signs) and not text.isupper()
    if known and not named & known and not evidence:
        words = {sign.text.lower() for sign in signs}
        return "no" if prose else "perhaps" if words & known or not (trees and loud) else "sql"
    evidence += sum(sign.token_type in _CLAUSES for sign in signs) + (_SURE_SIGNS if loud else 0)
    evidence += len(named & known) * (_SURE_SIGNS if trees else 1) or -prose
    return "sql" if evidence >= _SURE_SIGNS else "perhaps" if evidence > 0 or (trees and not prose) else "no"


def _other_query(first: str, signs: list[Token], trees: list[exp.Expr], tables: Names) -> Judgement:
    """Judge what begins as a query, but not with SELECT: WITH … AS (SELECT …), VALUES (…), FROM orders."""
    if trees and _evidence(signs):
        return "sql"
    if first == "WITH":
        kinds = [sign.token_type for sign in signs]
        return "sql" if TokenType.RECURSIVE in kinds[1:2] or TokenType.ALIAS in kinds[2:3] else "no"
    named = {table.name.lower() for tree in trees for table in tree.find_all(exp.Table)}
    return "perhaps" if named & tables() else "no"


def _command(first: str, rest: list[Token]) -> Judgement:
    """Judge what stands behind the first word of a command: DROP TABLE, DELETE FROM, UPDATE … SET."""
    texts = [sign.text.upper() for sign in rest]
    shaped = first in _SHAPED.split() and (texts[0] in _OBJECTS.split() or "SET" in texts[1:3])
    evidence = _evidence(rest)
    if _small_words(rest):
        return "perhaps" if evidence + shaped > _SURE_SIGNS else "no"
    return "sql" if shaped or evidence else "no"


def _tokens(text: str, dialect: Name) -> list[Token]:
    """Return the words and signs of a text as a database reads it; of one with an open quote, without its quotes."""
    try:
        return parsing.tokens(put_right(text, dialect).sql, dialect)
    except SqlglotError:
        return parsing.tokens(re.sub("['\"`$]|/\\*", " ", text), dialect)


def _read(text: str, dialects: Sequence[Name]) -> tuple[list[Token], list[exp.Expr]]:
    """Return the words and signs of a text, and its trees by the first dialect that reads it as queries."""
    for dialect in dialects:
        sql = put_right(text, dialect).sql
        try:
            signs = parsing.tokens(sql, dialect)
            trees = (
                [tree for tree in step_limit.parse(signs, sql, dialect) if tree] if _first(signs) in _QUERIES else []
            )
        except SqlglotError:
            continue
        if trees and isinstance(trees[0], exp.Query | exp.Values):
            return signs, trees
    return _tokens(text, dialects[0]), []


def _first(signs: list[Token]) -> str:
    return next((sign.text.upper() for sign in signs if sign.token_type is not TokenType.L_PAREN), "")


def _behind_from(signs: list[Token]) -> set[str]:
    """Return the words behind FROM and JOIN, in lower case."""
    sources = (TokenType.FROM, TokenType.JOIN)
    return {sign.text.lower() for before, sign in pairwise(signs) if before.token_type in sources}


def _evidence(signs: list[Token]) -> int:
    """Return how many signs of a text are SQL's, and hardly ever a sentence's; a star behind SELECT counts twice."""
    return sum(_speaks(before, sign) for before, sign in pairwise(signs))


def _speaks(before: Token, sign: Token) -> int:
    """Return how much a word or sign speaks for SQL, behind the one before."""
    touches = before.end + 1 == sign.start
    match sign.token_type:
        case TokenType.STAR if before.token_type is TokenType.SELECT:
            return _SURE_SIGNS
        case TokenType.L_PAREN | TokenType.DOT:
            return touches
        case TokenType.SELECT | TokenType.NUMBER:
            return before.token_type is TokenType.L_PAREN
        case TokenType.VAR:
            return "_" in sign.text.strip("_")
    return sign.token_type in _SIGNS


def _small_words(signs: list[Token]) -> int:
    """Count the small words of people's languages in a text that are no words of SQL."""
    named = (sign.text.lower() for sign in signs if sign.token_type is TokenType.VAR)
    return sum(len(name) > 1 and name not in spellings_of("talk.sql") and is_small_word(name) for name in named)


# SQL within other words.


def _within(text: str, tables: Names, dialects: Sequence[Name]) -> TypedSql | None:
    """Return the SQL of code fences, else the query that a sentence goes on with."""
    fences = [found["sql"].strip(_BLANK) for found in _FENCED.finditer(text)]
    if found := [sql for sql in fences if _judge(sql, tables, dialects) != "no"]:
        around = re.search(r"\w", _FENCED.sub("", text)) is not None
        return TypedSql(";\n".join(sql.rstrip(f"{_BLANK};") for sql in found), cut=around)  # of several none runs
    for begin in _BEGINS.finditer(text, 1):  # what begins as SQL is not cut
        if sql := _longest(text[begin.start() :], tables, dialects):
            return TypedSql(sql, cut=re.search(r"\w", text.replace(sql, "", 1)) is not None)
    return None


def _longest(tail: str, tables: Names, dialects: Sequence[Name]) -> str:
    """Return the longest query that a text begins with; all of it if more SQL stands behind, or it is broken."""
    for end in reversed([found.start() for found in _WORD_END.finditer(tail)][:ENDS_TRIED_MAX]):
        sql = tail[:end].rstrip(f"{_BLANK},.!?;")
        signs, trees = _read(sql, dialects)
        named = {each.name.lower() for tree in trees for each in tree.find_all(exp.Table)}
        made = {each.alias.lower() for tree in trees for each in tree.find_all(exp.CTE)}
        readable = len(trees) == 1 and named and (named <= tables() | made or not tables())
        if readable and _select(sql, signs, trees, tables) == "sql":
            behind = _tokens(tail[len(sql) :].lstrip(f"{_BLANK};"), dialects[0])
            goes_on = {sign.token_type for sign in behind} & (_CLAUSES | {TokenType.SELECT, TokenType.EQ})
            return tail if goes_on else sql
    return tail if _judge(tail, tables, dialects) == "sql" else ""
