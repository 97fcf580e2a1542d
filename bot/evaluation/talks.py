"""Talks of several turns with right answers, one JSON object a line."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.evaluation.questions import Golden, place_of, read_each, right_of, text_of


@dataclass(frozen=True, slots=True)
class Talk:
    """A talk: what was said, turn by turn, with the right queries; `kinds` says of each turn what it changes.

    `held_out` talks were not looked at while the rules were written.
    """

    id: str
    turns: tuple[Golden, ...]
    kinds: tuple[str, ...]
    held_out: bool = False

    @property
    def place(self) -> str:
        """The database's or the connection's name, for people."""
        return self.turns[0].place


def read_talks(path: Path) -> list[Talk]:
    """Return all talks; a `database` is relative to the file. Raises SettingsError with what is wrong in a line."""
    return read_each(path, _talk, "talk")


def _talk(said: Any, folder: Path, number: int) -> Talk:
    if not isinstance(said, Mapping):
        raise ValueError("this is no JSON object.")
    talk = dict(said)
    turns = talk.get("turns")
    if not isinstance(turns, list) or not turns or not all(isinstance(turn, dict) for turn in turns):
        raise ValueError('"turns" must be a list of objects with "say" and "sql".')
    file, connection = place_of(talk, folder)
    id = str(talk.get("id") or number)
    goldens = (
        Golden(f"{id}.{count}", text_of(turn, "say"), right_of(turn), file, connection)
        for count, turn in enumerate(turns, 1)
    )
    kinds = tuple(str(turn.get("kind") or "") for turn in turns)
    return Talk(id, tuple(goldens), kinds, bool(talk.get("held_out")))
