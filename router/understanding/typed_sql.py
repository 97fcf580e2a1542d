"""THE place that decides whether a text is SQL, and which part of it is.

A text that begins as SQL, or as a comment before it, is SQL to its end: what of it can't run is said, and nothing is
cut off but the thanks behind SQL that can be read without them. SQL is cut out where it stands in a sentence, in a code
fence, or in quoted lines. English begins like SQL as well ("select the best customers"): the structure decides, by
sqlglot's tokens and tree and by the tables that FROM names; where that leaves a doubt, the person is asked.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise
from typing import Literal

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from router.language.detection import is_small_word
from router.language.folding import within_one
from router.language.phrases import spellings_of
from router.sql import parsing, step_limit
from router.sql.dialect import Name
from router.sql.pasted_text import put_right
from router.understanding.courtesy import without_closing
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
    r"(?P<fence>```|~~~)(?:[\w+.-]*[ \t]*\r?\n|sql\b)?(?P<sql>.*?)(?P=fence)"
    r"|(?:^|(?<=\n))(?P<quoted>[ \t]*(?:>|&gt;)[^\n]*(?:\n[ \t]*(?:>|&gt;)[^\n]*)*)",
    re.IGNORECASE | re.DOTALL,
)
"""Code fences, and the quoted lines of a mail or a chat."""
_QUOTE_MARK = re.compile(r"[ \t]*(?:>|&gt;)[ \t]?")
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
_EXPLAIN = re.compile(r"explain\s*(?:(?:analy[sz]e|verbose|query|plan|for|extended)\s+|\([^()]*\)\s*)*", re.IGNORECASE)
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


def find_sql(
    text: str, tables: Names = frozenset, dialects: Sequence[Name] = ("sqlite",), words_known: Names = frozenset
) -> TypedSql | None:
    """Return the SQL of a message: all of it, what stands in a code fence, or a query in a sentence; None without any.

    `tables` gives the names of known tables in lower case, `words_known` the words of those and of their columns; each
    is asked only where that decides. The text is read as each of the dialects reads it.
    """
    whole = text.strip(_BLANK)
    if not whole or forced_question(whole):
        return None
    try:
        with step_limit.budget(JUDGING_SECONDS):
            if thanked := _before_thanks(whole, tables, dialects, words_known):
                return TypedSql(thanked, cut=True)
            return _find(whole, tables, dialects)
    except (SqlglotError, RecursionError):  # too entangled for a sentence
        return TypedSql(whole)


def _find(whole: str, tables: Names, dialects: Sequence[Name]) -> TypedSql | None:
    judged = _judge(whole, tables, dialects)
    if judged == "sql":
        return TypedSql(whole, command=_first(_tokens(whole, dialects[0])) in _COMMANDS)
    if len(whole) <= PROSE_MAX_CHARS:
        found = _in_fences(whole, tables, dialects)
        if found is None and judged == "no" and (sql := _in_sentence(whole, tables, dialects)):
            found = TypedSql(sql, cut=re.search(r"\w", whole.replace(sql, "", 1)) is not None)
        if found:  # what begins as SQL is not cut
            return TypedSql(whole, unsure=True) if _first(_tokens(whole, dialects[0])) == "SELECT" else found
    return TypedSql(whole, unsure=True) if judged == "perhaps" else None


# The whole text: SQL, a sentence, or either.


def _judge(text: str, tables: Names, dialects: Sequence[Name]) -> Judgement:
    signs, trees = _read(text, dialects)
    first = _first(signs)
    if len(signs) < 2:
        return "no"
    if first in _QUERIES:
        return _query(text, signs, trees, tables) if trees else _broken(text, signs, tables)
    if first == "EXPLAIN":
        explained = _EXPLAIN.split(text, 1)[1:]
        return "sql" if explained and _judge(explained[0], tables, dialects) == "sql" else "no"
    if first in _COMMANDS:
        return _command(first, list(dropwhile(lambda sign: sign.text.upper() != first, signs))[1:])
    if _like(signs[0], "SELECT") and not _prose(text, signs):
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


def _query(text: str, signs: list[Token], trees: list[exp.Expr], tables: Names) -> Judgement:
    """Judge what can be read as a query."""
    first, small = _first(signs), _small_words(signs)
    if _evidence(signs) or trees[0].find(exp.With):
        return "sql"
    named, known = _tables_of(trees), tables()
    if first == "VALUES" or not named:
        return "no" if first == "VALUES" or any(tree.find(exp.Column) for tree in trees) else "sql"
    if named & known:
        return "sql" if first == "SELECT" and small < 2 else "perhaps"
    if known and (small or first != "SELECT"):
        return "no"
    columns = {column.name.lower() for tree in trees for column in tree.find_all(exp.Column)}
    named_without_as = trees[0].find(exp.Alias) and all(sign.token_type is not TokenType.ALIAS for sign in signs)
    if _shouts(signs, text) and not (columns & known or named_without_as):
        return "sql"
    return "no" if small or first != "SELECT" else "perhaps"


def _broken(text: str, signs: list[Token], tables: Names) -> Judgement:
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
            known = tables()
            named = {sign.text.lower() for before, sign in pairwise(signs) if _like(before, "FROM", "JOIN")}
            if known and not named & known and not _evidence(signs):
                return "no" if _prose(text, signs) else "perhaps"
            evidence += bool(known & {sign.text.lower() for sign in signs})
            return _by_signs(max(evidence - _prose(text, signs), 0))
    return "no"


def _like(sign: Token, *words: str) -> bool:
    """Tell whether a sign is one of these words of SQL, or a letter off."""
    return any(within_one(sign.text.upper(), word) for word in words)


def _tables_of(trees: list[exp.Expr]) -> set[str]:
    return {table.name.lower() for tree in trees for table in tree.find_all(exp.Table)}


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
    return sum(len(name) > 1 and name not in spellings_of("talk.sql") and is_small_word(name) for name in named)


# SQL within other words.


def _in_fences(text: str, tables: Names, dialects: Sequence[Name]) -> TypedSql | None:
    around = re.search(r"\w", _FENCED.sub("", text)) is not None
    judged = list[tuple[str, Judgement]]()
    for fence in _FENCED.finditer(text):
        sql = (fence["sql"] or _unmarked(fence["quoted"] or "")).strip(_BLANK)
        judgement = _judge(sql, tables, dialects)
        if fence["fence"] or judgement != "no":
            judged.append((sql, judgement))
    found = [sql for sql, judgement in judged if judgement == "sql" or (judgement == "perhaps" and around)]
    if found:
        return TypedSql(
            ";\n".join(sql.rstrip(_BLANK + ";") for sql in found), cut=around
        )  # of several none runs, and that is said
    return TypedSql(judged[0][0], unsure=True) if len(judged) == 1 and judged[0][0] and not around else None


def _unmarked(quoted: str) -> str:
    """Return quoted lines without their marks: as many of each line as the first one has."""
    lines = quoted.splitlines()
    while lines and _QUOTE_MARK.match(lines[0]):
        lines = [_QUOTE_MARK.sub("", line, count=1) if _QUOTE_MARK.match(line) else line for line in lines]
    return "\n".join(lines)


def _in_sentence(text: str, tables: Names, dialects: Sequence[Name]) -> str:
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


def _longest(body: str, tables: Names, dialects: Sequence[Name]) -> str:
    """Return the longest query that a text begins with, all of it where more SQL stands behind that; else nothing.

    One over known tables alone goes before a longer one, which may have a word of the sentence for a table.
    """
    found: list[tuple[str, exp.Query, bool]] = []
    for end in reversed([found.start() for found in _WORD_END.finditer(body)][:ENDS_TRIED_MAX]):
        sql = body[:end].rstrip(_BLANK + ",.!?")
        signs, trees = _read(sql, dialects)
        if len(trees) != 1 or not isinstance(trees[0], exp.Query) or trees[0].find(exp.Table) is None:
            continue
        known = _tables_of(trees) <= tables() | {cte.alias.lower() for cte in trees[0].find_all(exp.CTE)}
        if _query(sql, signs, trees, tables) == "sql":
            found.append((sql, trees[0], known))
        if known:
            break
    if not found:
        return ""
    sql, tree, _ = next((each for each in found if each[2]), found[0])
    behind = _tokens(body[len(sql) :].lstrip(f"{_BLANK};"), dialects[0])
    goes_on = {sign.token_type for sign in behind} & (_CLAUSES | {TokenType.SELECT, TokenType.EQ})
    return body if goes_on else _without_alias(sql, tree)


def _before_thanks(text: str, tables: Names, dialects: Sequence[Name], words_known: Names) -> str:
    """Return the SQL that thanks stand behind, "" where these words may be names in it."""
    sql = without_closing(text).rstrip(f"{_BLANK}?;")
    behind = text[len(sql) :]
    if not text.startswith(sql) or not re.match(r"[;,.!?]*\s+\w", behind):
        return ""
    if not _read(sql, dialects)[1] or _judge(sql, tables, dialects) != "sql":
        return ""
    trees = _read(text, dialects)[1]
    if trees and all(isinstance(tree, exp.Query) for tree in trees) and _without_alias(text, trees[0]) != sql:
        known = words_known()
        named = known | set(re.findall(r"\w+", sql.lower()))
        return sql if known and named.isdisjoint(re.findall(r"\w+", behind.lower())) else ""
    return sql


def _without_alias(sql: str, tree: exp.Expr) -> str:
    """Return a query without a last word that nothing in it reads: it is more likely one of the sentence."""
    tables = list(tree.find_all(exp.Table))
    alias = tables[-1].alias if len(tables) == 1 else ""
    used = any(column.table.lower() == alias.lower() for column in tree.find_all(exp.Column))
    return sql[: -len(alias)].rstrip() if alias and not used and sql.endswith(f" {alias}") else sql
