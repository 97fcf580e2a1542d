"""A model chooses the next agent, among those that may be next; what it says otherwise is not followed."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, create_model

from router.agents.prompt import prompt
from router.agents.schema_text import folded
from router.agents.tree.agent import Agent
from router.agents.tree.analyzer import Fill
from router.agents.tree.node import Node
from router.errors import AgentFailed


class Next(BaseModel):
    """The shape of the answer."""

    agent: str


def choose(node: Node, agents: tuple[Agent, ...], fill: Fill) -> Agent:
    """Return one of `agents`: the model's choice, or the first where it makes none; a single one is not asked about.

    Raises Stopped.
    """
    if len(agents) == 1:
        return agents[0]
    last = node.tries[-1] if node.tries else None
    history = f"{folded(last.sql, 1000)}\nThis failed: {folded(last.problem or last.doubt, 300)}\n" if last else ""
    user = prompt("sql_next").format(
        question=folded(node.question.text, 500), history=history, agents=", ".join(agents)
    )
    try:
        return Agent(fill(_shape(agents), user.rstrip()).agent)
    except AgentFailed:  # if it is away, the call for SQL says so
        return agents[0]


def _shape(agents: tuple[Agent, ...]) -> type[Next]:
    """Return a shape whose only field is the name of one of the agents."""
    names = [str(agent) for agent in agents]

    def known(name: str) -> str:
        if name not in names:
            raise ValueError(f"it is one of {', '.join(names)}")
        return name

    field = Annotated[str, AfterValidator(known), Field(json_schema_extra={"enum": [*names]})]
    return create_model("Next", __base__=Next, agent=(field, ...))
