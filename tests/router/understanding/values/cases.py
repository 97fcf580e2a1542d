"""The sentences of sentences.toml, each with what it says."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from router.understanding.values.forms import MailValues, WriteValues

_FILE: dict[str, Any] = tomllib.loads((Path(__file__).parent / "sentences.toml").read_text(encoding="utf-8"))

CONNECTIONS: dict[str, str] = _FILE["connections"]


@dataclass(frozen=True, slots=True)
class Case:
    """What somebody types, and what it says; `beyond`: some of it is left open without a model."""

    say: str
    values: WriteValues | MailValues
    beyond: bool


def said(values: WriteValues | MailValues) -> tuple[object, ...]:
    """Return what a sentence says, as a request and a change alike."""
    if isinstance(values, WriteValues):
        return values.connection, values.schema, values.table, values.mode, values.name
    return values.recipients(), values.subject, values.body, values.form


def _writing(entry: dict[str, Any]) -> Case:
    names = ("connection", "schema", "table", "mode", "name")
    return Case(entry["say"], WriteValues(*(entry.get(name, "") for name in names)), "beyond" in entry)


def _mailing(entry: dict[str, Any]) -> Case:
    texts = {name: entry.get(name, "") for name in ("subject", "body", "form")}
    return Case(entry["say"], MailValues(tuple(entry.get("to", ())), **texts), "beyond" in entry)


WRITINGS = tuple(_writing(entry) for entry in _FILE["write"])
MAILINGS = tuple(_mailing(entry) for entry in _FILE["mail"])
