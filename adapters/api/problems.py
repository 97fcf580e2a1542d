"""Refusals, as problem details (RFC 9457): a status and a sentence, never a trace."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from router.errors import BotError, NotAllowed, NotThere, Unclear

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


class RequestRefused(Exception):
    """A request that is not done; the sentence says why."""

    def __init__(
        self,
        status: HTTPStatus,
        sentence: str,
        errors: Sequence[InvalidField] = (),
        headers: Mapping[str, str] | None = None,
        kind: str = "",
    ) -> None:
        super().__init__(sentence)
        self.status, self.headers = status, dict(headers or {})
        self.problem = ProblemDetails(
            title=status.phrase, status=status, detail=sentence, kind=kind, errors=list(errors)
        )


def unprocessable(sentence: str, *errors: InvalidField) -> RequestRefused:
    """Return the refusal of a request that can be read and not be done: 422."""
    return RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, sentence, errors)


def not_found(sentence: str) -> RequestRefused:
    """Return the refusal of what is not there: 404."""
    return RequestRefused(HTTPStatus.NOT_FOUND, sentence)


def conflict(sentence: str) -> RequestRefused:
    """Return the refusal of what does not go with how things stand: 409."""
    return RequestRefused(HTTPStatus.CONFLICT, sentence)


def forbidden(sentence: str) -> RequestRefused:
    """Return the refusal of what the token may not do: 403."""
    return RequestRefused(HTTPStatus.FORBIDDEN, sentence)


def too_many(sentence: str, retry_seconds: int) -> RequestRefused:
    """Return the refusal of what may be done a little later: 429."""
    return RequestRefused(HTTPStatus.TOO_MANY_REQUESTS, sentence, headers={"Retry-After": str(retry_seconds)})


def from_bot_error(error: BotError) -> RequestRefused:
    """Return the refusal that an error of the router becomes; what no case names is the other end's failure."""
    match error:
        case NotThere():
            status = HTTPStatus.NOT_FOUND
        case NotAllowed():
            status = HTTPStatus.FORBIDDEN
        case Unclear():
            status = HTTPStatus.UNPROCESSABLE_ENTITY
        case _:
            status = HTTPStatus.SERVICE_UNAVAILABLE
    return RequestRefused(status, str(error), kind=type(error).__name__)


def from_validation(error: ValidationError, part: str) -> RequestRefused:
    """Return the refusal of a body or of parameters: 400 for what is no JSON, else 422 with the fields at fault."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    if any(each["type"] == "json_invalid" for each in found):
        return RequestRefused(HTTPStatus.BAD_REQUEST, f"The {part} is not JSON in UTF-8.")
    errors = [
        InvalidField(field=".".join(map(str, each["loc"])), sentence=f"{each['msg']}.")
        for each in found[:INVALID_FIELDS_MAX]
    ]
    return unprocessable(f"The {part} is not as it must be; `errors` says where.", *errors)


def from_http_status(status: HTTPStatus, headers: Mapping[str, str]) -> RequestRefused:
    """Return the refusal that an error of the server itself becomes, such as 404, 405 and 413."""
    sentences = {
        404: "There is nothing at this address.",
        405: "This address does not take this method.",
        408: "The request took too long to come in.",
        413: "The request is too large.",
        415: "A body is application/json, without an encoding.",
    }
    kept = {name: value for name, value in headers.items() if name == "Allow"}
    return RequestRefused(status, sentences.get(status, f"{status.phrase}."), headers=kept)
