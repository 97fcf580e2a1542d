"""THE place that decides whether a text is SQL, and which part of it is.

A text that begins as SQL, or as a comment before it, is SQL to its end: what of it can't run is said, and nothing is
cut off. Only where SQL stands in a sentence, or in a code fence, is it cut out. English begins like SQL as well
("select the best customers"): the structure decides, by sqlglot's tokens and tree; where that leaves a doubt, the
person is asked.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from router.language.detection import is_small_word
from router.sql import parsing, step_limit
from router.sql.dialect import Name
from router.sql.pasted_text import put_right
from router.understanding.kinds import FORCED_QUESTION
from router.understanding.word_lists import words

Tables = Callable[[], frozenset[str]]
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
_WORD_END = re.compile(r"(?<=\S)(?=\s|\Z)|(?=[;,.!?]+(?:\s|\Z))")
_CLOSING = {'"': '"', "'": "'", "“": "”", "„": "“", "«": "»", "`": "`", "(": ")"}

_QUERIES = frozenset({"SELECT", "WITH", "VALUES", "FROM", "TABLE"})
_SHAPED = """
    ALTER COMMENT CREATE DELETE DROP GRANT IMPORT INSERT MERGE REINDEX REVOKE TRUNCATE UPDATE VACUUM
"""
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
_EXPLAINED = re.compile(r"\s*(?:(?:analy[sz]e|verbose|query|plan|for|extended)\s+|\([^()]*\)\s*)*", re.IGNORECASE)
_SIGNS = frozenset(
    {TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.GT, TokenType.LTE, TokenType.GTE, TokenType.STRING}
    | {TokenType.HEREDOC_STRING, TokenType.IDENTIFIER, TokenType.SEMICOLON, TokenType.DPIPE, TokenType.DCOLON}
    | {TokenType.UNKNOWN, TokenType.STAR, TokenType.NATIONAL_STRING, TokenType.BYTE_STRING, TokenType.HEX_STRING}
)
"""Signs that SQL has, and sentences hardly ever."""
_CLAUSES = frozenset(
    {TokenType.WHERE, TokenType.JOIN, TokenType.GROUP_BY, TokenType.ORDER_BY, TokenType.HAVING, TokenType.LIMIT}
    | {TokenType.UNION}
)
_VALUES = frozenset({TokenType.NUMBER, TokenType.STRING, TokenType.SELECT, TokenType.STAR})
_SURE_SIGNS = 2
"""Signs that speak for SQL although it can't be read."""


def find_sql(text: str, tables: Tables = frozenset, dialects: Sequence[Name] = ("sqlite",)) -> TypedSql | None:
    """Return the SQL of a message: all of it, what stands in a code fence, or a query in a sentence; None without any.

    `tables` gives the names of known tables in lower case; it is asked only where that decides. The text is read as
    each of the dialects reads it.
    """
    whole = text.strip(_BLANK)
    if not whole or FORCED_QUESTION.match(whole):
        return None
    try:
        with step_limit.budget(JUDGING_SECONDS):
            return _find(whole, tables, dialects)
    except (SqlglotError, RecursionError):  # too entangled for a sentence
        return TypedSql(whole)


def _find(whole: str, tables: Tables, dialects: Sequence[Name]) -> TypedSql | None:
    judged = _judge(whole, tables, dialects)
    if judged == "sql":
        return TypedSql(whole, command=_first(_tokens(whole, dialects[0])) in _COMMANDS)
    if len(whole) <= PROSE_MAX_CHARS:
        if fenced := _in_fences(whole, tables, dialects):
            return fenced
        if judged == "no" and (found := _in_sentence(whole, tables, dialects)):
            return TypedSql(found, cut=re.search(r"\w", whole.replace(found, "", 1)) is not None)
    return TypedSql(whole, unsure=True) if judged == "perhaps" else None


# The whole text: SQL, a sentence, or either.


