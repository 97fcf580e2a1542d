"""Finds SQL that stands within a sentence ("could you run select … for me?"), and SQL with misspelt keywords."""

import re
from difflib import SequenceMatcher

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.sql.parsing import statement
from router.understanding.kinds import Tables, is_sql, reads_as_prose, unfenced

PROSE_MAX_CHARS = 12_000
"""Characters of a message that SQL is looked for in."""

_BEGINS = re.compile(r"\b(?:select|with)\b(?=\s)", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\b", re.IGNORECASE)
_FENCED = re.compile(r"```(?:sql\b)?\s*(?P<sql>.+?)\s*```", re.IGNORECASE | re.DOTALL)
_SURELY = re.compile(r"[*=<>;()]|\w_\w|\bgroup by\b|\border by\b|\bwhere\b", re.IGNORECASE)
_MISSPELT = re.compile(
    r"\s*(?P<select>s\w{3,7})\s+\S.*\s(?P<from>f\w{2,4})\s+(?P<table>\w+)", re.IGNORECASE | re.DOTALL
)
_SENTENCE_BEGINS = re.compile(
    r"\n\s*\n|;|¿|,\s+(?:but|aber|mais|pero)\b|\s[-–—]+\s+(?=[^\W\d_]+\s+(?!(?:from|as|and|or|where|order|group|limit|then|else|end)\b)[^\W\d_])",
    re.IGNORECASE,
)
"""Where SQL ends, and the sentence around it goes on."""
_SELECT = re.compile(r"^\s*select\s+", re.IGNORECASE)
_ORDER = re.compile(r"\s*(?:order|sort) by\b", re.IGNORECASE)
_DIRECTION = re.compile(r"\b(?:desc|asc)\b", re.IGNORECASE)
_CLOSING = {'"': '"', "'": "'", "“": "”", "„": "“", "«": "»", "`": "`"}
_TRIED_MAX = 14
"""Words behind the SQL that may belong to the sentence around it."""


def sql_in(text: str, tables: Tables = frozenset) -> str:
    """Return the SQL of a message: all of it, what stands in a code fence, or a query within prose; else nothing.

    `tables` gives the names of known tables in lower case; it is asked only where that decides.
    """
    if len(text) > PROSE_MAX_CHARS:
        return unfenced(text) if is_sql(text, tables) else ""
    if fenced := _FENCED.search(text):
        return fenced["sql"] if is_sql(fenced["sql"], tables) or fenced[0] == text.strip() else ""
    whole = text.strip()
    if is_sql(text, tables) and len(whole.split()) > 1:
        sql = _complete(whole, tables)
        return sql if sql and len(re.findall(r"[^\W\d]+", whole[len(sql) :])) > 1 else whole
    if misspells(text, tables):
        return text.strip()
    for begin in _BEGINS.finditer(text):
        before = text[: begin.start()].rstrip()
        quote = _CLOSING.get(before[-1:], "")
        body = text[begin.start() :]
        if quote and quote in body:
            body = body[: body.index(quote)]
        if _FROM.search(body) and (found := _complete(body, tables)):
            return found
    return ""


def misspells(text: str, tables: Tables = frozenset) -> bool:
    """Tell SQL whose SELECT or FROM is misspelt, from a sentence: it has marks that no sentence has, or a table."""
    found = _MISSPELT.match(text)
    if found is None:
        return False
    words = (found["select"].lower(), "select"), (found["from"].lower(), "from")
    if not all(SequenceMatcher(None, typed, word).ratio() >= 0.7 for typed, word in words):
        return False
    if re.search(r"[*=<>]|\w\(|\w_\w", text):
        return True
    shouts = found["from"].isupper() and not text.isupper()
    return not reads_as_prose(text) and (shouts or found["table"].lower() in tables())


def in_words(text: str) -> str:
    """Return a sentence that is no SQL, but begins like it, as everybody else would say it: "show a few customers"."""
    if _ORDER.match(text):
        return _DIRECTION.sub(lambda found: f"{found[0]}ending", text)
    return _SELECT.sub("show ", text, count=1)


def _complete(body: str, tables: Tables) -> str:
    """Return the longest query that a text begins with, without the words of the sentence behind it."""
    body = _SENTENCE_BEGINS.split(body, maxsplit=1)[0].strip()
    ends = [len(body), *(found.start() for found in reversed(list(re.finditer(r"[\s,.!?]+", body))))]
    for end in ends[:_TRIED_MAX]:
        sql = body[:end].rstrip(" ,.!?")
        if (tree := _query(sql)) is None:
            continue
        if (alias := _unused_alias(tree)) and sql.lower().endswith(f" {alias.lower()}"):
            sql = sql[: -len(alias)].rstrip()
        named = {table.name.lower() for table in tree.find_all(exp.Table)}
        return sql if named and (_SURELY.search(sql) or named & tables()) else ""
    return ""


def _query(sql: str) -> exp.Query | None:
    try:
        tree = statement(sql, "sqlite")
    except (SqlglotError, RecursionError):
        return None
    return tree if isinstance(tree, exp.Query) else None


def _unused_alias(tree: exp.Query) -> str:
    """Return the alias of the last table where nothing is read by it: more likely it is a word of the sentence."""
    tables = list(tree.find_all(exp.Table))
    names = {column.table.lower() for column in tree.find_all(exp.Column)}
    alias = tables[-1].alias if tables else ""
    return alias if alias and alias.lower() not in names and len(tables) == 1 else ""
