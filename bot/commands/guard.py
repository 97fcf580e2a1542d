"""`icc-bot guard`: judge SQL from standard input, as the bot does before it shows a Run button.

    icc-bot guard --dialect postgres < query.sql        one text, one answer
    icc-bot guard --connection sales < query.sql        the same, and only the connection's tables may be read
    icc-bot guard --jsonl < statements.jsonl            {"dialect": ..., "sql": ...} a line, an answer a line, in order

An answer is {"allowed": bool, "reason": str, "sql": str}. The exit status is 0 if everything may run, 1 if anything was
refused, 2 if the command was used wrongly.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack

from bot.command_line import Say
from bot.settings.environment import Settings
from bot.wiring.bot import opened_tables
from router.errors import BotError, SettingsError
from router.language.outside_json import parse_json
from router.sql.dialect import DIALECTS, Name, by_backend
from router.sql.guard import Verdict, check
from router.sql.scope import Scope

_ALIASES = {"sqlserver": "mssql", "sql server": "mssql", "sqlite3": "sqlite", "pg": "postgres"}


def judge(
    settings: Settings,
    say: Say,
    *,
    dialect: str = "",
    connection: str = "",
    jsonl: bool = False,
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
    verdicts: Iterator[Verdict]
    if jsonl:
        verdicts = (_line(_text(raw), known, scope) for raw in sys.stdin.buffer if raw.strip())
    elif known is None:
        raise SettingsError(["name the --dialect or the --connection that the SQL is for"])
    else:
        verdicts = iter([check(_text(sys.stdin.buffer.read()), known, scope)])
    status = 0
    for verdict in verdicts:
        # At once: a program may wait for the answer before it sends the next line.
        print(json.dumps({"allowed": verdict.allowed, "reason": verdict.reason, "sql": verdict.sql}), flush=True)
        status |= not verdict.allowed
    return status


def scope_of(settings: Settings, name: str) -> tuple[Name, Scope]:
    """Return the dialect and the readable tables of a connection; raises SettingsError, also if it is away."""
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


def _text(raw: bytes) -> str:
    # Bytes that are no UTF-8 become lone surrogates, which the guard refuses with a sentence.
    return raw.decode("utf-8", errors="surrogateescape")


def _line(line: str, dialect: Name | None, scope: Scope | None) -> Verdict:
    try:
        asked = parse_json(line)
    except ValueError:
        asked = None
    sql = asked.get("sql") if isinstance(asked, dict) else None
    if not isinstance(asked, dict) or not isinstance(sql, str):
        return Verdict(False, 'This line is not of the form {"dialect": ..., "sql": ...}.', "")
    wanted = asked.get("dialect", dialect)
    known = _dialect(wanted) if isinstance(wanted, str) else None
    if known is None:
        return Verdict(False, f"The dialect {wanted!r} is not known; choose one of {', '.join(DIALECTS)}.", "")
    if scope is not None and known != dialect:
        return Verdict(False, f"The connection speaks {dialect}, not {known}.", "")
    return check(sql, known, scope)