def _judge(text: str, tables: Tables, dialects: Sequence[Name]) -> Judgement:
    signs, trees = _read(text, dialects)
    first = _first(signs)
    if len(signs) < 2:
        return "no"
    if first in _QUERIES:
        return _query(text, signs, trees, tables) if trees else _broken(text, signs, tables)
    rest = text[text.upper().index(first) + len(first) :]
    if first == "EXPLAIN":
        return "sql" if _judge(_EXPLAINED.sub("", rest, count=1), tables, dialects) == "sql" else "no"
    if first in _COMMANDS:
        return _command(first, _tokens(rest, dialects[0]))
    if get_close_matches(first, ("SELECT",), 1, 0.75) and not _prose(text, signs):
        return _by_signs(_evidence(signs) + _clauses(signs) + _shouts(signs, text))
    return "no"


def _by_signs(evidence: int) -> Judgement:
    return "sql" if evidence >= _SURE_SIGNS else "perhaps" if evidence else "no"


def _command(first: str, rest: list[Token]) -> Judgement:
    """Judge what stands behind the first word of a command: DROP TABLE, DELETE FROM, UPDATE … SET."""
    texts = [sign.text.upper() for sign in rest]
    shaped = first in _SHAPED.split() and (texts[0] in _OBJECTS.split() or "SET" in texts[1:3])
    evidence = _evidence(rest)
    if _small_words(rest):
        return "perhaps" if evidence + shaped > _SURE_SIGNS else "no"
    return "sql" if shaped or evidence else "no"


def _query(text: str, signs: list[Token], trees: list[exp.Expr], tables: Tables) -> Judgement:
    """Judge what can be read as a query."""
    first, small = _first(signs), _small_words(signs)
    if _evidence(signs) or trees[0].find(exp.With):
        return "sql"
    named = {table.name.lower() for tree in trees for table in tree.find_all(exp.Table)}
    if first == "VALUES" or not named:
        return "no" if first == "VALUES" or any(tree.find(exp.Column) for tree in trees) else "sql"
    if named & tables():
        return "sql" if first == "SELECT" and small < 2 else "perhaps"
    if _shouts(signs, text):
        return "sql"
    return "no" if small or first != "SELECT" else "perhaps"


def _broken(text: str, signs: list[Token], tables: Tables) -> Judgement:
    """Judge what begins as a query and can't be read: its author is told why; a sentence has no sign of SQL in it."""
    kinds = [sign.token_type for sign in signs if sign.token_type is not TokenType.L_PAREN]
    evidence = _evidence(signs) + _shouts(signs, text) + _clauses(signs)
    match _first(signs):
        case "WITH":
            shaped = TokenType.RECURSIVE in kinds[1:2] or TokenType.ALIAS in kinds[2:3]
            return "sql" if shaped and evidence else "no"
        case "VALUES":
            return "sql" if signs[1].token_type is TokenType.L_PAREN else "no"
        case "SELECT":
            evidence += bool(tables() & {sign.text.lower() for sign in signs})
            return _by_signs(max(evidence - _prose(text, signs), 0))
    return "no"


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


def _evidence(signs: list[Token]) -> int:
    """Return how much of a text is SQL, and hardly ever a sentence; a star right behind SELECT counts twice."""
    around = zip(signs, signs[1:], [*signs[2:], None], strict=False)
    return sum(_speaks(before, sign, after) for before, sign, after in around)


def _speaks(before: Token, sign: Token, after: Token | None) -> int:
    """Return how much a word or sign speaks for SQL, between its neighbours."""
    touches = before.end + 1 == sign.start
    match sign.token_type:
        case TokenType.STAR if before.token_type is TokenType.SELECT:
            return _SURE_SIGNS
        case TokenType.L_PAREN:
            return touches or (after is not None and after.token_type in _VALUES)
        case TokenType.DOT:
            return touches and after is not None and sign.end + 1 == after.start
        case TokenType.VAR:
            return "_" in sign.text.strip("_")
    return sign.token_type in _SIGNS


def _clauses(signs: list[Token]) -> int:
    return sum(sign.token_type in _CLAUSES for sign in signs)


def _shouts(signs: list[Token], text: str) -> int:
    """Return signs for words of SQL in capitals within a text that is not."""
    loud = any(sign.text.isupper() for sign in signs if sign.text.upper() in ("SELECT", "FROM", "WHERE", "WITH"))
    return _SURE_SIGNS if loud and not text.isupper() else 0


