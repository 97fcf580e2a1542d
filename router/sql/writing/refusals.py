"""The errors of all databases that are written, as sentences: by what the code of an error, or its words, mean."""

import re
from typing import Any

from router.errors import JobFailed
from router.sql.databases.error_sentences import note, words_of
from router.sql.writing.names import LOG_TABLE
from router.sql.writing.order import (
    CHANGE_ROWS,
    TELL_ADMINISTRATOR,
    TRY_LATER,
    ConnectionLost,
    WriteOrder,
    column_without_value,
    key_taken,
    nothing_written,
    taken,
)

# What an error means: by its code, of SQLite a name, of PostgreSQL an SQLSTATE or its class, of others a number.

_CODES = {
    "lost": (
        "ORA-03113 ORA-03114 ORA-03135 ORA-02396 DPY-4011 DPY-1001 2006 2013 2055 20003 20004 20047 "
        "08 57P01 57P02 57P03 57P04 57P05"
    ),
    "no value": "ORA-01400 ORA-01407 1048 1364 515 23502 SQLITE_CONSTRAINT_NOTNULL",
    "key": (
        "ORA-00001 1062 2627 2601 23505 SQLITE_CONSTRAINT_UNIQUE SQLITE_CONSTRAINT_PRIMARYKEY SQLITE_CONSTRAINT_ROWID"
    ),
    "taken": "ORA-00955 1050 2714 42P07 42710",
    "no table": "ORA-00942 1146 208 42P01",
    "no schema": "ORA-01918 1049 2760 3F000",
    "no right": "ORA-01031 ORA-01950 1044 1142 1227 262 229 42501",
    "reference": "ORA-02291 ORA-02292 1451 1452 23503 SQLITE_CONSTRAINT_FOREIGNKEY",
    "rule": "ORA-02290 3819 4025 547 23514 SQLITE_CONSTRAINT_CHECK",
    "other rule": "23",
    "too long": "ORA-12899 1406 8152 2628",
    "value": "ORA-01438 ORA-01722 1264 1366 1292 245 8114 8115 22",
    "no room": "ORA-01653 ORA-01654 ORA-01652 ORA-01536 1021 1114 1105 9002 53100 53200",
    "held": "ORA-00054 ORA-30006 ORA-00060 1205 1213 1222 3572 55P03 40P01",
    "too slow": "DPY-4024 3024 1317 1969 57014",
    "read only": "ORA-16000 1290 1792 1836 3906 25006",
    "needed": "2BP01",
    "file in use": "SQLITE_BUSY SQLITE_LOCKED",
    "disk full": "SQLITE_FULL",
    "file kept": "SQLITE_CANTOPEN SQLITE_PERM SQLITE_AUTH SQLITE_READONLY",
    "file damaged": "SQLITE_IOERR SQLITE_CORRUPT SQLITE_NOTADB",
}
_MEANINGS = {code: meaning for meaning, codes in _CODES.items() for code in codes.split()}

_WORDS = (
    ("lock on file", "file in use"),
    ("different configuration", "file in use"),
    ("no space left", "disk full"),
    ("out of disk", "disk full"),
    ("permission denied", "file kept"),
    ("read-only mode", "file kept"),
    ("read-only file", "file kept"),
    ("conflict", "held"),
    ("not null constraint failed", "no value"),
    ("duplicate key", "key"),
    ("foreign key", "reference"),
    ("check constraint failed", "rule"),
    ("conversion error", "value"),
    ("cannot store", "value"),
    ("too many columns", "too wide"),
)
"""What DuckDB says, which has no codes, and SQLite where it has none, in the order in which it is looked for."""

_SENTENCES = {
    "taken": ("There is a table or view of this name already", "Choose another name."),
    "no table": ("A table is not there (any more), or this user may not see it", "Choose another one."),
    "no schema": ("There is no such schema, or this user may not use it", "Choose another one."),
    "no right": ("The user of this connection lacks a right", TELL_ADMINISTRATOR),
    "reference": ("A row refers to a row of another table that is not there, or is referred to", CHANGE_ROWS),
    "rule": ("A row breaks a rule of the table", CHANGE_ROWS),
    "other rule": ("The table refuses a row", CHANGE_ROWS),
    "too long": ("A text is too long for its column", CHANGE_ROWS),
    "value": ("A value does not fit its column", CHANGE_ROWS),
    "no room": ("The database has no room left", TELL_ADMINISTRATOR),
    "held": ("{table} is being changed by somebody else, and did not become free in time", TRY_LATER),
    "too slow": ("The database took longer than it may", TELL_ADMINISTRATOR),
    "read only": ("The database may only be read", TELL_ADMINISTRATOR),
    "needed": ("{table} cannot be replaced, as others depend on it", TELL_ADMINISTRATOR),
    "file in use": ("Somebody else is using the file {file}, and it did not become free in time", TRY_LATER),
    "disk full": ("The disk with the file {file} is full", "Make room on it, then try again."),
    "file kept": ("The file {file} may not be written here", TELL_ADMINISTRATOR),
    "file damaged": ("The file {file} cannot be read or written", TELL_ADMINISTRATOR),
    "too wide": ("These are more columns than the database takes", CHANGE_ROWS),
}

