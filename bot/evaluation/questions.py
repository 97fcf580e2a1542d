"""Questions and talks with right answers, one JSON object a line; a question is a talk of one turn."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AliasChoices, BaseModel, Field, ValidationError, model_validator

from router.errors import SettingsError
from router.language.outside_json import parse_json


@dataclass(frozen=True, slots=True)
class Golden:
    """A question, where it is asked, and the queries that answer it rightly, the first of them the best.

    `database` is the path of a SQLite file, `connection` a name of connections.toml; one of the two is empty. `kind`
    says what a turn of a talk changes.
    """

    id: str
    question: str
    right: tuple[str, ...]
    database: Path | None = None
    connection: str = ""
    evidence: str = ""
    kind: str = ""

    @property
    def place(self) -> str:
        """The database's or the connection's name, for people."""
        return self.database.stem if self.database else self.connection


@dataclass(frozen=True, slots=True)
class MeasuredTalk:
    """A talk: what was said, turn by turn; `held_out` talks were not looked at while the bot was made."""

    id: str
    turns: tuple[Golden, ...]
    held_out: bool = False


# The lines of a file.


Text = Annotated[str, Field(pattern=r"\S")]


class _Turn(BaseModel):
    """A question with its right queries."""

    question: Text = Field(validation_alias=AliasChoices("question", "say"))
    sql: Text
    alternatives: tuple[str, ...] | None = None
    evidence: str | None = None
    kind: str = ""


class _Line(BaseModel, coerce_numbers_to_str=True):
    """A talk, or the only turn of one."""

    id: str | None = None
    database: str | None = None
    connection: str | None = None
    held_out: bool = False
    turns: Annotated[list[_Turn], Field(min_length=1)]

    @model_validator(mode="before")
    @classmethod
    def _take_question(cls, said: Any) -> Any:
        return {**said, "turns": [said]} if isinstance(said, dict) and "turns" not in said else said

    @model_validator(mode="after")
    def _require_one_place(self) -> Self:
        if bool(self.database) == bool(self.connection):
            raise ValueError('it needs either "database", the path of a SQLite file, or "connection", a name.')
        return self


def read_talks(path: Path) -> list[MeasuredTalk]:
    """Return all talks; a `database` is relative to the file. Raises SettingsError with what is wrong in a line."""
    found: dict[str, MeasuredTalk] = {}
    for number, said in read_lines(path):
        try:
            talk = _talk(_Line.model_validate(said), path.parent, number)
        except ValidationError as error:
            wrong = error.errors()[0]
            place = ".".join(map(str, wrong["loc"]))
            raise SettingsError([f"{path.name}, line {number}: {place}: {wrong['msg']}"]) from None
        except ValueError as error:
            raise SettingsError([f"{path.name}, line {number}: {error}"]) from None
        if talk.id in found:
            raise SettingsError([f'{path.name}, line {number}: there is a "{talk.id}" already.'])
        found[talk.id] = talk
    if not found:
        raise SettingsError([f"{path.name} holds no question."])
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


def _talk(line: _Line, folder: Path, number: int) -> MeasuredTalk:
    file = folder / line.database if line.database else None
    if file and not file.is_file():
        raise ValueError(f"there is no file {file}.")
    id = line.id or str(number)
    turns = tuple(
        Golden(
            f"{id}.{count}" if len(line.turns) > 1 else id,
            turn.question,
            (turn.sql, *(turn.alternatives or ())),
            file,
            line.connection or "",
            turn.evidence or "",
            turn.kind,
        )
        for count, turn in enumerate(line.turns, 1)
    )
    return MeasuredTalk(id, turns, line.held_out)


def sample(talks: list[MeasuredTalk], limit: int | None, seed: int) -> list[MeasuredTalk]:
    """Return `limit` of them, always the same ones for a seed, those of one database together."""
    count = len(talks) if limit is None else min(limit, len(talks))
    drawn = set(random.Random(seed).sample(range(len(talks)), count))  # noqa: S311
    places = list(dict.fromkeys(talk.turns[0].place for talk in talks))
    kept = [talk for number, talk in enumerate(talks) if number in drawn]
    return sorted(kept, key=lambda talk: places.index(talk.turns[0].place))
