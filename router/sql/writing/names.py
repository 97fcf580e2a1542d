"""Names of tables and columns: quoted, whatever is in them; refused if the database would bend or not take them."""

import re

from router.sql.cell_text import shown
from router.sql.dialect import DIALECTS, Name
from router.sql.writing.dialects import WRITE_DIALECTS
from router.sql.writing.order import WriteOrder, nothing_written, require_columns

OWN_TABLE_PREFIX = "icc_bot_"
"""The prefix of the bot's own tables."""

LOG_TABLE = f"{OWN_TABLE_PREFIX}jobs"
"""The table that says which jobs were written: once a schema."""

OLD_TABLE_PREFIX = f"{OWN_TABLE_PREFIX}old_"
"""The prefix of a table's name for a moment, until it is dropped for another one in its place."""

_JOB = re.compile(r"[A-Za-z0-9_-]{1,40}")
_REFUSED = re.compile("[\x00-\x1f\ud800-\udfff]")
"""Control characters, and halves of characters."""


def quoted(*parts: str, mark: str = '"') -> str:
    """Return a name of one or more parts in quotes; empty parts are left out."""
    return ".".join(mark + part.replace(mark, mark * 2) + mark for part in parts if part)


def staging(job: str) -> str:
    """Return the name of the table in which a job's rows wait."""
    return OWN_TABLE_PREFIX + job


def require_sound(order: WriteOrder, dialect: Name) -> None:
    """Raise Refusal unless the order can be written in this dialect with the first problem."""
    if not _JOB.fullmatch(order.job):
        raise ValueError("a job's id is 1 to 40 letters, digits, - or _")
    if not order.fields:
        raise nothing_written("There is no column to write", "Choose at least one.")
    require_table(order.table, dialect)
    require_columns(order)
    label, seen = DIALECTS[dialect].label, dict[str, str]()
    for field in order.fields:
        require_name(field.name, "column", dialect)
        key = field.name.casefold() if is_caseless(dialect) else field.name
        if key in seen:
            raise nothing_written(
                f'The columns "{shown(seen[key])}" and "{shown(field.name)}" have one name for {label}',
                "Give one of them another name.",
            )
        seen[key] = field.name


def is_caseless(dialect: Name) -> bool:
    """Return whether two names that differ in case only are one for the database."""
    return DIALECTS[dialect].folds == "none"


def require_table(name: str, dialect: Name) -> None:
    """Raise Refusal unless people may write into a table of this name, there or not."""
    owners = {OWN_TABLE_PREFIX: "The bot"} | ({"sqlite_": "SQLite"} if dialect == "sqlite" else {})
    for prefix, owner in owners.items():
        if name.lower().startswith(prefix):
            raise nothing_written(f'{owner} keeps names that begin with "{prefix}" for itself', "Choose another name.")
    require_name(name, "table", dialect)


def require_name(name: str, what: str, dialect: Name) -> None:
    """Raise Refusal unless the database takes this name as it is."""
    written = WRITE_DIALECTS[dialect]
    size = len(name.encode(errors="replace")) if written.name_unit == "bytes" else len(name)
    wrong = ""
    if not name.strip():
        wrong = f"A {what} needs a name"
    elif _REFUSED.search(name) or re.search(written.name_refused, name):
        wrong = f'The name "{shown(name)}" holds a character that {written.label} does not take there'
    elif 0 < written.name_max < size:
        wrong = f'The name "{shown(name)}" is too long: {written.label} takes {written.name_max} {written.name_unit}'
    if wrong:
        raise nothing_written(wrong, "Choose another name.")
