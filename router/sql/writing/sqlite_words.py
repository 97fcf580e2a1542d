"""SQLite's refusals as sentences."""

import re
import sqlite3

from router.sql.databases.running import one_line
from router.sql.writing.refusal import LATER, Refusal, nothing_written

_RULES = (
    (r"NOT NULL constraint failed: \S*?\.(.+)", 'The column "{0}" must have a value, and one of the rows has none'),
    (r"UNIQUE constraint failed: (.+)", "A row has the same {0} as another row, where each may be there once"),
    (r"CHECK constraint failed: (.+)", "A row breaks the rule {0} of the table"),
    (r"FOREIGN KEY constraint failed", "A row refers to a row of another table that is not there, or is referred to"),
    (
        r"cannot store (\w+) value in (\w+) column \S*?\.(.+)",
        'The column "{2}" takes {1}, and one of the rows holds {0}',
    ),
    (r"too many columns on (.+)", "These are more columns than SQLite takes"),
)


def refusal_of(error: Exception, file: str, table: str) -> Refusal:
    """Return what an error means for the person; SQLite's own words where they are the best there are."""
    words = str(error)
    code = getattr(error, "sqlite_errorname", "") or ""
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return nothing_written(f"Somebody else is using the file {file}, and it did not become free in time", LATER)
    if code.startswith("SQLITE_FULL"):
        return nothing_written(f"The disk with the file {file} is full", "Make room on it, then try again.")
    if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
        return nothing_written(f"The file {file} may not be written here", "Tell whoever runs the bot.")
    if code.startswith(("SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return nothing_written(f"The file {file} cannot be written ({one_line(words)})", "Tell whoever runs the bot.")
    for pattern, sentence in _RULES:
        if found := re.search(pattern, words):
            return nothing_written(sentence.format(*found.groups()), "Change the query, or the table.")
    what = f'"{table}" cannot be written' if table else f"The file {file} cannot be read"
    kind = type(error).__name__ if not isinstance(error, sqlite3.Error) else one_line(words)
    return nothing_written(f"{what} ({kind})")
