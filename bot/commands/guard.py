"""`icc-bot guard`: judge SQL from standard input, as the bot does before it shows a Run button.

    icc-bot guard --dialect postgres < query.sql        one text, one answer
    icc-bot guard --connection sales < query.sql        the same, and only the connection's tables may be read
    icc-bot guard --jsonl < statements.jsonl            {"dialect": ..., "sql": ...} a line, an answer a line, in order

An answer is {"allowed": bool, "reason": str, "sql": str}. The exit status is 0 if everything may run, 1 if anything was
refused, 2 if the command was used wrongly.
"""

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import ExitStack

from bot.settings.environment import read_settings
from bot.wiring.bot import opened_tables
from router.errors import BotError, SettingsError
from router.language.outside_json import parse_json
from router.sql.dialect import DIALECTS, Name, by_backend
from router.sql.guard import Verdict, check
from router.sql.scope import Scope


def scope_of(name: str) -> tuple[Name, Scope]:
    """Return the dialect and the readable tables of a connection, for the guard's command line."""
    with ExitStack() as stack:
        connections, tables = opened_tables(read_settings(), stack)
        if name not in connections:
            raise SettingsError([f"There is no connection {name}; there are: {', '.join(connections)}."])
        schema = tables.schema(name)
        return schema.dialect, schema.scope


ScopeOf = Callable[[str], tuple[Name, Scope]]
"""Finds a connection's dialect and tables by its name; raises BotError or SettingsError for an unknown name."""

_ALIASES = {"sqlserver": "mssql", "sql server": "mssql", "sqlite3": "sqlite", "pg": "postgres"}


def run(argv: list[str], scope_of: ScopeOf = scope_of) -> int:
    """Answer for the SQL on standard input and return the exit status."""
    try:
        arguments = _parser().parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    dialect, scope = _dialect(arguments.dialect or ""), None
    if arguments.dialect and dialect is None:
        return _usage(f"the dialect {arguments.dialect!r} is not known; choose one of {', '.join(DIALECTS)}")
    if arguments.connection:
        try:
            of_connection, scope = scope_of(arguments.connection)
        except (BotError, SettingsError) as error:
            return _usage(str(error))
        if dialect not in (None, of_connection):
            return _usage(f"the connection {arguments.connection} speaks {of_connection}, not {dialect}")
        dialect = of_connection
    if arguments.jsonl:
        return _lines(dialect, scope)
    if dialect is None:
        return _usage("name the --dialect or the --connection that the SQL is for")
    return _answer(check(_text(sys.stdin.buffer.read()), dialect, scope))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="icc-bot guard", description="Judge SQL from standard input.")
    parser.add_argument("--dialect", help=f"the kind of database: {', '.join(DIALECTS)}")
    parser.add_argument("--connection", help="a connection's name: its dialect, and only its tables may be read")
    parser.add_argument("--jsonl", action="store_true", help='read a {"dialect": ..., "sql": ...} a line instead')
    return parser


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


def _lines(dialect: Name | None, scope: Scope | None) -> int:
    status = 0
    for raw in sys.stdin.buffer:
        if raw.strip():
            status |= _answer(_line(_text(raw), dialect, scope))
    return status


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


def _answer(verdict: Verdict) -> int:
    print(json.dumps({"allowed": verdict.allowed, "reason": verdict.reason, "sql": verdict.sql}), flush=True)
    return 0 if verdict.allowed else 1


def _usage(problem: str) -> int:
    print(f"icc-bot guard: {problem}", file=sys.stderr)
    return 2
