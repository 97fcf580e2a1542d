"""A model that gives queued answers, and remembers what it was asked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from router.errors import AgentFailed

Shape = TypeVar("Shape", bound=BaseModel)


@dataclass
class Scripted:
    """`answers` are for SQL, `shapes` for questions with a shape; one that does not fit is an error of the model."""

    answers: list[str | Exception]
    shapes: list[Any] = field(default_factory=list)
    history: list[tuple[str, str, float | None]] = field(default_factory=list)
    filled: list[tuple[str, str]] = field(default_factory=list)

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
        self.history.append((system, user, temperature))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def fill(self, shape: type[Shape], system: str, user: str, **how: Any) -> Shape:
        self.filled.append((system, user))
        said = self.shapes.pop(0)
        if isinstance(said, Exception):
            raise said
        try:
            return shape.model_validate(said)
        except ValidationError as error:
            raise AgentFailed("The model gave an answer that does not fit.") from error
