"""Files that people change by hand while the bot runs: how a change is seen, and how one is made."""

import os
import re
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

# Where each key of a TOML file stands, which `tomllib` does not tell.


KeyPath = tuple[str, ...]


def key_lines(text: str) -> dict[KeyPath, tuple[int, int]]:
    """Return the first and the last line, counted from 1, of where a valid TOML text first names each table and key."""
    found: dict[KeyPath, tuple[int, int]] = {}
    table: KeyPath = ()
    statement, start = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        start = start if statement else number
        statement += line + "\n"
        try:
            value = tomllib.loads(statement)
        except (tomllib.TOMLDecodeError, RecursionError):
            continue  # a list or a text that goes on in the next line
        header = statement.lstrip().startswith("[")
        paths = [path if header else table + path for path in _paths(value)]
        for path in paths:
            found.setdefault(path, (start, number))
        table = paths[-1] if header else table
        statement = ""
    return found


def _paths(value: object) -> Iterator[KeyPath]:
    """Yield the path of each key of nested tables, outer ones first."""
    if isinstance(value, list) and len(value) == 1:  # [[table]]
        value = value[0]
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield (key,)
            yield from ((key, *rest) for rest in _paths(inner))


def parse_toml(text: str) -> tuple[dict[str, Any], str, int]:
    """Return the values, "" and 0; or no values, what is wrong with the syntax, and its line."""
    try:
        return tomllib.loads(text), "", 0
    except tomllib.TOMLDecodeError as error:
        what, _, place = str(error).rpartition(" (at ")
        line = re.match(r"line (\d+)", place)
        return {}, what, int(line[1]) if line else max(1, len(text.splitlines()))
    except RecursionError:
        return {}, "It is nested too deeply", 1


Sign = tuple[int, int, int, int]
"""The fingerprint of a file: its two times in nanoseconds, its size, its number on the disk."""


def sign_of(path: Path) -> Sign | None:
    """Return the sign of a file, None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def with_line_ends(changed: str, before: str) -> str:
    """Return a changed text with the line ends that it had before: those of Windows, if it had any of these."""
    return re.sub(r"\r?\n", "\r\n", changed) if "\r\n" in before else changed


def put(path: Path, content: bytes) -> None:
    """Put a file in the place of another one: a reader sees all of it or nothing of it."""
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
