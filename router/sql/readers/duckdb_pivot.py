"""PIVOT without a list of columns, of which DuckDB makes two statements: it reads the values first, then it selects."""

import re

import duckdb

QUERY = re.compile(r"[\s(]*(?:SELECT|WITH|FROM|PIVOT|PIVOT_WIDER)\b", re.IGNORECASE)
"""The beginning of a text that is a query, and nothing that keeps or changes something."""

TOLD = re.compile(r"\(\s*(?:SHOW|DESCRIBE|DESC|SUMMARIZE)\b", re.IGNORECASE)
"""A query that tells of tables instead of reading them."""


def pivots(sql: str) -> bool:
    """Say whether `sql`, of which DuckDB makes several statements, does no more than to pivot."""
    data, tokens = sql.encode(), duckdb.tokenize(sql)
    if TOLD.search(sql) or any(kind == duckdb.token_type.comment for _, kind in tokens):  # a comment parts f from (x)
        return False
    return bool(QUERY.match(sql)) and any(
        kind == duckdb.token_type.keyword and data[at : at + 5].lower() == b"pivot" for at, kind in tokens
    )
