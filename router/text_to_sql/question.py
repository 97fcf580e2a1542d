"""A question that is to become SQL, with all that is needed for it, and the tree of its parts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from typing import Any, Literal, Protocol

from router.catalog.schema import Schema
from router.errors import SettingsError
from router.knowledge.knowledge import NOTHING_KNOWN, TRIES_MAX, Example, Known
from router.llm.call import ModelAnswer, ModelCall, Requester, Shape
from router.sql.databases.session import Estimate
from router.text_to_sql.named_values import Named
from router.text_to_sql.periods import Period, periods

Orchestrator = Literal["rules", "model"]

_SWITCH = {"on": True, "off": False}
_CHOICES: Mapping[str, Mapping[str, Any]] = {
    "tries": {str(count): count for count in range(1, TRIES_MAX + 1)},
    "orchestrator": {"rules": "rules", "model": "model"},
}


@dataclass(frozen=True, slots=True)
class Options:
    """The steps from a question to SQL, as far as they can be chosen."""

    repair: bool = True
    """Put right from the schema what can only mean one thing."""
    samples: bool = True
    """Show values of columns in the schema text."""
    values: bool = True
    """Name the values that the question names, with their columns."""
    examples: bool = True
    """Show questions whose SQL somebody found right."""
    doubts: bool = True
    """Ask once more if a query runs and cannot be the answer."""
    decomposition: bool = True
    """Solve a comparison in parts."""
    tries: int = TRIES_MAX
    """Statements that are written for a question, or for one part of it, at most."""
    orchestrator: Orchestrator = "rules"
    """The one who chooses the next agent if several are possible."""


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

    def answer(self, call: ModelCall) -> ModelAnswer:
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
    follows: Example | None = None
    """The question with its SQL below which it was typed, so that it may be about them; None for a first one."""
    failure: str = ""
    """The database's error when the last query to avoid ran; empty if a person turned it down."""

    @property
    def hints(self) -> str:
        """Explanations of the question's words, as the model is told them; definitions of other words are none."""
        terms = (f"{term.meaning} {term.filter}" for term in self.known.terms)
        lines = (line for line in self.evidence.splitlines() if _concerns(line, self.text))
        return " ".join((*lines, *terms))

    @property
    def said(self) -> str:
        """All that was said: its words and their explanations, and the question and the SQL that it follows."""
        before = (self.follows.question, self.follows.sql) if self.follows else ()
        return " ".join((self.text, self.hints, *before))

    @property
    def times(self) -> tuple[Period, ...]:
        """The times that its words name."""
        return periods(self.text, self.today)


@dataclass(frozen=True, slots=True)
class SqlTask:
    """One question that is to become SQL on one schema; a part of it is a task of its own."""

    question: Question
    schema: Schema
    model: Model
    dry_run: DryRun
    requester: Requester
    options: Options = DEFAULT_OPTIONS


def _concerns(line: str, text: str) -> bool:
    """Return whether a line of a hint says something of a question: "AR = …" does if the question has "AR"."""
    name, equals, _ = line.partition(" = ")
    return not equals or name.strip().casefold() in text.casefold()


# The tree: a question, its parts, and the statements that were tried for each.


class Agent(StrEnum):
    """One of those who work on a node."""

    SCHEMA_LINKER = "schema_linker"
    QUERY_ANALYZER = "query_analyzer"
    SQL_GENERATOR = "sql_generator"
    SQL_EVALUATOR = "sql_evaluator"


class NodeState(StrEnum):
    """The state of a node."""

    NO_SQL = "no_sql"
    NEED_EVAL = "need_eval"
    GOOD_SQL = "good_sql"
    BAD_SQL = "bad_sql"
    MAX_RETRIES = "max_retries"


@dataclass(frozen=True, slots=True)
class Try:
    """One statement that was judged: `problem` says why it cannot run, `doubt` what speaks against it all the same.

    `again`: the same statement had failed before. `composed`: it was put together from the parts, no model wrote it.
    """

    sql: str
    problem: str = ""
    doubt: str = ""
    notes: tuple[str, ...] = ()
    estimate: Estimate | None = None
    again: bool = False
    composed: bool = False
    signs: tuple[str, ...] = ()
    """The critic's objections, in sentences for the person."""
    surprisal: float | None = None
    """That of its least likely tokens, as `confidence.surprisal` says; None if the model does not tell."""

    @property
    def good(self) -> bool:
        """True if nothing speaks against it."""
        return not self.problem and not self.doubt


@dataclass(frozen=True, slots=True)
class Node:
    """A question with its statement.

    `view` are the tables that the next statement is written from, `draft` the statement that waits to be judged, with
    its `surprisal`, `tries` the node's history; `whole` tells that it is not divided, or not any more.
    """

    question: Question
    name: str = ""
    state: NodeState = NodeState.NO_SQL
    whole: bool = False
    view: Schema | None = None
    draft: str = ""
    surprisal: float | None = None
    tries: tuple[Try, ...] = ()

    @property
    def over(self) -> bool:
        """True if nothing is left to do for it."""
        return self.state in (NodeState.GOOD_SQL, NodeState.MAX_RETRIES)

    @property
    def written(self) -> tuple[Try, ...]:
        """The tries that a model wrote."""
        return tuple(each for each in self.tries if not each.composed)


@dataclass(frozen=True, slots=True)
class Tree:
    """The node of the whole question, and those of its parts, in their order."""

    nodes: tuple[Node, ...]

    @property
    def root(self) -> Node:
        """The node of the whole question."""
        return self.nodes[0]

    @property
    def parts(self) -> tuple[Node, ...]:
        """The nodes of its parts."""
        return self.nodes[1:]

    def put(self, number: int, node: Node) -> "Tree":
        """Return the tree with another node at this place."""
        return Tree((*self.nodes[:number], node, *self.nodes[number + 1 :]))
