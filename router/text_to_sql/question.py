"""A question that is to become SQL, with all that is needed for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, Literal, Protocol

from router.catalog.schema import Schema
from router.errors import SettingsError
from router.knowledge.knowledge import NOTHING_KNOWN, TRIES_MAX, Known
from router.llm.call import ModelCall, Requester, Shape
from router.sql.databases.session import Estimate
from router.text_to_sql.named_values import Named

Orchestrator = Literal["rules", "model"]
Views = Literal["wide", "all", "off"]

_SWITCH = {"on": True, "off": False}
_CHOICES: Mapping[str, Mapping[str, Any]] = {
    "tries": {str(count): count for count in range(1, TRIES_MAX + 1)},
    "orchestrator": {"rules": "rules", "model": "model"},
    "views": {"wide": "wide", "all": "all", "off": "off"},
}


@dataclass(frozen=True, slots=True)
class Options:
    """The steps from a question to SQL, as far as they can be chosen."""

    repair: bool = True
    """Put right from the schema what can only mean one thing."""
    meaning: bool = True
    """Besides, change what the question does not ask for."""
    samples: bool = True
    """Show values of columns in the schema text."""
    values: bool = True
    """Name the values that the question names, with their columns."""
    spellings: bool = True
    """Name those, too, that the question spells otherwise, or only in part, and those that are no samples."""
    examples: bool = True
    """Show questions whose SQL somebody found right."""
    doubts: bool = True
    """Ask once more where a query runs and cannot be the answer."""
    views: Views = "wide"
    """Show, after a failure, the likely tables once more beside the question: where not all fit into the prompt."""
    decomposition: bool = True
    """Solve a comparison in parts."""
    tries: int = TRIES_MAX
    """Statements that are written for a question, or for one part of it, at most."""
    orchestrator: Orchestrator = "rules"
    """The one who chooses the next agent where several are possible."""


DEFAULT_OPTIONS = Options()


def read_options(given: Mapping[str, str]) -> Options:
    """Return the options that texts such as repair=off mean; raises SettingsError with every problem."""
    problems, read = [], {}
    names = [field.name for field in fields(Options)]
    for name, text in given.items():
        choices = _CHOICES.get(name, _SWITCH)
        if name not in names:
            problems.append(f'There is no option "{name}"; there are {", ".join(names)}.')
        elif text not in choices:
            problems.append(f'{name} is one of {", ".join(choices)}, not "{text}".')
        else:
            read[name] = choices[text]
    if problems:
        raise SettingsError(problems)
    return Options(**read)


DryRun = Callable[[str], Estimate]
"""Has the database look at a statement without running it; raises JobFailed with its reason."""


class Model(Protocol):
    """The part of a language model that the agents use."""

    def text(self, call: ModelCall) -> str:
        """Return the model's answer; raises AgentFailed or Stopped."""

    def fill(self, shape: type[Shape], call: ModelCall) -> Shape:
        """Return a valid `shape`; raises AgentFailed or Stopped."""


@dataclass(frozen=True, slots=True)
class Question:
    """A person's question: `evidence` is a hint, `avoid` are queries that were tried, `known` is what was taught.

    `named` are values of the database that its words may mean.
    """

    text: str
    today: date
    evidence: str = ""
    avoid: tuple[str, ...] = ()
    known: Known = NOTHING_KNOWN
    named: tuple[Named, ...] = ()

    @property
    def hints(self) -> str:
        """Explanations of the question's words, as the model is told them; definitions of other words are none."""
        terms = (f"{term.meaning} {term.filter}" for term in self.known.terms)
        lines = (line for line in self.evidence.splitlines() if _concerns(line, self.text))
        return " ".join((*lines, *terms))


@dataclass(frozen=True, slots=True)
class SqlTask:
    """One question that is to become SQL on one schema, for whoever waits for it; a part of it is a task of its own."""

    question: Question
    schema: Schema
    model: Model
    dry_run: DryRun
    requester: Requester
    options: Options = DEFAULT_OPTIONS


def _concerns(line: str, text: str) -> bool:
    """Tell whether a line of a hint says something of a question: "AR = …" does if the question has "AR"."""
    name, equals, _ = line.partition(" = ")
    return not equals or name.strip().casefold() in text.casefold()
