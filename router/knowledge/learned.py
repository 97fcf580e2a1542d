"""Knowledge that a company wrote down elsewhere about its data, as a file that a person reads before it counts."""

import tomllib
from collections.abc import Callable

import tomlkit
from pydantic import BaseModel, ConfigDict, ValidationError

from router.catalog.schema import Schema
from router.catalog.table_descriptions import key_of
from router.errors import JobFailed
from router.knowledge.glossary import GlossaryEntry, entry_of
from router.knowledge.knowledge import Term
from router.language.wording import one_line, truncate

DESCRIPTION_MAX_CHARS = 200
"""Characters of a description: a model reads it with every question about its table."""

HEAD = "What was found about {connection}. Take out what is wrong, and then: icc-bot learn accept {file}"


class Learned(BaseModel):
    """Keys as connections.toml has them, descriptions of tables and columns, terms, and examples by their questions."""

    model_config = ConfigDict(extra="forbid", strict=True)

    connection: str
    keys: list[str] = []
    descriptions: dict[str, str] = {}
    terms: dict[str, GlossaryEntry] = {}
    examples: dict[str, str] = {}

    def describe(self, place: str, words: str) -> None:
        """Add a sentence to the description of a table, or of a `table.column`."""
        text = one_line(f"{self.descriptions.get(place, '')} {words}")
        if words.strip():
            self.descriptions[place] = truncate(text, DESCRIPTION_MAX_CHARS)

    def define(self, term: Term) -> None:
        """Add a term."""
        self.terms[term.name] = GlossaryEntry.model_validate(entry_of(term))

    def __len__(self) -> int:
        return len(self.keys) + len(self.descriptions) + len(self.terms) + len(self.examples)


def written(file: str, learned: Learned) -> str:
    """Return the text of a file to be reviewed."""
    learned.keys = list(dict.fromkeys(learned.keys))
    document = tomlkit.item(learned.model_dump(exclude_defaults=True))
    if learned.keys:
        document["keys"].multiline(True)
    return f"# {HEAD.format(connection=learned.connection, file=file)}\n{document.as_string()}"


def read(text: str) -> Learned:
    """Return what is left of a reviewed file; raises JobFailed."""
    try:
        learned = Learned.model_validate(tomllib.loads(text))
    except ValidationError as error:
        wrong = error.errors()[0]
        why = f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}"
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = str(error)
    else:
        if wrong_key := next((key for key in learned.keys if key_of(key) is None), None):
            raise JobFailed(f'"{wrong_key}" is no key; write "orders.customer = customers.id". Nothing was taken over.')
        return learned
    raise JobFailed(f"The file is not as `icc-bot learn` writes it: {why}. Nothing was taken over.")


Place = Callable[[str, str], tuple[str, str] | None]
"""Returns a table and its column as the schema writes them, None if it has none; "" for the table alone."""


def find_places(schema: Schema) -> Place:
    """Return what finds tables and columns of a schema by their names in any case."""

    def place(table: str, column: str) -> tuple[str, str] | None:
        known = schema.table(table)
        found = known.column(column) if known else None
        return (known.name, found.name if found else "") if known and (found or not column) else None

    return place
