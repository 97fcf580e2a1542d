"""A model's answer holds SQL somewhere: between fences, after "Here is the query:", or before an explanation."""

import re

from sqlglot import exp, tokenize
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from router.sql.dialect import Name

_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[ \t]*[\w+-]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_START = re.compile(r"\b(?:SELECT|WITH)\b", re.IGNORECASE)
_WITH = re.compile(r"WITH\s+(?:RECURSIVE\s+)?(?:[\w$]+|\"[^\"]+\"|`[^`]+`)\s*(?:\([^)]*\)\s*)?AS\b", re.IGNORECASE)
_SELECT = re.compile(r"SELECT\s+[^\s,.;:]", re.IGNORECASE)
_WRITES = re.compile(
    r"\b(?:(?:INSERT|MERGE|REPLACE)\s+INTO|DELETE\s+FROM|UPDATE\s+\S+\s+SET|CREATE\s+(?:TEMP\w*\s+)?(?:TABLE|VIEW))\b",
    re.IGNORECASE,
)
_EXTRACTED_MAX_CHARS = 20_000


def extract(answer: str, dialect: Name) -> str | None:
    """Return the first query in a model's answer without its semicolon, or None where there is none."""
    text = _THOUGHT.sub(" ", answer)[:_EXTRACTED_MAX_CHARS]
    fenced = [match.group(1) for match in _FENCE.finditer(text)]
    for part in (*fenced, text if not fenced else _FENCE.sub("\n", text)):
        query = _query(part, dialect)
        if query:
            return query
    return None


def _query(text: str, dialect: Name) -> str | None:
    """Return the first statement of `text` that begins like a query."""
    for match in _START.finditer(text):
        rest = text[match.start() :]
        if _begins(text[: match.start()]) and (_WITH.match(rest) or _SELECT.match(rest)):
            return _first_statement(_unticked(text[: match.start()], rest), dialect)
    return None


def _begins(before: str) -> bool:
    """Tell whether a query can start after `before`: not amid prose, nor within a statement that writes."""
    line = before[before.rfind("\n") + 1 :].strip()
    return (not line or line[-1] in ";:`>") and not _WRITES.search(before[before.rfind(";") + 1 :])


def _unticked(before: str, rest: str) -> str:
    """Cut a query that stands in single back-ticks within a sentence."""
    return rest[: rest.rfind("`")] if before.endswith("`") and "`" in rest else rest


def _first_statement(text: str, dialect: Name) -> str | None:
    """Cut `text` at its first semicolon outside quotes, or at the blank line where prose begins."""
    paragraphs = re.split(r"\n\s*\n", text)
    for count in range(len(paragraphs), 0, -1):
        candidate = "\n\n".join(paragraphs[:count])
        try:
            tokens = tokenize(candidate, read=dialect)
        except SqlglotError:
            continue
        cut = _cut(candidate, tokens)
        if count == 1 or len(cut) < len(candidate.rstrip()) or _parses(cut, dialect):
            return cut or None
    return paragraphs[0].split(";")[0].strip() or None


def _cut(text: str, tokens: list[Token]) -> str:
    end = next((token.start for token in tokens if token.token_type is TokenType.SEMICOLON), len(text))
    return text[:end].strip()


def _parses(text: str, dialect: Name) -> bool:
    try:
        return isinstance(exp.maybe_parse(text, dialect=dialect), exp.Query)
    except SqlglotError:
        return False
