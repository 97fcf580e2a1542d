"""A model that gives queued answers, and remembers what it was asked."""

from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from router.catalog.schema import Schema
from router.errors import AgentFailed
from router.llm.call import ModelAnswer, ModelCall, Requester
from router.sql.databases.session import Estimate
from router.text_to_sql.question import DEFAULT_OPTIONS, DryRun, Model, Options, Question, SqlTask
from tests.support.trade import trade

Shape = TypeVar("Shape", bound=BaseModel)


@dataclass
class Scripted:
    """`answers` are for SQL, `shapes` for questions with a shape; one that does not fit is an error of the model."""

    answers: list[str | Exception]
    shapes: list[Any] = field(default_factory=list)
    history: list[tuple[str, str, float | None]] = field(default_factory=list)
    filled: list[tuple[str, str]] = field(default_factory=list)

    def answer(self, call: ModelCall) -> ModelAnswer:
        self.history.append((call.system, call.user, call.temperature))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return ModelAnswer(answer)

    def fill(self, shape: type[Shape], call: ModelCall) -> Shape:
        self.filled.append((call.system, call.user))
        said = self.shapes.pop(0)
        if isinstance(said, Exception):
            raise said
        try:
            return shape.model_validate(said)
        except ValidationError as error:
            raise AgentFailed("The model gave an answer that does not fit.") from error


def sql_task(
    question: Question,
    schema: Schema | None = None,
    model: Model | None = None,
    dry_run: DryRun = lambda sql: Estimate(),
    requester: Requester | None = None,
    options: Options = DEFAULT_OPTIONS,
) -> SqlTask:
    """Return a task, by default on the small schema, without a model, on a database that refuses nothing."""
    return SqlTask(question, schema or trade(), model or Scripted([]), dry_run, requester or Requester("u1"), options)
