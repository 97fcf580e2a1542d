"""connections.toml: which databases there are, how much may be read and by whom. Every problem is reported at once."""

import os
import stat
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from math import inf
from pathlib import Path
from typing import Any

from sqlalchemy.engine import URL

from router.catalog.connection import EVERYBODY, Channels, Connection, Connections, WrongPerson, expand_people
from router.catalog.database_url import WrongUrl, holds_password, resolve_url, same_user
from router.catalog.said_of_tables import key_of
from router.errors import SettingsError
from router.sql.dialect import UNKNOWN_DIALECT, Dialect, by_backend, known_backends
from router.storage.edited_files import key_lines, parse_toml

TEXT, TEXTS, SWITCH = "a text", "a list of texts", "true or false"
TABLE_OF_TEXTS = "a table of texts"
WHOLE, POSITIVE = "a whole number above 0", "a number of seconds above 0"

CONNECTION_KEYS = {
    "id": WHOLE,
    "label": TEXT,
    "url": TEXT,
    "write_url": TEXT,
    "dialect": TEXT,
    "schemas": TEXTS,
    "tables": TEXTS,
    "write_schemas": TEXTS,
    "samples": SWITCH,
    "values": SWITCH,
    "values_hidden": TEXTS,
    "columns_hidden": TEXTS,
    "keys": TEXTS,
    "descriptions": TABLE_OF_TEXTS,
    "max_rows": WHOLE,
    "max_result_mb": WHOLE,
    "max_compared_rows": WHOLE,
    "timeout": POSITIVE,
    "readers": TEXTS,
    "approvers": TEXTS,
    "writers": TEXTS,
    "teachers": TEXTS,
    "guests": SWITCH,
    "private": SWITCH,
    "examples": TEXTS,
    "sensitivity": TEXT,
}
"""The keys of a connection, each with what it may hold."""

RESOLVED = ("url", "write_url", "dialect", "readers", "approvers", "writers", "teachers")
"""Keys whose values are no fields of a connection as they stand."""


def fits(value: Any, wanted: str) -> bool:
    """Tell whether a value is what a key wants."""
    match wanted:
        case "a text":
            return isinstance(value, str) and bool(value.strip())
        case "a list of texts":
            return isinstance(value, list) and all(isinstance(entry, str) for entry in value)
        case "a table of texts":
            return isinstance(value, dict) and all(isinstance(entry, str) for entry in value.values())
        case "true or false":
            return isinstance(value, bool)
        case "a whole number above 0":
            return type(value) is int and value > 0  # True is none
    return type(value) in (int, float) and 0 < value < inf


def kind(value: object) -> str:
    """Say what a value is; texts are not repeated, since they may be secrets."""
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case str():
            return "a text" if value.strip() else "an empty text"
        case list():
            return "a list of other things" if value else "a list"
    return "a table" if isinstance(value, dict) else "a date or time"


def read_connections(path: Path, environ: Mapping[str, str]) -> Connections:
    """Return the connections of the file; raises SettingsError with every problem, its line and its remedy."""
    return connections_in(path, read_text(path), environ)


