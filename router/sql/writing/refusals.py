"""The errors of all databases that are written, as sentences: by what the code of an error, or its words, mean."""

import re
from typing import Any

from router.errors import JobFailed
from router.sql.databases.error_sentences import code_of as number_of
from router.sql.databases.error_sentences import note, words_of
from router.sql.dialect import EVERY_DIALECT
from router.sql.writing.names import LOG_TABLE
from router.sql.writing.order import (
    CHANGE_ROWS,
    TELL_ADMINISTRATOR,
    TRY_LATER,
    ConnectionLost,
    WriteOrder,
    column_without_value,
    nothing_written,
    taken,
)

_CODES, _WORDS, _SENTENCES = (EVERY_DIALECT["write_errors"][part] for part in ("codes", "words", "sentences"))
_MEANINGS = {code: meaning for meaning, codes in _CODES.items() for code in codes.split()}

_COLUMN = re.compile(
    r"""NOT NULL constraint failed: .*?\.([^.]+)$|\b(?:column|field) '([^']+)'|\."([^"]+)"\)""", re.IGNORECASE
)
_COPIED = re.compile(r"COPY [^,]+, line (\d+)(?:, column ([^:]+?))?(?:: |$)", re.MULTILINE)


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
    told = (meaning for part, meaning in _WORDS.items() if part in words)
    return _MEANINGS.get(code) or _MEANINGS.get(coarse) or next(told, "")


def code_of(error: Exception) -> str:
    """Return the code under which the database's manual explains the error, "" if it has none."""
    if name := getattr(error, "sqlite_errorname", ""):
        return "" if name in ("unknown", "SQLITE_ERROR") else str(name)
    if hasattr(error, "diag"):
        return _state_of(error)
    return number_of(error, _MEANINGS)


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


def _place_in(error: Any) -> str:
    """Return which row and column does not fit, which PostgreSQL knows of a COPY, "" if nobody says so."""
    diag = getattr(error, "diag", None)
    if diag is None or not (found := _COPIED.search(diag.context or "")):
        return ""
    line, column = found.groups()
    return f"Row {int(line):,} does not fit" + (f' the column "{column}"' if column else "")
