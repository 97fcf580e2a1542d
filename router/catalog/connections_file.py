"""connections.toml: which databases there are, how much may be read and by whom. Every problem is reported at once."""

import json
import os
import stat
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError
from sqlalchemy.engine import URL

from router.catalog.connection import EVERYBODY, Channels, Connection, Connections, WrongPerson, expand_people
from router.catalog.database_url import WrongUrl, holds_password, resolve_url, same_user
from router.catalog.table_descriptions import key_of
from router.errors import SettingsError
from router.sql.dialect import UNKNOWN_DIALECT, Dialect, by_backend, known_backends
from router.storage.edited_files import key_lines, parse_toml


@cache
def _kinds() -> dict[str, dict[str, TypeAdapter[Any]]]:
    """Return what each key of the file and its tables may hold."""
    own = get_type_hints(Connection, include_extras=True) | {"dialect": str}
    tables = {
        "": {
            "default": str,
            "groups": dict[str, frozenset[str]],
            "channels": dict[str, Any],
            "connections": dict[str, dict[str, Any]],
        },
        "channels": get_type_hints(Channels),
        "connections": {key: own[key] for key in own if key not in ("name", "away")},
    }
    return {name: {key: TypeAdapter(kind) for key, kind in keys.items()} for name, keys in tables.items()}


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


def connections_in(path: Path, text: str, environ: Mapping[str, str], opens: bool = True) -> Connections:
    """Return the connections of the file with this text, as `read_connections` does.

    One whose URL cannot be used is away, and no problem of the others, unless there is nothing else in the file.
    Where this process opens no database, the URLs are not looked at.
    """
    data, wrong, line = parse_toml(text)
    if wrong:
        raise SettingsError([f"{path.name}, line {line}: this is not TOML: {wrong[:1].lower()}{wrong[1:]}."])
    file = _File(path, text, environ, opens)
    connections = file.read(data)
    if file.problems or all(connection.away for connection in connections.values()):
        problems = sorted(file.problems + file.away, key=lambda problem: problem[0])
        raise SettingsError([sentence for _, sentence in problems])
    return connections