_NUMBER = re.compile(r"\b((?:ORA|DPY)-\d+)\b")
_COLUMN = re.compile(
    r"""NOT NULL constraint failed: .*?\.([^.]+)$|\b(?:column|field) '([^']+)'|\."([^"]+)"\)""", re.IGNORECASE
)
_COPIED = re.compile(r"COPY [^,]+, line (\d+)(?:, column ([^:]+?))?(?:: |$)", re.MULTILINE)
_KEYS = (
    (r"UNIQUE constraint failed: (.*)", r"(?:^|, )[^.,]+\.([^,]+)"),  # SQLite
    (r"(?s)duplicate key \"(.*)\"", r"(?:^|, )([^:,]+): "),  # DuckDB
    (r"\(([^()]*)\)=\(", r"[^, ][^,]*"),  # PostgreSQL
)
"""Where an error names the columns of a key, and each column in that."""


def refusal_of(error: Exception, label: str, order: WriteOrder | None = None, file: str = "") -> JobFailed:
    """Return what a driver's error means for the person; ConnectionLost if the connection is gone.

    `file` is the name of the database's file, if it is one. The log has the database's own words, which may hold
    values, and names that the person may not know.
    """
    code, meaning, words = code_of(error), meaning_of(error), _words_in(error)
    note(label, words)
    told = "" if file else f" ({code or type(error).__name__})"
    match meaning:
        case "lost":
            return ConnectionLost(f"The connection to the database was lost. Nothing was written. {TRY_LATER}")
        case "no value":
            return column_without_value(_column_in(error, words), order)
        case "key":
            columns = _key_in(words)
            return key_taken(columns, order, "" if file or columns else code)
        case "value" if where := _place_in(error):
            return nothing_written(where, CHANGE_ROWS)
        case "taken" if order:
            return taken(order)
        case "no right" if order and "schema" in words:
            advice = (
                f'It needs CREATE on the schema "{order.schema}" for a new table, and once for {LOG_TABLE}, where the '
                f"bot keeps which jobs were written. {TELL_ADMINISTRATOR}"
            )
            return nothing_written(_SENTENCES[meaning][0] + told, advice)
    table = f'"{order.table}"' if order else "The table"
    if meaning:
        sentence, advice = _SENTENCES[meaning]
        return nothing_written(sentence.format(file=file, table=table) + told, advice)
    place = f"The file {file}" if file else label
    what = f"{table} cannot be written" if order else f"{place} refused a statement"
    return nothing_written(f"{what} ({code or type(error).__name__})")


def meaning_of(error: Exception) -> str:
    """Return what an error means, "" if it is none of those that are known."""
    if isinstance(error, OverflowError | UnicodeError):
        return "value"
    code = code_of(error)
    words = "" if code else _words_in(error).lower()
    coarse = code[:2] if hasattr(error, "diag") else "_".join(code.split("_")[:2])
    told = (meaning for part, meaning in _WORDS if part in words)
    return _MEANINGS.get(code) or _MEANINGS.get(coarse) or next(told, "")


def code_of(error: Exception) -> str:
    """Return the code under which the database's manual explains the error, "" if it has none."""
    if name := getattr(error, "sqlite_errorname", ""):
        return "" if name in ("unknown", "SQLITE_ERROR") else str(name)
    if hasattr(error, "diag"):
        return _state_of(error)
    if found := _NUMBER.search(str(error)):
        return found[1]
    first = error.args[0] if error.args else ""
    return str(first) if isinstance(first, int) else ""


def _state_of(error: Any) -> str:
    """Return an SQLSTATE of PostgreSQL; a key of its own catalog is a name that somebody else took at the same time."""
    import psycopg

    if error.sqlstate == "23505" and error.diag.schema_name == "pg_catalog":
        return "42P07"
    return error.sqlstate or ("08" if isinstance(error, psycopg.OperationalError) else "")


def _words_in(error: Exception) -> str:
    """Return a message without the statement and the hints that follow it, with PostgreSQL's details."""
    if diag := getattr(error, "diag", None):
        return f"{diag.message_primary or error} {diag.message_detail or ''}"
    return words_of(error).split("\n\n")[0]


def _column_in(error: Any, words: str) -> str:
    if (diag := getattr(error, "diag", None)) and diag.column_name:
        return str(diag.column_name)
    found = _COLUMN.search(words)
    return next(filter(None, found.groups()), "") if found else ""


def _key_in(words: str) -> list[str]:
    for place, column in _KEYS:
        if found := re.search(place, words, re.IGNORECASE):
            return re.findall(column, found[1])
    return []


def _place_in(error: Any) -> str:
    """Return which row and column does not fit, which PostgreSQL knows of a COPY, "" if nobody says so."""
    diag = getattr(error, "diag", None)
    if diag is None or not (found := _COPIED.search(diag.context or "")):
        return ""
    line, column = found.groups()
    where = f"Row {int(line):,} does not fit" + (f' the column "{column}"' if column else "")
    words = _words_in(error)
    is_null = error.sqlstate == "22021" or "0x00" in words or "\\u0000" in words
    return where + (": it holds a null character, which PostgreSQL does not take" if is_null else "")
