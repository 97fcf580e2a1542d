"""Reads the lists of statements next to this file: blocks with an empty line between them.

A hostile block begins with "### " and the guard's whole answer, or "### -" where every database has its own.
"""

from pathlib import Path

from router.sql.dialect import DIALECTS, Name
from router.sql.scope import Scope

HERE = Path(__file__).parent
SHOP = ("customers", "orders", "products", "employees")
COLUMNS = {
    "customers": ("id", "name", "email", "city", "country", "created", "data"),
    "orders": ("id", "customer_id", "product_id", "amount", "quantity", "status", "ordered", "shipped"),
    "products": ("id", "name", "category", "price", "cost"),
    "employees": ("id", "name", "manager_id", "department", "salary", "hired"),
}
SCHEMAS: dict[Name, str] = {
    "sqlite": "main", "duckdb": "main", "postgres": "public", "oracle": "SHOP", "mysql": "shop", "tsql": "dbo",
}  # fmt: skip


def blocks(kind: str, name: str) -> list[str]:
    """Return the blocks of one list."""
    text = (HERE / kind / f"{name}.txt").read_text(encoding="utf-8")
    return [block.strip("\n") for block in text.split("\n\n") if block.strip()]


def hostile() -> list[tuple[Name, str, str]]:
    """Return (dialect, reason or "-", statement) of everything that must be refused."""
    found = []
    for dialect in DIALECTS:
        for block in blocks("hostile", dialect) + blocks("hostile", "everywhere"):
            head, _, statement = block.partition("\n")
            found.append((dialect, head.removeprefix("### "), statement))
    return found


def good(dialect: Name) -> list[str]:
    """Return the harmless statements of a dialect, over the tables of SHOP."""
    shared = blocks("good", "everywhere")
    if dialect == "mysql":  # where double quotes are strings
        shared = [statement for statement in shared if '"' not in statement]
    return shared + blocks("good", dialect)


def shop(dialect: Name) -> Scope:
    """Return the scope that the harmless statements keep to."""
    spell = str.upper if dialect == "oracle" else str
    columns = {(SCHEMAS[dialect], spell(table)): tuple(map(spell, COLUMNS[table])) for table in SHOP}
    return Scope.of(SCHEMAS[dialect], columns, columns)