class _File:
    """One reading of the file: collects problems as (line, sentence) while it goes on."""

    def __init__(self, path: Path, text: str, environ: Mapping[str, str], opens: bool) -> None:
        self.path, self.environ, self.opens, self.lines = path, environ, opens, key_lines(text)
        self.problems: list[tuple[int, str]] = []
        self.away: list[tuple[int, str]] = []
        """Problems of connections' URLs alone."""
        self.groups: dict[str, frozenset[str]] = {}
        self.names: dict[str | int, str] = {}
        """The connections by their names in lower case, and by their numbers."""

    def problem(self, where: tuple[str, ...], sentence: str) -> None:
        """Note a problem at the key `where`, or at the nearest key above it that the file names."""
        self.problems.append(self._placed(where, sentence))

    def _placed(self, where: tuple[str, ...], sentence: str) -> tuple[int, str]:
        known = next((where[:n] for n in range(len(where), 0, -1) if where[:n] in self.lines), ())
        line, _ = self.lines.get(known, (1, 1))
        place = f" [{where[1]}]" if where[0] == "connections" and len(where) > 1 else ""
        return line, f"{self.path.name}, line {line}:{place} {sentence}"

    def read(self, data: dict[str, Any]) -> Connections:
        good = self._valid((), data)
        for name, people in good.get("groups", {}).items():
            self.groups[name] = self._people(("groups", name), people) or frozenset()
        tables = good.get("connections", {})
        if not data.get("connections"):
            self.problem(("connections",), "there is no connection; add a block that begins with [connections.NAME].")
        found = [self._read_connection(name, table) for name, table in tables.items()]
        default = good.get("default", "")
        if default and default.casefold() not in map(str.casefold, tables):
            self.problem(("default",), f"default is no connection of this file; choose one of {', '.join(tables)}.")
        channels = self._valid(("channels",), good.get("channels", {}))
        for key, names in channels.items():
            if not all(name == EVERYBODY or ":" in name for name in names):
                self.problem(("channels", key), f'{key} must be a list such as ["slack:C0123ABCD"], or ["*"] for all.')
        return Connections([connection for connection in found if connection], default, Channels(**channels))

    def _valid(self, where: tuple[str, ...], table: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is as it should be in a table; unknown keys and all else are problems. No value is repeated."""
        known, good = _kinds()["".join(where[:1])], dict[str, Any]()
        for key, value in table.items():
            if key not in known:
                near = get_close_matches(key, known, 1)
                remedy = f'write "{near[0]}"' if near else f"the keys are {', '.join(known)}"
                self.problem((*where, key), f'there is no key "{key}"; {remedy}.')
                continue
            pairs = list(value.items()) if key == "descriptions" and isinstance(value, dict) else value
            try:
                good[key] = known[key].validate_json(json.dumps(pairs, default=str), strict=True)
            except ValidationError as error:
                wrong = error.errors()[0]
                self.problem(
                    (*where, key, *map(str, wrong["loc"])), f"{key}: {wrong['msg'][:1].lower()}{wrong['msg'][1:]}."
                )
        return good

    def _people(self, where: tuple[str, ...], entries: frozenset[str] | None) -> frozenset[str] | None:
        try:
            return None if entries is None else expand_people(entries, self.groups)
        except WrongPerson as wrong:
            self.problem(where, f"{where[-1]}: {wrong}")
            return frozenset()

    def _read_connection(self, name: str, table: dict[str, Any]) -> Connection | None:
        where = ("connections", name)
        good = self._valid(where, table)
        for key, example in (("id", "id = 1, a number of its own"), ("url", 'url = "env:NAME"')):
            if key not in table:
                self.problem(where, f"{key} is missing; add {example}.")
        for mark in (name.casefold(), good.get("id", name)):
            if (other := self.names.setdefault(mark, name)) != name:
                self.problem(where, f"{mark} belongs to {other} already; choose another one.")
        away_before = len(self.away)
        url, write_url = (self._read_url((*where, key), good.get(key)) for key in ("url", "write_url"))
        said = self._dialect((*where, "dialect"), good["dialect"]) if "dialect" in good else None
        if "url" not in good:
            return None
        if url and write_url:
            self._compare((*where, "write_url"), url, write_url)
        dialect = url[1] if url else said or UNKNOWN_DIALECT
        if said and said != dialect:
            self.problem((*where, "dialect"), f"url is for {dialect.label}, and dialect says {said.label}.")
        self._require_keys((*where, "keys"), good.get("keys", ()))
        resolved: dict[str, Any] = {
            "name": name,
            "dialect": dialect,
            "url": _rendered(url) or "",
            # Empty if another process knows it.
            "write_url": "" if "write_url" in good and not self.opens else _rendered(write_url),
            "away": next((why for _, why in self.away[away_before:]), ""),
        }
        people = {
            key: self._people((*where, key), good.get(key)) for key in ("readers", "approvers", "writers", "teachers")
        }
        return Connection(**{"id": 0, "label": name, **good, **people, **resolved})

    def _require_keys(self, where: tuple[str, ...], written: tuple[str, ...]) -> None:
        for each in written:
            if key_of(each) is None:
                self.problem(where, f'"{each}" is no key; write "orders.customer = customers.id", or "!=" to deny it.')

    def _dialect(self, where: tuple[str, ...], name: str) -> Dialect | None:
        if not (found := by_backend(name.strip().lower())):
            self.problem(where, f'dialect "{name}" is none that the bot knows; it knows {known_backends()}.')
        return found

    def _read_url(self, where: tuple[str, ...], value: str | None) -> tuple[URL, Dialect] | None:
        """Return the URL; None if there is none, another process opens it, or it cannot be used."""
        if value is None:
            return None
        try:
            if holds_password(value) and _is_open_to_others(self.path):
                self.problem(
                    where,
                    f"{where[-1]} holds a password in a file that other users of this computer can read; "
                    f'put it into an environment variable and write "env:NAME", or run: chmod 600 {self.path.name}.',
                )
            return resolve_url(value, self.environ, self.path.parent.absolute()) if self.opens else None
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


def _rendered(url: tuple[URL, Dialect] | None) -> str | None:
    return url[0].render_as_string(hide_password=False) if url else None


def _is_open_to_others(path: Path) -> bool:
    """Return whether other users may read the file; Windows does not say so in the mode."""
    return os.name == "posix" and bool(path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH))
