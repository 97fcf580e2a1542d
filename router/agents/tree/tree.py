"""The nodes of a question and its parts."""

from collections.abc import Sequence
from dataclasses import dataclass

from router.agents.tree.node import Node
from router.agents.tree.operation import Operation


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
