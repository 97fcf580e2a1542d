"""One question of the tree, and what was tried for it."""

from dataclasses import dataclass
from enum import StrEnum

from router.agents.question import Question
from router.agents.tree.view import View
from router.sql.databases import Estimate


class State(StrEnum):
    """How far a node is."""

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
        """Whether nothing speaks against it."""
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
    state: State = State.NO_SQL
    whole: bool = False
    view: View | None = None
    draft: str = ""
    tries: tuple[Try, ...] = ()

    @property
    def over(self) -> bool:
        """Whether nothing is left to do for it."""
        return self.state in (State.GOOD_SQL, State.MAX_RETRIES)

    @property
    def written(self) -> tuple[Try, ...]:
        """The tries that a model wrote."""
        return tuple(each for each in self.tries if not each.composed)
