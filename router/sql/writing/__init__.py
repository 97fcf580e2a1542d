"""Writing rows into a table of a database: all of them or none, once, fast, and in bounded memory.

`opening.open_target` picks the file for a database. Where a CREATE TABLE can be undone (SQLite, DuckDB, PostgreSQL,
SQL Server), everything happens in one transaction. Where it commits (Oracle, MySQL), the rows wait in a staging table.
"""

from router.sql.writing.order import Column, Existing, Field, Kind, Mode, Order
from router.sql.writing.refusal import Lost, Refusal
from router.sql.writing.target import Batches, Progress, Target

__all__ = [
    "Batches",
    "Column",
    "Existing",
    "Field",
    "Kind",
    "Lost",
    "Mode",
    "Order",
    "Progress",
    "Refusal",
    "Target",
]
