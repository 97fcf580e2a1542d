"""`icc-bot guard`: judge SQL from standard input, as the bot does before it shows a Run button.

    icc-bot guard --dialect postgres < query.sql        one text, one answer
    icc-bot guard --connection sales < query.sql        the same, and only the connection's tables may be read

An answer is {"allowed": bool, "reason": str, "sql": str}. The exit status is 0 if it may run, 1 if it was refused, 2
if the command was used wrongly.
"""

import json
import sys
from contextlib import ExitStack

from bot.command_line import Say
from bot.settings.environment import Settings
from bot.wiring.bot import opened_tables
from router.errors import BotError, SettingsError
from router.sql.dialect import DIALECTS, Name, by_backend
from router.sql.guard import check
from router.sql.scope import Scope

_ALIASES = {"sqlserver": "mssql", "sql server": "mssql", "sqlite3": "sqlite", "pg": "postgres"}


def judge(
    settings: Settings,
    say: Say,
    *,
    dialect: str = "",
    connection: str = "",
) -> int:
    """Answer for the SQL on standard input and return the exit status; raises SettingsError for a wrong use."""
    known, scope = _dialect(dialect), None
    if dialect and known is None:
        raise SettingsError([f"the dialect {dialect!r} is not known; choose one of {', '.join(DIALECTS)}"])
    if connection:
        of_connection, scope = scope_of(settings, connection)
        if known not in (None, of_connection):
            raise SettingsError([f"the connection {connection} speaks {of_connection}, not {known}"])
        known = of_connection
    if known is None:
        raise SettingsError(["name the --dialect or the --connection that the SQL is for"])
    # Bytes that are no UTF-8 become lone surrogates, which the guard refuses with a sentence.
    verdict = check(sys.stdin.buffer.read().decode("utf-8", errors="surrogateescape"), known, scope)
    print(json.dumps({"allowed": verdict.allowed, "reason": verdict.reason, "sql": verdict.sql}))
    return int(not verdict.allowed)


def scope_of(settings: Settings, name: str) -> tuple[Name, Scope]:
    """Return the dialect and the readable tables of a connection; raises SettingsError, also where it is away."""
    with ExitStack() as stack:
        connections, tables = opened_tables(settings, stack)
        if name not in connections:
            raise SettingsError([f"There is no connection {name}; there are: {', '.join(connections)}."])
        try:
            schema = tables.schema(name)
        except BotError as error:
            raise SettingsError([str(error)]) from None
        return schema.dialect, schema.scope


def _dialect(name: str) -> Name | None:
    wanted = name.strip().lower()
    for known in DIALECTS:
        if wanted == known:
            return known
    row = by_backend(_ALIASES.get(wanted, wanted))
    return row.name if row else None
