"""PostgreSQL's refusals as sentences."""

import re

import psycopg

from router.errors import JobFailed
from router.sql.databases.running import one_line
from router.sql.writing.names import LOG
from router.sql.writing.order import Order
from router.sql.writing.refusal import LATER, TELL, Lost, nothing_written

_MEND = "Change the query, or the table."
_PLACE = re.compile(r'COPY [^,]+, line (\d+)(?:, column ([^:]+?))?(?:: "(.*)")?$', re.MULTILINE | re.DOTALL)


def refusal_of(error: Exception, order: Order | None) -> JobFailed:
    """Return what an error means for the person."""
    if not isinstance(error, psycopg.Error):
        return nothing_written(f"A value does not fit its column ({type(error).__name__})", _MEND)
    state = error.sqlstate or ""
    if isinstance(error, psycopg.OperationalError) and (not state or state.startswith(("08", "57P"))):
        return Lost("The connection to the database was lost. Nothing was written. " + LATER)
    if state.startswith("23"):
        return _constraint(error, one_line(error.diag.message_primary or error))
    if state.startswith("22"):
        return _value(error, one_line(error.diag.message_primary or error))
    return _state(error, state, order)


def _state(error: psycopg.Error, state: str, order: Order | None) -> JobFailed:
    name = f'"{order.table}"' if order else "The database"
    own = one_line(error.diag.message_primary or error)
    match state:
        case "42501":
            return _no_right(own, order)
        case "25006":
            return nothing_written("The database, or this user, may only be read", TELL)
        case "3F000":
            schema = f' "{order.schema}"' if order else ""
            return nothing_written(f"There is no schema{schema} (any more)", "Choose another one.")
        case "55P03" | "40P01":
            return nothing_written(f"{name} is being changed by somebody else, and did not become free in time", LATER)
        case "57014":
            return nothing_written(f"{name} took the database longer than it may", TELL)
        case "53100" | "53200":
            return nothing_written(f"The database has no room left ({own})", TELL)
        case "2BP01":
            return nothing_written(f"{name} cannot be replaced, as others depend on it ({_detail(error)})", TELL)
    return nothing_written(f"{name} cannot be written ({own})", bare=f"{name} cannot be written ({state})")


def _no_right(own: str, order: Order | None) -> JobFailed:
    right = f"The user of this connection lacks a right ({own})"
    if order and "schema" in own:
        return nothing_written(
            right,
            f'It needs CREATE on the schema "{order.schema}" for a new table, and once for {LOG}, where the bot keeps '
            f"which jobs were written. {TELL}",
        )
    return nothing_written(right, TELL)


def _constraint(error: psycopg.Error, own: str) -> JobFailed:
    rule = error.diag.constraint_name or ""
    match error.sqlstate:
        case "23502":
            column = error.diag.column_name
            return nothing_written(f'The column "{column}" must have a value, and one of the rows has none', _MEND)
        case "23505":
            sentence = (
                'A row has a key that is there already, or twice in the rows, where it may be there once{} ("{}")'
            )
        case "23503":
            sentence = 'A row refers to a row of another table that is not there, or is referred to{} ("{}")'
        case "23514":
            sentence = 'A row breaks a rule of the table{} ("{}")'
        case _:
            return nothing_written(f"The table refuses a row ({own})", _MEND)
    detail = one_line(error.diag.message_detail or "") if error.sqlstate != "23514" else ""
    told = f": {detail}" if detail else ""
    return nothing_written(sentence.format(told, rule), _MEND, sentence.format("", rule))


def _value(error: psycopg.Error, own: str) -> JobFailed:
    """Tell the row and the column, which PostgreSQL knows of a COPY."""
    found = _PLACE.search(error.diag.context or "")
    if error.sqlstate == "22021" or "0x00" in own or "\\u0000" in (error.diag.message_detail or ""):
        own = "it holds a null character, which PostgreSQL does not take"
    if found is None:
        return nothing_written(f"A value does not fit its column ({own})", _MEND, "A value does not fit its column")
    line, column, value = found.groups()
    where = f"Row {int(line):,} does not fit" + (f' the column "{column}"' if column else "")
    shown = f', which holds "{one_line(value)[:60]}"' if value else ""
    return nothing_written(f"{where}{shown} ({own})", _MEND, where)


def _detail(error: psycopg.Error) -> str:
    return one_line((error.diag.message_detail or error.diag.message_primary or "").splitlines()[0])
