"""Refusals, as problem details (RFC 9457): a status and a sentence, never a trace.

A handler refuses by an error of the router, or by aiohttp's HTTPException of a status with a sentence as its text.
"""

from typing import Final

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from router.errors import BotError, JobFailed, NotAllowed, NotFound, Unclear

PROBLEM_CONTENT_TYPE: Final = "application/problem+json"

INVALID_FIELDS_MAX: Final = 20
"""Invalid fields that one problem names."""


class InvalidField(BaseModel):
    """A field of a body, or a parameter, that is not as it must be."""

    model_config = ConfigDict(frozen=True)

    field: str
    sentence: str


class ProblemDetails(BaseModel):
    """The reason that nothing was done: `detail` is a sentence for a person."""

    model_config = ConfigDict(frozen=True)

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    kind: str = Field("", description="Which of the bot's own errors this is, for a bot.")
    errors: list[InvalidField] = []


class InvalidRequest(Exception):
    """A body or an address whose fields are not as they must be."""

    def __init__(self, part: str, error: ValidationError) -> None:
        super().__init__(f"The {part} is not as it must be; `errors` says where.")
        found = error.errors(include_url=False, include_context=False, include_input=False)[:INVALID_FIELDS_MAX]
        self.errors = [
            InvalidField(field=".".join(map(str, each["loc"])), sentence=f"{each['msg']}.") for each in found
        ]


class RowsGone(JobFailed):
    """The rows of a job are not there any more, or not for this person."""


class QueryRefused(JobFailed):
    """A database does not take a query."""


STATUSES: Final[dict[type[BotError], type[web.HTTPException]]] = {
    NotFound: web.HTTPNotFound,
    RowsGone: web.HTTPNotFound,
    NotAllowed: web.HTTPForbidden,
    Unclear: web.HTTPUnprocessableEntity,
    QueryRefused: web.HTTPUnprocessableEntity,
    BotError: web.HTTPServiceUnavailable,
}
"""The refusal that an error of the router becomes, by the first class that it is of."""


def problem(error: web.HTTPException | BotError | InvalidRequest) -> web.Response:
    """Return the answer to a request that is not done."""
    kind, errors = "", list[InvalidField]()
    detail = str(error)
    refused: web.HTTPException
    match error:
        case web.HTTPException():
            refused, detail = error, error.text or ""
        case InvalidRequest():
            refused, errors = web.HTTPUnprocessableEntity(), error.errors
        case _:
            refused = next(refusal for each, refusal in STATUSES.items() if isinstance(error, each))()
            kind = type(error).__name__
    said = ProblemDetails(title=refused.reason, status=refused.status, detail=detail, kind=kind, errors=errors)
    headers = {name: value for name, value in refused.headers.items() if name != "Content-Type"}
    return web.Response(
        status=refused.status, text=said.model_dump_json(), content_type=PROBLEM_CONTENT_TYPE, headers=headers
    )
