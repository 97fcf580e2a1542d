"""What goes wrong, as problem+json (RFC 9457): a status and a sentence, never a trace."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from router.errors import BotError, JobFailed, NotAllowed, NotThere, Unclear

TYPE: Final = "application/problem+json"


class Wrong(BaseModel):
    """A field of a body, or a parameter, that is not as it must be."""

    model_config = ConfigDict(frozen=True)

    field: str
    sentence: str


class Problem(BaseModel):
    """Why nothing was done: `detail` is a sentence for a person."""

    model_config = ConfigDict(frozen=True)

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    kind: str = Field("", description="Which of the bot's own errors this is, for a bot.")
    errors: list[Wrong] = []


class Refused(Exception):
    """A request that is not done; the sentence says why."""

    def __init__(
        self,
        status: HTTPStatus,
        sentence: str,
        errors: Sequence[Wrong] = (),
        headers: Mapping[str, str] | None = None,
        kind: str = "",
    ) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.status, self.sentence, self.errors, self.headers = status, sentence, list(errors), dict(headers or {})

    @property
    def answer(self) -> web.Response:
        """The HTTP answer."""
        problem = Problem(
            title=self.status.phrase, status=self.status, detail=self.sentence, kind=self.kind, errors=self.errors
        )
        text = json.dumps(problem.model_dump())
        return web.Response(status=self.status, text=text, content_type=TYPE, headers=self.headers)


def unfit(sentence: str, *errors: Wrong) -> Refused:
    """Return the refusal of a request that can be read and not be done: 422."""
    return Refused(HTTPStatus.UNPROCESSABLE_ENTITY, sentence, errors)


def unknown(sentence: str) -> Refused:
    """Return the refusal of what is not there: 404."""
    return Refused(HTTPStatus.NOT_FOUND, sentence)


def conflicting(sentence: str) -> Refused:
    """Return the refusal of what does not go with how things stand: 409."""
    return Refused(HTTPStatus.CONFLICT, sentence)


def refused(error: BotError) -> Refused:
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
    return Refused(status, str(error), kind=type(error).__name__)


def failed(error: JobFailed) -> Refused:
    """Return the refusal of what a database does not do, for its own reasons: 422."""
    return Refused(HTTPStatus.UNPROCESSABLE_ENTITY, str(error), kind=JobFailed.__name__)


def unreadable(error: ValidationError, what: str) -> Refused:
    """Return the refusal of a body or of parameters: 400 for what is no JSON, else 422 with the fields at fault."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    if any(each["type"] == "json_invalid" for each in found):
        return Refused(HTTPStatus.BAD_REQUEST, f"The {what} is not JSON in UTF-8.")
    errors = [Wrong(field=".".join(map(str, each["loc"])), sentence=f"{each['msg']}.") for each in found[:20]]
    return unfit(f"The {what} is not as it must be; `errors` says where.", *errors)


def from_aiohttp(error: web.HTTPException) -> Refused:
    """Return the refusal that an error of the server itself becomes, such as 404, 405 and 413."""
    sentences = {
        404: "There is nothing at this address.",
        405: "This address does not take this method.",
        408: "The request took too long to come in.",
        413: "The request is too large.",
        415: "A body is application/json, without an encoding.",
    }
    status = HTTPStatus(error.status)
    kept = {name: value for name, value in error.headers.items() if name == "Allow"}
    return Refused(status, sentences.get(error.status, f"{status.phrase}."), headers=kept)
