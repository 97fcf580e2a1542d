"""The functions that may run, by database: whatever is not on a list is refused.

A list holds the names as the database calls them, because the guard compares them with the text that will run.
To allow a function, put its name into its database's file, after making sure that it only computes: it reads no file,
no network, no setting, no table by name, changes nothing and does not wait.
"""

from router.sql.dialect import Name
from router.sql.functions import duckdb, everywhere, mysql, oracle, postgres, sqlite, tsql

ALLOWED: dict[Name, frozenset[str]] = {
    "sqlite": everywhere.NAMES | sqlite.NAMES,
    "duckdb": everywhere.NAMES | duckdb.NAMES,
    "postgres": everywhere.NAMES | postgres.NAMES,
    "oracle": everywhere.NAMES | oracle.NAMES,
    "mysql": everywhere.NAMES | mysql.NAMES,
    "tsql": everywhere.NAMES | tsql.NAMES,
}
