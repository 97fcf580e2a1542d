"""What a company wrote down elsewhere about its data, as a file that a person reads before it counts."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import tomlkit

from router.catalog.said_of_tables import key_of
from router.catalog.schema import Schema
from router.errors import JobFailed
from router.knowledge.glossary_edit import entry_of
from router.knowledge.knowledge import Term
from router.language.wording import one_line, truncate

DESCRIPTION_MAX_CHARS = 200
"""Characters of a description: a model reads it with every question about its table."""

PARTS = ("connection", "keys", "descriptions", "terms", "examples")
"""What a file may have."""

HEAD = "What was found about {connection}. Take out what is wrong, and then: icc-bot learn accept {file}"


@dataclass(slots=True)
class Learned:
    """Keys as connections.toml has them, descriptions of tables and columns, terms, and examples by their questions."""

    keys: dict[str, str] = field(default_factory=dict)
    """Each with where it was found."""
    descriptions: dict[str, str] = field(default_factory=dict)
    terms: dict[str, Term] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)

    def describe(self, place: str, words: str) -> None:
        """Add a sentence to the description of a table, or of a `table.column`."""
        text = one_line(f"{self.descriptions.get(place, '')} {words}")
        if words.strip():
            self.descriptions[place] = truncate(text, DESCRIPTION_MAX_CHARS)

    def add(self, other: "Learned") -> None:
        """Take over what another source says; of two that say something of the same thing, the first one counts."""
        self.keys = other.keys | self.keys
        self.descriptions = other.descriptions | self.descriptions
        self.terms = other.terms | self.terms
        self.examples = other.examples | self.examples

    def __len__(self) -> int:
        return len(self.keys) + len(self.descriptions) + len(self.terms) + len(self.examples)


def written(connection: str, file: str, learned: Learned) -> str:
    """Return the text of a file to be reviewed."""
    document = tomlkit.document()
    document.add(tomlkit.comment(HEAD.format(connection=connection, file=file)))
    document.add("connection", tomlkit.item(connection))
    keys = tomlkit.array().multiline(True)
    for key, source in learned.keys.items():
        keys.add_line(key, comment=source)
    if learned.keys:
        keys.add_line(indent="")
        document.add("keys", keys)
    if learned.descriptions:
        document.add("descriptions", tomlkit.item(dict(sorted(learned.descriptions.items()))))
    if learned.terms:
        terms = tomlkit.table(is_super_table=True)
        for term in learned.terms.values():
            terms.add(term.name, tomlkit.item(entry_of(term)))
        document.add("terms", terms)
    if learned.examples:
        examples = tomlkit.aot()
        for question, sql in learned.examples.items():
            examples.append(tomlkit.item({"question": question, "sql": sql}))
        document.add("examples", examples)
    return tomlkit.dumps(document)


def read(text: str) -> tuple[str, Learned]:
    """Return the connection of a reviewed file, and what is left in it; raises JobFailed."""
    try:
        data = tomllib.loads(text)
        if unknown := next((name for name in data if name not in PARTS), ""):
            raise JobFailed(f'There is no part "{unknown}"; the parts are {", ".join(PARTS)}. Nothing was taken over.')
        learned = Learned(
            keys=dict.fromkeys(_texts(data.get("keys", [])), ""),
            descriptions={_text(place): _text(words) for place, words in data.get("descriptions", {}).items()},
            terms={name: _term(name, said) for name, said in data.get("terms", {}).items()},
            examples={_text(each["question"]): _text(each["sql"]) for each in data.get("examples", [])},
        )
        connection = _text(data["connection"])
    except (tomllib.TOMLDecodeError, RecursionError, AttributeError, KeyError, TypeError) as error:
        raise JobFailed(f"The file is not as `icc-bot learn` writes it: {error}. Nothing was taken over.") from None
    if wrong := next((key for key in learned.keys if key_of(key) is None), None):
        raise JobFailed(f'"{wrong}" is no key; write "orders.customer = customers.id". Nothing was taken over.')
    return connection, learned


def _term(name: str, said: dict[str, Any]) -> Term:
    synonyms = tuple(_texts(said.get("synonyms", [])))
    return Term(name, _text(said["meaning"]), synonyms, _text(said.get("filter", "")))


def _texts(value: list[Any]) -> list[str]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return [_text(each) for each in value]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


Place = Callable[[str, str], tuple[str, str] | None]
"""Returns a table and its column as the schema writes them, None where it has none; "" for the table alone."""


def places(schema: Schema) -> Place:
    """Return what finds tables and columns of a schema by their names in any case."""

    def place(table: str, column: str) -> tuple[str, str] | None:
        known = schema.table(table)
        found = next((each.name for each in known.columns if each.name.lower() == column.lower()), "") if known else ""
        return (known.name, found) if known and (found or not column) else None

    return place
