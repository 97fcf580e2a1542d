"""Questions with right answers, one JSON object a line."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from router.errors import SettingsError
from router.language.outside_json import parse_json


class MeasuredQuestion(Protocol):
    """A thing that is asked on a database, and told apart by its id."""

    @property
    def id(self) -> str:
        """Its name in a file of answers."""

    @property
    def place(self) -> str:
        """The database's or the connection's name, for people."""


E = TypeVar("E", bound=MeasuredQuestion)


@dataclass(frozen=True, slots=True)
class Golden:
    """A question, where it is asked, and the queries that answer it rightly, the first of them the best.

    `database` is the path of a SQLite file, `connection` a name of connections.toml; one of the two is empty.
    """

    id: str
    question: str
    right: tuple[str, ...]
    database: Path | None = None
    connection: str = ""
    evidence: str = ""

    @property
    def place(self) -> str:
        """The database's or the connection's name, for people."""
        return self.database.stem if self.database else self.connection


def read_questions(path: Path) -> list[Golden]:
    """Return all questions; a `database` is relative to the file. Raises SettingsError with what is wrong in a line."""
    return read_each(path, _golden, "question")


def read_each(path: Path, make: Callable[[Any, Path, int], E], noun: str) -> list[E]:
    """Return what is made of each line, the file's folder and the line's number; ids may not repeat.

    `make` raises ValueError with what is wrong; this raises SettingsError with that, and with the line.
    """
    found: dict[str, E] = {}
    for number, said in read_lines(path):
        try:
            made = make(said, path.parent, number)
        except ValueError as error:
            raise SettingsError([f"{path.name}, line {number}: {error}"]) from None
        if made.id in found:
            raise SettingsError([f'{path.name}, line {number}: there is a {noun} "{made.id}" already.'])
        found[made.id] = made
    if not found:
        raise SettingsError([f"{path.name} holds no {noun}."])
    return list(found.values())


def read_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield what the lines of a file say, with their numbers; raises SettingsError."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError([f"{path} cannot be read ({type(error).__name__}); it must be a text in UTF-8."]) from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                said = parse_json(line)
            except ValueError as error:
                raise SettingsError([f"{path.name}, line {number}: this is no JSON object: {error}"]) from None
            yield number, said


def sample(questions: list[E], limit: int | None, seed: int) -> list[E]:
    """Return `limit` of them, always the same ones for a seed, those of one database together."""
    count = len(questions) if limit is None else min(limit, len(questions))
    drawn = set(random.Random(seed).sample(range(len(questions)), count))  # noqa: S311
    places = list(dict.fromkeys(golden.place for golden in questions))
    kept = [golden for number, golden in enumerate(questions) if number in drawn]
    return sorted(kept, key=lambda golden: places.index(golden.place))


def _golden(said: Any, folder: Path, number: int) -> Golden:
    if not isinstance(said, dict):
        raise ValueError("this is no JSON object.")
    question, right = text_of(said, "question"), right_of(said)
    file, connection = place_of(said, folder)
    return Golden(str(said.get("id") or number), question, right, file, connection, str(said.get("evidence") or ""))


def place_of(said: dict[str, Any], folder: Path) -> tuple[Path | None, str]:
    """Return the database's file, or the connection's name; raises ValueError where there is neither, or both."""
    database, connection = said.get("database") or "", said.get("connection") or ""
    if not isinstance(database, str) or not isinstance(connection, str) or bool(database) == bool(connection):
        raise ValueError('it needs either "database", the path of a SQLite file, or "connection", a name.')
    file = folder / database if database else None
    if file and not file.is_file():
        raise ValueError(f"there is no file {file}.")
    return file, connection


def right_of(said: dict[str, Any]) -> tuple[str, ...]:
    """Return the right queries; raises ValueError where there is none."""
    alternatives = said.get("alternatives") or []
    if not isinstance(alternatives, list) or not all(isinstance(sql, str) for sql in alternatives):
        raise ValueError('"alternatives" must be a list of SQL texts.')
    return (text_of(said, "sql"), *alternatives)


def text_of(said: dict[str, Any], key: str) -> str:
    """Return a text that must be there; raises ValueError."""
    text = said.get(key)
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f'"{key}" is missing.')
    return text