def read_text(path: Path) -> str:
    """Return what stands in the file; raises SettingsError."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SettingsError([f"{path} does not exist; copy connections.example.toml to it and change it."]) from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError([f"{path} cannot be read ({type(error).__name__}); it must be a text in UTF-8."]) from None


def connections_in(
    path: Path, text: str, environ: Mapping[str, str], opened: Collection[str] | None = None
) -> Connections:
    """Return the connections of the file with this text, as `read_connections` does.

    One whose URL cannot be used is away, and no problem of the others, unless there is nothing else in the file.
    `opened` names those whose databases this process opens, in lower case, where it does not open all. The URLs of the
    others are not looked at.
    """
    data, wrong, line = parse_toml(text)
    if wrong:
        raise SettingsError([f"{path.name}, line {line}: this is not TOML: {wrong[:1].lower()}{wrong[1:]}."])
    file = _File(path, text, environ, opened)
    connections = file.read(data)
    if file.problems or all(connection.away for connection in connections.values()):
        problems = sorted(file.problems + file.away, key=lambda problem: problem[0])
        raise SettingsError([sentence for _, sentence in problems])
    return connections


class _File:
    """One reading of the file: collects problems as (line, sentence) while it goes on."""

    def __init__(self, path: Path, text: str, environ: Mapping[str, str], opened: Collection[str] | None) -> None:
        self.path, self.environ, self.opened, self.lines = path, environ, opened, key_lines(text)
        self.problems: list[tuple[int, str]] = []
        self.away: list[tuple[int, str]] = []
        """What is wrong with a connection's URL alone."""
        self.groups: dict[str, frozenset[str]] = {}

    def problem(self, where: tuple[str, ...], sentence: str) -> None:
        """Note a problem at the key `where`, or at the nearest key above it that the file names."""
        self.problems.append(self._placed(where, sentence))

    def _placed(self, where: tuple[str, ...], sentence: str) -> tuple[int, str]:
        known = next((where[:n] for n in range(len(where), 0, -1) if where[:n] in self.lines), ())
        line, _ = self.lines.get(known, (1, 1))
        place = f" [{where[1]}]" if where[0] == "connections" and len(where) > 1 else ""
        return line, f"{self.path.name}, line {line}:{place} {sentence}"

    def read(self, data: dict[str, Any]) -> Connections:
        self._demand_known((), data, ("default", "groups", "channels", "connections"))
        self._read_groups(self._lists(data, "groups"))
        tables = data.get("connections", {})
        if not isinstance(tables, dict) or not tables:
            self.problem(("connections",), "there is no connection; add a block that begins with [connections.NAME].")
            return Connections([])
        found = [self._read_connection(name, table) for name, table in tables.items()]
        self._demand_different(tables)
        default = data.get("default", "")
        if not isinstance(default, str) or (default and default.casefold() not in map(str.casefold, tables)):
            self.problem(("default",), f"default is no connection of this file; choose one of {', '.join(tables)}.")
            default = ""
        return Connections(
            [connection for connection in found if connection], default, self._channels(self._lists(data, "channels"))
        )

    def _demand_known(self, where: tuple[str, ...], table: Mapping[str, object], known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                near = get_close_matches(key, known, 1)
                remedy = f'write "{near[0]}"' if near else f"the keys are {', '.join(known)}"
                self.problem((*where, key), f'there is no key "{key}"; {remedy}.')

    def _demand_different(self, tables: Mapping[str, object]) -> None:
        """Names that differ only in case, and numbers given twice, would name two connections at once."""
        names: dict[str, str] = {}
        numbers: dict[int, str] = {}
        for name, table in tables.items():
            where = ("connections", name)
            if (other := names.setdefault(name.casefold(), name)) != name:
                self.problem(where, f"the name differs from {other} only in upper and lower case; choose another one.")
            number = table.get("id") if isinstance(table, dict) else None
            if isinstance(number, int) and (other := numbers.setdefault(number, name)) != name:
                self.problem((*where, "id"), f"id {number} belongs to {other} already; choose another number.")

    def _lists(self, data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        """Return the table of this key; an empty one where it is none."""
        table = data.get(key, {})
        if isinstance(table, dict):
            return table
        self.problem((key,), f"{key} must be a table of lists, not {kind(table)}.")
        return {}

    def _read_groups(self, groups: Mapping[str, Any]) -> None:
        for name, people in groups.items():
            where = ("groups", name)
            self.groups[name] = frozenset()
            if not fits(people, TEXTS):
                self.problem(where, f"the group {name} must be {TEXTS}, not {kind(people)}.")
            elif any(person.strip().startswith("@") for person in people):
                self.problem(where, f"the group {name} holds another group; list its people instead.")
            else:
                self.groups[name] = self._people(where, people) or frozenset()

    def _channels(self, table: Mapping[str, Any]) -> Channels:
        self._demand_known(("channels",), table, ("allowed", "private"))
        lists: dict[str, frozenset[str]] = {}
        for key, names in table.items():
            if not fits(names, TEXTS) or not all(name == EVERYBODY or ":" in name for name in names):
                self.problem(("channels", key), f'{key} must be a list such as ["slack:C0123ABCD"], or ["*"] for all.')
            else:
                lists[key] = frozenset(names)
        return Channels(lists.get("allowed"), lists.get("private", frozenset()))

    def _people(self, where: tuple[str, ...], entries: list[str] | None) -> frozenset[str] | None:
        try:
            return None if entries is None else expand_people(entries, self.groups)
        except WrongPerson as wrong:
            self.problem(where, f"{where[-1]}: {wrong}")
            return frozenset()

    def _read_connection(self, name: str, table: object) -> Connection | None:
        where = ("connections", name)
        if not isinstance(table, dict):
            self.problem(where, f"a connection must be a table of keys, not {kind(table)}.")
            return None
        self._demand_known(where, table, tuple(CONNECTION_KEYS))
        for key in ("id", "url"):
            if key not in table:
                example = "id = 1, a number of its own" if key == "id" else 'url = "env:NAME"'
                self.problem(where, f"{key} is missing; add {example}.")
        good: dict[str, Any] = {}
        for key, value in table.items():
            if key in CONNECTION_KEYS and fits(value, CONNECTION_KEYS[key]):
                good[key] = value
            elif key in CONNECTION_KEYS:
                self.problem((*where, key), f"{key} must be {CONNECTION_KEYS[key]}, not {kind(value)}.")
        elsewhere = self.opened is not None and name.casefold() not in self.opened
        away_before = len(self.away)
        url, write_url = (self._read_url((*where, key), good.get(key), elsewhere) for key in ("url", "write_url"))
        said = self._dialect((*where, "dialect"), good["dialect"]) if "dialect" in good else None
        people = {
            key: self._people((*where, key), good.get(key)) for key in ("readers", "approvers", "writers", "teachers")
        }
        if "url" not in good:
            return None
        if url and write_url:
            self._compare((*where, "write_url"), url, write_url)
        dialect = url[1] if url else said or UNKNOWN_DIALECT
        if said and said != dialect:
            self.problem((*where, "dialect"), f"url is for {dialect.label}, and dialect says {said.label}.")
        plain = {key: _frozen(value) for key, value in good.items() if key not in RESOLVED}
        self._demand_keys((*where, "keys"), good.get("keys", []))
        return Connection(
            **{"id": 0, "label": name, **plain, **people},
            name=name,
            dialect=dialect,
            url=_rendered(url) or "",
            # Empty where another process knows it.
            write_url="" if elsewhere and "write_url" in good else _rendered(write_url),
            away=next((why for _, why in self.away[away_before:]), ""),
            elsewhere=elsewhere,
        )

    def _demand_keys(self, where: tuple[str, ...], written: list[str]) -> None:
        for each in written:
            if key_of(each) is None:
                self.problem(where, f'"{each}" is no key; write "orders.customer = customers.id", or "!=" to deny it.')

    def _dialect(self, where: tuple[str, ...], name: str) -> Dialect | None:
        if not (found := by_backend(name.strip().lower())):
            self.problem(where, f'dialect "{name}" is none that the bot knows; it knows {known_backends()}.')
        return found

    def _read_url(self, where: tuple[str, ...], value: str | None, elsewhere: bool) -> tuple[URL, Dialect] | None:
        """Return the URL; None where there is none, where another process opens it, and where it cannot be used."""
        if value is None:
            return None
        try:
            if holds_password(value) and _open_to_others(self.path):
                self.problem(
                    where,
                    f"{where[-1]} holds a password in a file that other users of this computer can read; "
                    f'put it into an environment variable and write "env:NAME", or run: chmod 600 {self.path.name}.',
                )
            return None if elsewhere else resolve_url(value, self.environ, self.path.parent.absolute())
        except WrongUrl as wrong:
            self.away.append(self._placed(where, f"{where[-1]} {wrong}"))
            return None

    def _compare(self, where: tuple[str, ...], url: tuple[URL, Dialect], write_url: tuple[URL, Dialect]) -> None:
        if write_url[1] != url[1]:
            self.problem(
                where,
                f"write_url is for {write_url[1].label}, url for {url[1].label}; both must name the same database.",
            )
        elif same_user(url[0], write_url[0]):
            self.problem(
                where,
                "write_url logs in as the same user as url; make a second database user that may write, "
                "and let the one of url only SELECT.",
            )


def _frozen(value: Any) -> Any:
    """Return a list as a tuple, a table as its pairs, and other values as they are."""
    match value:
        case list():
            return tuple(value)
        case dict():
            return tuple(value.items())
    return value


def _rendered(url: tuple[URL, Dialect] | None) -> str | None:
    return url[0].render_as_string(hide_password=False) if url else None


def _open_to_others(path: Path) -> bool:
    """Tell whether other users may read the file; Windows does not say so in the mode."""
    return os.name == "posix" and bool(path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH))
