"""DuckDB's refusals as sentences."""

import re
from pathlib import Path

from router.sql.databases.running import one_line
from router.sql.writing.refusal import LATER, Refusal, nothing_written

_RULES = (
    (r"NOT NULL constraint failed: \S*?\.(.+)", 'The column "{0}" must have a value, and one of the rows has none'),
    (r"duplicate key \"(.*)\"", 'The key "{0}" is there already, or twice in the rows, where it may be there once'),
    (r"foreign key .*?\"(.*)\" does not exist", 'A row refers to "{0}" of another table, which is not there'),
    (r"CHECK constraint failed.* with expression (.+)", "A row breaks the rule {0} of the table"),
)


def blocked(error: Exception) -> bool:
    """Tell whether somebody else has the file open."""
    return "lock on file" in str(error) or "different configuration" in str(error)


def in_use(path: Path) -> Refusal:
    """Return the refusal for a file that somebody else has."""
    return nothing_written(f"The file {path.name} is open elsewhere, and did not become free in time", LATER)


def refusal_of(error: Exception, path: Path, table: str = "") -> Refusal:
    """Return what an error means for the person."""
    words = str(error).split("\n\n")[0].replace(str(path), path.name)
    if blocked(error):
        return in_use(path)
    if "No space left" in words or "out of disk" in words.lower():
        return nothing_written(f"The disk with the file {path.name} is full", "Make room on it, then try again.")
    if "Permission denied" in words or "read-only mode" in words or "Read-only file" in words:
        return nothing_written(f"The file {path.name} may not be written here", "Tell whoever runs the bot.")
    if "Conflict" in words or "conflict" in words:
        return nothing_written(f'"{table}" was changed by somebody else at the same time', LATER)
    for pattern, sentence in _RULES:
        if found := re.search(pattern, words, re.IGNORECASE):
            bare = sentence.format(*("…" for _ in found.groups()))
            return nothing_written(sentence.format(*found.groups()), "Change the query, or the table.", bare)
    own = one_line(words.split("Error: ", 1)[-1])
    what = f'"{table}" cannot be written' if table else f"The file {path.name} cannot be used"
    return nothing_written(f"{what} ({own})", bare=what)
