"""Finding a question's tables among 1,000, beside counting the words that each shares with it.

`uv run python -m tests.bench.bench_linking` says how many of the tables that 75 questions need are shown to the model,
and milliseconds a question: the first one after the schema was read, the median, and the slowest of the others. Then
how long it takes to read such a schema, and to repair a query on it.
"""

import re
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from tabulate import tabulate

from router.catalog.catalog import open_connection
from router.catalog.connection import Connection
from router.catalog.reflect.reflection import read_schema
from router.catalog.schema import Schema, SchemaTable
from router.language.inflection import stem
from router.sql.dialect import DIALECTS
from router.text_to_sql.repair.repair import repair
from router.text_to_sql.schema_linking import PICKED_TABLES_MAX, SCHEMA_MAX_CHARS, cut_to_fit
from router.text_to_sql.schema_text import schema_text
from tests.router.text_to_sql.company import build_company, company, questions

WRONG = (
    "SELECT department_name, SUM(gross_pay) FROM payslips GROUP BY department_name",
    "SELECT s.city, SUM(r.receipt_total) FROM receipts AS r JOIN shops AS s ON s.id = r.shop_id GROUP BY s.city",
    "SELECT cutsomer_name FROM sales_order WHERE regoin = 'North'",
    "SELECT nothing_like_it FROM employes",
)
"""Columns of other tables, joins that lead through a third one, misspellings, and what cannot be repaired."""


def cut_naively(question: str, schema: Schema) -> Schema:
    """Return the dozen tables that share most words with the question, counted anew each time."""
    if len(schema_text(schema)) <= SCHEMA_MAX_CHARS:
        return schema
    frequency = Counter(word for table in schema.tables for word in words_of(table))
    asked = set(words(question))
    scores = {table.name: sum(1 / frequency[w] for w in asked & words_of(table)) for table in schema.tables}
    return schema.only(tuple(sorted(scores, key=lambda name: (-scores[name], name))[:PICKED_TABLES_MAX]))


def words_of(table: SchemaTable) -> set[str]:
    return set(words(" ".join((table.name, table.comment, *(f"{c.name} {c.comment}" for c in table.columns)))))


def words(text: str) -> list[str]:
    return [stem(word) for word in re.findall(r"[^\W_]+", text.replace("_", " "))]


def measured(name: str, cut: Callable[[str, Schema], Schema]) -> tuple[str, ...]:
    """Return a row of the table: what is found and how fast."""
    schema, taken, found, needed, whole, longest = company(), [], 0, 0, 0, 0
    for question, tables in questions():
        began = time.perf_counter()
        shown = cut(question, schema)
        taken.append((time.perf_counter() - began) * 1000)
        seen = tables & {table.name for table in shown.tables}
        found, needed, whole = found + len(seen), needed + len(tables), whole + (seen == tables)
        longest = max(longest, len(schema_text(shown)))
    return (
        name,
        f"{found / needed:.1%}",
        f"{whole / len(taken):.1%}",
        f"{taken[0]:.0f}",
        f"{statistics.median(taken[1:]):.0f}",
        f"{max(taken[1:]):.0f}",
        f"{longest:,}",
    )


def main() -> None:
    """Print the table."""
    rows = [measured("words counted", cut_naively), measured("icc-bot", cut_to_fit)]
    heads = ("", "tables found", "questions with all", "first ms", "median ms", "slowest ms", "longest prompt")
    print(tabulate(rows, heads, disable_numparse=True))
    schema = company()
    repair(WRONG[0], schema)
    taken = []
    for sql in WRONG:
        began = time.perf_counter()
        repair(sql, schema)
        taken.append((time.perf_counter() - began) * 1000)
    print(f"Repair of a query: median {statistics.median(taken):.0f} ms, slowest {max(taken):.0f} ms.")
    with tempfile.TemporaryDirectory() as folder:
        path = build_company(Path(folder) / "company.sqlite")
        connection = Connection("company", 1, "Company", DIALECTS["sqlite"], f"sqlite:///{path}")
        database = open_connection(connection)
        began = time.perf_counter()
        read = read_schema(connection, database, "main", datetime.now(UTC))
        print(f"Reading {len(read.tables):,} tables of SQLite: {time.perf_counter() - began:.1f} s.")
        database.close()


if __name__ == "__main__":
    main()
