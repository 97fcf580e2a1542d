"""Measured answers, kept in a file, so that a run that was ended goes on where it was."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from router.errors import SettingsError
from router.language.outside_json import parse_json


@dataclass(frozen=True, slots=True)
class MeasuredAnswer:
    """One question as the model answered it; `fault` is the class of what is wrong with it, "" if it is right.

    `runs` tells whether the query that a person would be shown runs; times are in seconds; `first` says that the model
    had not read this database before; `read` are all tokens of the prompts, `evaluated` those that were not cached.
    """

    id: str
    place: str
    question: str
    sql: str
    fault: str
    runs: bool
    seconds: float
    first: bool
    problem: str = ""
    calls: int = 0
    read: int = 0
    evaluated: int = 0
    written: int = 0
    repairs: tuple[str, ...] = ()
    signs: int = 0
    """Things that speak against the query; `sure` is how likely it is right, `doubts` what a person is told."""
    surprisal: float | None = None
    """That of the least likely tokens of the query; None if the model does not tell."""
    sure: float = 0.0
    doubts: tuple[str, ...] = ()
    intent: str = ""
    """Category that a turn of a talk was taken for; `asked_back` tells whether a person would have been asked."""
    asked_back: bool = False

    @property
    def right(self) -> bool:
        """Return whether the query's result is the right one."""
        return not self.fault


@dataclass(slots=True)
class Answers:
    """The file of one run: a first line that says what was measured with what, then a line for each question."""

    path: Path | None
    about: dict[str, Any]
    given: dict[str, MeasuredAnswer] = field(default_factory=dict)

    def add(self, answer: MeasuredAnswer) -> None:
        """Keep an answer, also if the process ends with the next instruction."""
        self.given[answer.id] = answer
        if self.path:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(answer), ensure_ascii=False) + "\n")


def open_answers(path: Path | None, about: dict[str, Any]) -> Answers:
    """Return the run of this file, begun or gone on with; raises SettingsError if it was another run's."""
    if path is None or not path.exists() or not path.stat().st_size:
        if path:
            _begin(path, about)
        return Answers(path, about)
    before = read_answers(path)
    different = [name for name in about if before.about.get(name) != about[name]]
    if different:
        raise SettingsError([f"{path} is of another run ({', '.join(different)} differ); choose another --out."])
    _mend(path)
    return Answers(path, about, before.given)


def read_answers(path: Path) -> Answers:
    """Return what a file holds; a last line that was not written whole is left out. Raises SettingsError."""
    adapter = TypeAdapter(MeasuredAnswer)
    try:
        first, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        about = parse_json(first)
        if not isinstance(about, dict) or "model" not in about:
            raise ValueError("the first line says nothing of a run")
        whole = [adapter.validate_json(line) for line in lines if line.endswith("\n")]
    except (OSError, ValueError, ValidationError) as error:
        why = type(error).__name__ if isinstance(error, OSError) else "its lines are of something else"
        raise SettingsError([f"{path} is no file of results ({why})."]) from None
    return Answers(path, about, {answer.id: answer for answer in whole})


def _begin(path: Path, about: dict[str, Any]) -> None:
    try:
        path.write_text(json.dumps(about, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise SettingsError([f"{path} cannot be written ({type(error).__name__}); choose another --out."]) from None


def _mend(path: Path) -> None:
    """Cut off a last line that was not written whole."""
    content = path.read_bytes()
    if not content.endswith(b"\n"):
        path.write_bytes(content[: content.rfind(b"\n") + 1])
