"""Which schemas and tables a connection lets people read."""

import re
from collections.abc import Iterable


def matches(pattern: str, name: str) -> bool:
    """Tell whether the name fits a pattern in which "*" stands for any text; upper and lower case are the same."""
    expression = ".*".join(re.escape(part) for part in pattern.split("*"))
    return re.fullmatch(expression, name, re.IGNORECASE | re.DOTALL) is not None


def allows_table(patterns: Iterable[str], schema: str, table: str) -> bool:
    """Tell whether a pattern fits: with a dot "schema.table", without one the table alone; no patterns allow all."""
    patterns = tuple(patterns)
    return not patterns or any(matches(p, f"{schema}.{table}" if "." in p else table) for p in patterns)


def names_column(patterns: Iterable[str], schema: str, table: str, column: str) -> bool:
    """Tell whether a pattern fits: "schema.table.column", "table.column", or without a dot the column alone."""
    parts = (schema, table, column)
    return any(matches(pattern, ".".join(parts[-min(pattern.count("."), 2) - 1 :])) for pattern in patterns)
