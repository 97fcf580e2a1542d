"""A company of 1,000 tables and 20,000 columns: 25 departments, each with its own way of naming."""

import re
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from router.catalog.schema import Column, ForeignKey, Schema, SchemaTable
from router.sql.dialect import Name

HERE = Path(__file__).parent
WIDTH = 20

BESIDE = (
    ("history", "what a row was before each change", "changed_on changed_by_login old_value new_value"),
    ("notes", "free remarks", "remark_text written_on written_by_login pinned"),
    ("attachments", "files", "file_name mime_type size_kb uploaded_on"),
    ("approvals", "who let it pass", "approver_login decided_on decision approval_level"),
)
"""Every table has four beside it, which share all words of its name."""

REST = """
    created_at created_by_user_id updated_at updated_by_user_id is_active row_version source_system external_ref
    tenant_code sort_order legacy_no import_batch checksum locale_code archived_on retention_class review_state
    sync_token data_owner
""".split()  # noqa: SIM905 — a list of words is read as words


def company(dialect: Name = "sqlite") -> Schema:
    """Return the schema as the catalog reads it where the database keeps comments."""
    tables = sorted(_tables(), key=lambda table: (table.name.lower(), table.name))
    return Schema("company", dialect, "main", tuple(tables), datetime(2026, 11, 21, tzinfo=UTC))


def questions() -> list[tuple[str, frozenset[str]]]:
    """Return questions with the tables that their answers need."""
    lines = (HERE / "company_questions.txt").read_text(encoding="utf-8").splitlines()
    parts = [line.rpartition(" | ") for line in lines]
    return [(question, frozenset(tables.split())) for question, _, tables in parts]


def build_company(path: Path) -> Path:
    """Build the tables as an SQLite file, with a row for each of the known values."""
    with sqlite3.connect(path) as file:
        for table in company().tables:
            columns = [f'"{column.name}" {column.type}' for column in table.columns]
            keys = [
                f'FOREIGN KEY ("{key.columns[0]}") REFERENCES "{key.target}" ("{key.target_columns[0]}")'
                for key in table.foreign_keys
            ]
            file.execute(f'CREATE TABLE "{table.name}" ({", ".join([*columns, *keys])}, PRIMARY KEY ("id"))')
            for column in table.columns:
                for value in column.samples:
                    file.execute(f'INSERT INTO "{table.name}" ("{column.name}") VALUES (?)', (value,))
    file.close()
    return path


def _tables() -> Iterator[SchemaTable]:
    for line in (HERE / "company.txt").read_text(encoding="utf-8").splitlines():
        found = re.fullmatch(r'(\w+): (\w+)(?: "([^"]*)")? \| (.*)', line)
        if found:
            name, comment, columns = found[2], found[3] or "", found[4].split(", ")
            yield _table(name, comment, columns)
            for kind, about, more in BESIDE:
                beside, key = _beside(name, kind), f"{name.lower().removesuffix('s')}_id>{name}"
                yield _table(beside, about, [key, *more.split()])


def _beside(name: str, kind: str) -> str:
    """Return the name of a table beside another one, named as that one is."""
    if name.isupper():
        return f"{name}_{kind.upper()}"
    return f"{name}{kind.title()}" if name[0].isupper() else f"{name}_{kind}"


def _table(name: str, comment: str, said: list[str]) -> SchemaTable:
    columns, keys = [Column("id", "INTEGER", nullable=False)], []
    for each in said:
        column, _, values = each.partition("=")
        column, _, target = column.partition(">")
        columns.append(Column(column, _type(column), samples=tuple(sorted(values.split("/"))) if values else ()))
        if target:
            keys.append(ForeignKey((column,), target, ("id",)))
    columns += [Column(rest, _type(rest)) for rest in REST[: WIDTH - len(columns)]]
    keys += [ForeignKey((c.name,), "app_users", ("id",)) for c in columns if c.name == "created_by_user_id"]
    return SchemaTable(name, "main", tuple(columns), ("id",), tuple(keys), comment)


def _type(column: str) -> str:
    low = column.lower()
    if low.endswith("id"):
        return "INTEGER"
    if re.search(r"(_on|date|_until|_at)$", low):
        return "DATE"
    return "NUMERIC" if re.search(r"amount|amt|cost|qty|pct|price|total|hours|fee|quantity", low) else "TEXT"
