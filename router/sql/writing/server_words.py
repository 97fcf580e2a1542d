"""The servers' refusals as sentences, by their numbers."""

import re

from router.errors import JobFailed
from router.sql.databases.running import one_line
from router.sql.databases.server_words import words_of
from router.sql.writing.refusal import LATER, TELL, Lost, nothing_written

_MEND = "Change the query, or the table."
_ONCE = "where it may be there once"
_NUMBER = re.compile(r"\b((?:ORA|DPY)-\d+)\b")

_MEANINGS: tuple[tuple[str, str, str], ...] = (
    ("ORA-00955 1050 2714", "There is a table or view of this name already", "Choose another name."),
    ("ORA-00942 1146 208", "A table is not there (any more), or this user may not see it", "Choose another one."),
    ("ORA-01918 1049 2760", "There is no such schema, or this user may not use it", "Choose another one."),
    ("ORA-01031 ORA-01950 1044 1142 1227 262 229", "The user of this connection lacks a right", TELL),
    ("ORA-01400 ORA-01407 1048 1364 515", "A column must have a value, and one of the rows has none", _MEND),
    ("ORA-00001 1062 2627 2601", f"A row has a key that is there already, or twice in the rows, {_ONCE}", _MEND),
    ("ORA-02291 ORA-02292 1451 1452", "A row refers to a row of another table that is not there", _MEND),
    ("ORA-02290 3819 4025 547", "A row breaks a rule of the table", _MEND),
    ("ORA-12899 1406 8152 2628", "A text is too long for its column", _MEND),
    ("ORA-01438 ORA-01722 1264 1366 1292 245 8114 8115", "A value does not fit its column", _MEND),
    ("ORA-01653 ORA-01654 ORA-01652 ORA-01536 1021 1114 1105 9002", "The database has no room left", TELL),
    (
        "ORA-00054 ORA-30006 ORA-00060 1205 1213 1222 3572",
        "The table is being changed by somebody else, and did not become free in time",
        LATER,
    ),
    ("DPY-4024 3024 1317 1969", "The database took longer than it may", TELL),
    ("ORA-16000 1290 1792 1836 3906", "The database may only be read", TELL),
)
_EMPTY = frozenset("ORA-01400 ORA-01407 1048 1364 515".split())  # noqa: SIM905
_COLUMN = re.compile(r"""\b(?:column|field) '([^']+)'|\."([^"]+)"\)""", re.IGNORECASE)
_GONE = frozenset("ORA-03113 ORA-03114 ORA-03135 ORA-02396 DPY-4011 DPY-1001 2006 2013 2055 20003 20004 20047".split())  # noqa: SIM905
_VALUED = frozenset("ORA-00001 1062 2627 2601 1366 1292 245 2628 1264".split())  # noqa: SIM905
"""Where the server's own words may hold a value of a row."""


def refusal_of(error: Exception, label: str, table: str = "") -> JobFailed:
    """Return what a driver's error means for the person; Lost where the connection is gone."""
    number = number_of(error)
    if number in _GONE:
        return Lost(f"The connection to the database was lost. Nothing was written. {LATER}")
    if number in _EMPTY and (column := _COLUMN.search(words_of(error))):
        named = column[1] or column[2]
        return nothing_written(f'The column "{named}" must have a value, and one of the rows has none', _MEND)
    own = one_line(_NUMBER.sub("", words_of(error).split("Help: ")[0]).lstrip(": "))
    told = f"{own}, {number}" if number else own
    for numbers, sentence, advice in _MEANINGS:
        if number and number in numbers.split():
            return nothing_written(f"{sentence} ({told})", advice, f"{sentence} ({number})" * (number in _VALUED))
    what = f'"{table}" cannot be written' if table else f"{label} refused a statement"
    return nothing_written(f"{what} ({told})", bare=f"{what} ({number or type(error).__name__})")


def number_of(error: Exception) -> str:
    """Return the number under which the server's manual explains the error, "" where it has none."""
    if found := _NUMBER.search(str(error)):
        return found[1]
    first = error.args[0] if error.args else ""
    return str(first) if isinstance(first, int) else ""
