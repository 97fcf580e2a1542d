"""The sentences of params.toml, each with the wish that it says."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from router.understanding.parameters.sentence import MailingWish, WritingWish

_FILE: dict[str, Any] = tomllib.loads((Path(__file__).parent / "params.toml").read_text(encoding="utf-8"))

CONNECTIONS: dict[str, str] = _FILE["connections"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """What somebody types, and what it says; `beyond`: the rules leave some of it open."""

    say: str
    wish: WritingWish | MailingWish
    beyond: bool


def _writing(entry: dict[str, Any]) -> Sentence:
    names = ("connection", "schema", "table", "mode", "name")
    return Sentence(entry["say"], WritingWish(*(entry.get(name, "") for name in names)), "beyond_rules" in entry)


def _mailing(entry: dict[str, Any]) -> Sentence:
    texts = (entry.get(name, "") for name in ("subject", "body", "form"))
    return Sentence(entry["say"], MailingWish(tuple(entry.get("to", ())), *texts), "beyond_rules" in entry)


WRITINGS = tuple(_writing(entry) for entry in _FILE["write"])
MAILINGS = tuple(_mailing(entry) for entry in _FILE["mail"])
