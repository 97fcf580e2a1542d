"""What a model is asked about a sentence, and what of its answer is believed: words that nobody has read yet.

Measured with the embedded model on sentences that rules do not read: it finds tables, schemas, databases, and people
named in free words. It puts orders ("send a csv") into an e-mail's text, and invents names of jobs: it is not asked for
a job's name, and the text, which keeps such words out of the subject, is not believed.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Protocol, TypeVar

from pydantic import BaseModel, Field

from router.agents.params.grounding import connection_in, name_in, phrase_in
from router.agents.params.rest import Rest
from router.agents.params.wishes import MailingWish, WritingWish

Shape = TypeVar("Shape", bound=BaseModel)


class Reader(Protocol):
    """What this room needs of a model."""

    def fill(
        self,
        shape: type[Shape],
        system: str,
        user: str,
        *,
        asker: str,
        progress: Callable[[str], None],
        stopped: Callable[[], bool],
        agent: str,
        temperature: float | None = None,
    ) -> Shape:
        """Return a valid `shape`; raises AgentFailed or Stopped."""


class Ask(Protocol):
    """A question to a model, for whoever waits for the answer."""

    def __call__(self, shape: type[Shape], system: str, user: str) -> Shape:
        """Return the answer; raises AgentFailed or Stopped."""


class Target(BaseModel):
    """The shape of an answer about a table."""

    table: str = ""
    schema_: str = Field("", alias="schema")
    database: str = ""


class Letter(BaseModel):
    """The shape of an answer about an e-mail."""

    to: list[str] = []
    subject: str = ""
    body: str = ""


def ask_writing(rest: Rest, connections: Mapping[str, str], ask: Ask) -> WritingWish:
    """Return what the model reads in words that are left; `connections` are labels by name."""
    databases = ", ".join(f"{name} ({label})" for name, label in connections.items())
    system = _prompt("params_write").format(databases=databases or "none", example=next(iter(connections), "archive"))
    said = ask(Target, system, f"Sentence: {rest.text}")
    connection = connection_in(rest.left, said.database, connections)
    table = name_in(rest.left, said.table)
    schema = name_in(rest.left, said.schema_)
    # A small model says a name twice where it knows one of two.
    return WritingWish(
        connection,
        "" if schema in ("", table) or connection_in(schema, schema, connections) else schema,
        "" if connection_in(table, table, connections) else table,
    )


def ask_mailing(rest: Rest, ask: Ask) -> MailingWish:
    """Return what the model reads in words that are left."""
    said = ask(Letter, _prompt("params_mail"), f"Sentence: {rest.text}")
    found = (phrase_in(rest.left, who) for who in said.to)
    return MailingWish(tuple(dict.fromkeys(who for who in found if who)), phrase_in(rest.left, said.subject))


@cache
def _prompt(name: str) -> str:
    return (files("router.agents") / "prompts" / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")
