"""What goes wrong between the bot and the jobs API, as sentences for whoever talks to the bot."""

from typing import Any, Final, TypeVar

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from router.errors import BotError, JobFailed, NotAllowed, NotThere, Stopped, Unclear

T = TypeVar("T")

KINDS: Final[dict[str, type[BotError]]] = {
    "NotAllowed": NotAllowed,
    "NotThere": NotThere,
    "Unclear": Unclear,
    "Stopped": Stopped,
}
"""Errors that the API's sentences are raised as; any other is JobFailed."""

AWAY: Final = (
    "The jobs API that does the bot's work cannot be reached right now. Everything so far is kept; try again in a "
    "moment."
)
STRANGER: Final = (
    "The jobs API does not let this bot in (any more). Everything so far is kept. Tell whoever runs the bot to look "
    "at API_TOKEN."
)
MISUNDERSTOOD: Final = (
    "The jobs API gave an answer that this bot does not understand: they may be of different versions. Everything so "
    "far is kept. Tell whoever runs the bot."
)
STOPPED: Final = "Stopped, as you asked."


class Away(JobFailed):
    """The jobs API cannot be reached."""

    def __init__(self, sentence: str = AWAY) -> None:
        super().__init__(sentence)


class Missing(JobFailed):
    """The jobs API knows nothing of it."""


class Stranger(JobFailed):
    """The jobs API does not let the bot in."""


class Problem(BaseModel):
    """What the API says of a request that it did not do."""

    detail: str = ""
    kind: str = ""


def refusal(response: httpx.Response) -> BotError:
    """Return the error that an answer stands for."""
    if response.status_code == 401:
        return Stranger(STRANGER)
    said = problem_of(response)
    if said is None:
        return JobFailed(MISUNDERSTOOD)
    if response.status_code == 404 and not said.kind:
        return Missing(said.detail)
    by_status: type[BotError] = NotAllowed if response.status_code == 403 else JobFailed
    return KINDS.get(said.kind, by_status)(said.detail)


def problem_of(response: httpx.Response) -> Problem | None:
    """Return what the API itself says is wrong; None where the answer is somebody else's, such as a proxy's."""
    if "problem+json" not in response.headers.get("Content-Type", ""):
        return None
    try:
        found = Problem.model_validate_json(response.content)
    except ValidationError:
        return None
    return found if found.detail else None


def understood(adapter: TypeAdapter[T], given: Any) -> T:
    """Return the value that an answer holds; raises JobFailed where it is of another form."""
    try:
        return adapter.validate_python(given)
    except ValidationError as error:
        raise JobFailed(MISUNDERSTOOD) from error
