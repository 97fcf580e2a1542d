"""What is asked, and of whom."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from router.agents.named import Named
from router.agents.shape import Shape
from router.knowledge.known import NOTHING, Known


class Model(Protocol):
    """What this room needs of a model."""

    def text(
        self,
        system: str,
        user: str,
        *,
        asker: str,
        progress: Callable[[str], None],
        stopped: Callable[[], bool],
        agent: str,
        temperature: float | None = None,
    ) -> str:
        """Return the model's answer; raises AgentFailed or Stopped."""

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


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: `evidence` is a hint, `avoid` are queries that were tried already, `known` is what was taught.

    `named` are values of the database that its words may mean.
    """

    text: str
    today: date
    evidence: str = ""
    avoid: tuple[str, ...] = ()
    known: Known = NOTHING
    named: tuple[Named, ...] = ()

    @property
    def hints(self) -> str:
        """What the model is told about the question's words; definitions of other words are none of it."""
        terms = (f"{term.meaning} {term.filter}" for term in self.known.terms)
        lines = (line for line in self.evidence.splitlines() if _concerns(line, self.text))
        return " ".join((*lines, *terms))


def _concerns(line: str, text: str) -> bool:
    """Tell whether a line of a hint says something of a question: "AR = …" does if the question has "AR"."""
    name, equals, _ = line.partition(" = ")
    return not equals or name.strip().casefold() in text.casefold()
