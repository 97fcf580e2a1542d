"""One question of the tree, and what was tried for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from router.catalog.schema import Schema
from router.sql.databases.session import Estimate
from router.text_to_sql.question import Question


class Agent(StrEnum):
    """One of those who work on a node."""

    SCHEMA_LINKER = "schema_linker"
    QUERY_ANALYZER = "query_analyzer"
    SQL_GENERATOR = "sql_generator"
    SQL_EVALUATOR = "sql_evaluator"


@dataclass(frozen=True, slots=True)
class View:
    """`schema` is the beginning of the prompt; `near` are tables that are shown once more, beside the question."""

    schema: Schema
    near: Schema | None = None


Operation = Literal["beside", "ratio", "difference"]
"""Shown beside one another, the first divided by the second, or the second taken away from the first."""


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
    view: View | None = None
    again: bool = False
    composed: bool = False

    @property
    def good(self) -> bool:
        """True where nothing speaks against it."""
        return not self.problem and not self.doubt


@dataclass(frozen=True, slots=True)
class Node:
    """A question with its statement: `parent` is the place of the node that it is a part of, None for the root.

    `view` is what the next statement is written from, `draft` the statement that waits to be judged, `tries` the
    node's history; `whole` tells that it is not divided, or not any more.
    """

    question: Question
    name: str = ""
    parent: int | None = None
    state: NodeState = NodeState.NO_SQL
    whole: bool = False
    view: View | None = None
    draft: str = ""
    tries: tuple[Try, ...] = ()

    @property
    def over(self) -> bool:
        """True where nothing is left to do for it."""
        return self.state in (NodeState.GOOD_SQL, NodeState.MAX_RETRIES)

    @property
    def written(self) -> tuple[Try, ...]:
        """The tries that a model wrote."""
        return tuple(each for each in self.tries if not each.composed)


@dataclass(frozen=True, slots=True)
class Tree:
    """The nodes in the order in which they were made, the root first; `operation` puts the root's parts together."""

    nodes: tuple[Node, ...]
    operation: Operation = "beside"

    @property
    def root(self) -> Node:
        """The node of the whole question."""
        return self.nodes[0]

    def parts(self, number: int) -> tuple[int, ...]:
        """Return the places of the parts of a node, in their order."""
        return tuple(place for place, node in enumerate(self.nodes) if node.parent == number)

    def put(self, number: int, node: Node) -> "Tree":
        """Return the tree with another node at this place."""
        return Tree((*self.nodes[:number], node, *self.nodes[number + 1 :]), self.operation)

    def divided(self, parts: Sequence[Node], operation: Operation) -> "Tree":
        """Return the tree with these parts of the root."""
        return Tree((*self.nodes, *parts), operation)
