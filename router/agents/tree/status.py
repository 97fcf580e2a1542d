"""Where a tree stands: the node that is worked on, and who may work on it."""

from dataclasses import dataclass

from router.agents.tree.agent import Agent
from router.agents.tree.node import Node, State
from router.agents.tree.tree import Tree


@dataclass(frozen=True, slots=True)
class Status:
    """`node` is the place of the node that is worked on, None when the task is done.

    `agents` are those who may be next; the first of them is the one that rules choose.
    """

    node: int | None
    agents: tuple[Agent, ...] = ()


def check(tree: Tree) -> Status:
    """Return the status of a tree: from the root, the first part that is not over, then the node that has it."""
    number = _current(tree, 0)
    return Status(None) if number is None else Status(number, _agents(tree, number))


def _current(tree: Tree, number: int) -> int | None:
    if tree.nodes[number].over:
        return None
    parts = tree.parts(number)
    if any(tree.nodes[part].state is State.MAX_RETRIES for part in parts):
        return number  # without one of its parts it is answered as a whole, and the other parts are not needed
    return next((found for part in parts if (found := _current(tree, part)) is not None), number)


def composable(tree: Tree, number: int) -> bool:
    """Tell whether a node's statement can be put together from its parts; that is tried once."""
    parts = tree.parts(number)
    return (
        bool(parts) and not tree.nodes[number].tries and all(tree.nodes[part].state is State.GOOD_SQL for part in parts)
    )


def _agents(tree: Tree, number: int) -> tuple[Agent, ...]:
    node = tree.nodes[number]
    if node.state is State.NEED_EVAL:
        return (Agent.SQL_EVALUATOR,)
    if node.view or composable(tree, number):
        return (Agent.SQL_GENERATOR,)
    if _divisible(node):
        return (Agent.QUERY_ANALYZER, Agent.SCHEMA_LINKER)
    if node.tries and node.tries[-1].view:
        return (Agent.SCHEMA_LINKER, Agent.SQL_GENERATOR)
    return (Agent.SCHEMA_LINKER,)


def _divisible(node: Node) -> bool:
    return node.parent is None and not node.whole and not node.tries