def _prose(text: str, signs: list[Token]) -> bool:
    return text.endswith("?") or _small_words(signs) > 0


def _small_words(signs: list[Token]) -> int:
    """Count the small words of people's languages in a text that are no words of SQL."""
    named = (sign.text.lower() for sign in signs if sign.token_type is TokenType.VAR)
    return sum(len(name) > 1 and name not in words("sql") and is_small_word(name) for name in named)


# SQL within other words.


def _in_fences(text: str, tables: Tables, dialects: Sequence[Name]) -> TypedSql | None:
    fences = list(_FENCED.finditer(text))
    around = re.search(r"\w", _FENCED.sub("", text)) is not None
    judged = [(fence["sql"].strip(_BLANK), _judge(fence["sql"].strip(_BLANK), tables, dialects)) for fence in fences]
    found = [sql for sql, judgement in judged if judgement == "sql" or (judgement == "perhaps" and around)]
    if found:
        return TypedSql(
            ";\n".join(sql.rstrip(_BLANK + ";") for sql in found), cut=around
        )  # of several none runs, and that is said
    return TypedSql(judged[0][0], unsure=True) if len(judged) == 1 and judged[0][0] and not around else None


def _in_sentence(text: str, tables: Tables, dialects: Sequence[Name]) -> str:
    """Return the query that a sentence goes on with: as far as it can be read, or to the end where it can't be."""
    for begin in _BEGINS.finditer(text):
        tail = text[begin.start() :]
        for body in _unquoted(text[: begin.start()].rstrip()[-1:], tail):
            if found := _longest(body, tables, dialects):
                return found
        if not _read(tail, dialects)[1] and _judge(tail, tables, dialects) == "sql":
            return tail
    return ""


def _unquoted(before: str, tail: str) -> Iterator[str]:
    """Yield what stands up to the closing quote where one opens before the SQL, else all of it."""
    closing = _CLOSING.get(before, "")
    if closing and closing in tail:
        yield from (tail[: found.start()] for found in reversed(list(re.finditer(re.escape(closing), tail))))
    else:
        yield tail


def _longest(body: str, tables: Tables, dialects: Sequence[Name]) -> str:
    """Return the longest query that a text begins with, all of it where more SQL stands behind that; else nothing.

    One over known tables alone goes before a longer one, which may have a word of the sentence for a table.
    """
    found: list[tuple[str, exp.Query, bool]] = []
    for end in reversed([found.start() for found in _WORD_END.finditer(body)][:ENDS_TRIED_MAX]):
        sql = body[:end].rstrip(_BLANK + ",.!?")
        signs, trees = _read(sql, dialects)
        if len(trees) != 1 or not isinstance(trees[0], exp.Query) or trees[0].find(exp.Table) is None:
            continue
        named = {table.name.lower() for table in trees[0].find_all(exp.Table)}
        known = named <= tables() | {cte.alias.lower() for cte in trees[0].find_all(exp.CTE)}
        if (known and not _small_words(signs)) or _evidence(signs) or _shouts(signs, sql):
            found.append((sql, trees[0], known))
        if known:
            break
    if not found:
        return ""
    sql, tree, _ = next((each for each in found if each[2]), found[0])
    behind = _tokens(body[len(sql) :].lstrip(f"{_BLANK};"), dialects[0])
    goes_on = {sign.token_type for sign in behind} & (_CLAUSES | {TokenType.SELECT, TokenType.EQ})
    return body if goes_on else _without_alias(sql, tree)


def _without_alias(sql: str, tree: exp.Query) -> str:
    """Return a query without a last word that nothing in it reads: it is more likely one of the sentence."""
    tables = list(tree.find_all(exp.Table))
    alias = tables[-1].alias if len(tables) == 1 else ""
    used = any(column.table.lower() == alias.lower() for column in tree.find_all(exp.Column))
    return sql[: -len(alias)].rstrip() if alias and not used and sql.endswith(f" {alias}") else sql
