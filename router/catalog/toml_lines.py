"""Where each key of a TOML file stands, which `tomllib` does not tell."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

Path = tuple[str, ...]


def key_lines(text: str) -> dict[Path, int]:
    """Return the line, counted from 1, on which each table and key of a valid TOML text is first named."""
    found: dict[Path, int] = {}
    table: Path = ()
    statement, start = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        start = start if statement else number
        statement += line + "\n"
        try:
            value = tomllib.loads(statement)
        except tomllib.TOMLDecodeError:
            continue  # a list or a text that goes on in the next line
        header = statement.lstrip().startswith("[")
        paths = [path if header else table + path for path in _paths(value)]
        for path in paths:
            found.setdefault(path, start)
        table = paths[-1] if header else table
        statement = ""
    return found


def _paths(value: object) -> Iterator[Path]:
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
