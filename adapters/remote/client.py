"""The way to the jobs API: requests that are tried again if they got lost, and what is said if that fails."""

import logging
import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from adapters.remote.address import ApiAddress
from adapters.wire import ACTING_HEADER, APPROVED_HEADER, text_of
from router.errors import BotError, DatabaseAway, JobFailed, NotAllowed, NotFound, Stopped, Unclear
from router.language.outside_json import parse_json
from router.memory.draft import User
from router.retry_after import retry_after_seconds

log = logging.getLogger("icc_bot")

T = TypeVar("T")
Json = dict[str, Any]
Query = Mapping[str, str | int]
NO_QUERY: Final[Query] = {}

CONNECT_SECONDS: Final = 5.0
ANSWER_SECONDS: Final = 60.0
"""Seconds that one answer may take: a database may have to be asked for it."""
RETRY_SECONDS: Final = (0.2, 0.5, 1.0)
"""Seconds before each further try."""
RETRY_SECONDS_MAX: Final = 2.0
PASSING_STATUSES: Final = (429, 502, 503, 504)
"""Statuses after which the same request may do better."""

ERRORS_BY_KIND: Final[dict[str, type[BotError]]] = {
    "NotAllowed": NotAllowed,
    "NotFound": NotFound,
    "Unclear": Unclear,
    "Stopped": Stopped,
}
"""Errors that the API's sentences are raised as; any other is JobFailed."""

API_AWAY: Final = (
    "The jobs API that does the bot's work cannot be reached right now. Everything so far is kept; try again in a "
    "moment."
)
ACCESS_REFUSED: Final = (
    "The jobs API does not let this bot in (any more). Everything so far is kept. Tell your administrator to look "
    "at API_TOKEN."
)
API_MISUNDERSTOOD: Final = (
    "The jobs API gave an answer that this bot does not understand: they may be of different versions. Everything so "
    "far is kept. Tell your administrator."
)


class ApiAway(DatabaseAway):
    """The jobs API cannot be reached."""

    def __init__(self, sentence: str = API_AWAY) -> None:
        super().__init__(sentence)


class ApiMissing(JobFailed):
    """The jobs API knows nothing of it."""


class TokenRefused(JobFailed):
    """The jobs API does not let the bot in."""


class ApiClient:
    """One API; thread-safe. Every method raises ApiAway if it cannot be reached, else what the API's refusal says.

    Whatever is sent may be sent again: a job has a key, and another try of one the number of the attempt before.
    """

    def __init__(self, address: ApiAddress, pause: Callable[[float], None] = time.sleep) -> None:
        self.address, self._pause = address, pause
        self._client = httpx.Client(
            headers={"Authorization": f"Bearer {address.token.get_secret_value()}"},
            timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
            trust_env=not address.local,  # proxies of the environment are for what is outside
            verify=ssl.create_default_context(),
        )

    def __repr__(self) -> str:
        return f"ApiClient({self.address})"

    def get(self, path: str, by: User | None = None, query: Query = NO_QUERY) -> Json:
        """Return an answer."""
        return _json(self._sent("GET", path, _people(by), query))

    def post(
        self,
        path: str,
        body: Json | None = None,
        by: User | None = None,
        approver: User | None = None,
        key: str = "",
        query: Query = NO_QUERY,
    ) -> Json:
        """Return the answer to what was sent; {} if there is none."""
        headers = {**_people(by, approver), **({"Idempotency-Key": key} if key else {})}
        response = self._sent("POST", path, headers, query, body)
        return {} if response.status_code == 204 else _json(response)

    def delete(self, path: str) -> None:
        """Have something deleted."""
        self._sent("DELETE", path, {}, {})

    def fetch(self, path: str, by: User, to: Path, query: Query = NO_QUERY) -> None:
        """Write an answer to a file."""
        try:
            with (
                closing(self._sent("GET", path, _people(by), query, streamed=True)) as response,
                to.open("wb") as file,
            ):
                for piece in response.iter_bytes(65_536):
                    file.write(piece)
        except httpx.HTTPError as error:
            raise self._away(type(error).__name__) from None

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def _sent(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        query: Query,
        body: Json | None = None,
        streamed: bool = False,
    ) -> httpx.Response:
        """Return an answer of those that are good; one that is `streamed` is still to be read, and to be closed."""
        url = self.address.of(path)
        for pause in (*RETRY_SECONDS, None):
            request = self._client.build_request(method, url, headers=dict(headers), params=dict(query), json=body)
            try:
                response = self._client.send(request, stream=streamed)
                if response.is_success:
                    return response
                response.read()
            except httpx.HTTPError as error:
                if pause is None or isinstance(error, httpx.ReadTimeout):
                    raise self._away(type(error).__name__) from None
                self._pause(pause)
                continue
            said = _problem_of(response)
            # What a database failed at, which has a kind, would fail again.
            if pause is None or response.status_code not in PASSING_STATUSES or (said and said.kind):
                break
            self._pause(min(max(pause, retry_after_seconds(response.headers)), RETRY_SECONDS_MAX))
        if said is None and response.status_code in PASSING_STATUSES:
            raise self._away(f"HTTP {response.status_code}")
        if said is None or response.status_code in (401, 500):
            log.error("the jobs API at %s answered HTTP %s to %s", self.address, response.status_code, path)
        raise _refusal(response.status_code, said)

    def _away(self, why: str) -> ApiAway:
        log.error("the jobs API at %s cannot be reached: %s", self.address, why)
        return ApiAway()


def _people(by: User | None = None, approver: User | None = None) -> dict[str, str]:
    named = {ACTING_HEADER: by, APPROVED_HEADER: approver if by else None}
    return {name: text_of(user) for name, user in named.items() if user}


def _json(response: httpx.Response) -> Json:
    try:
        found = parse_json(response.content)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise JobFailed(API_MISUNDERSTOOD)
    return found


class ApiProblem(BaseModel):
    """The API's words on a request that it did not do."""

    detail: str = ""
    kind: str = ""


def _refusal(status: int, said: ApiProblem | None) -> BotError:
    """Return the error that an answer stands for."""
    if status == 401:
        return TokenRefused(ACCESS_REFUSED)
    if said is None:
        return JobFailed(API_MISUNDERSTOOD)
    if status == 404 and not said.kind:
        return ApiMissing(said.detail)
    by_status: type[BotError] = NotAllowed if status == 403 else JobFailed
    return ERRORS_BY_KIND.get(said.kind, by_status)(said.detail)


def _problem_of(response: httpx.Response) -> ApiProblem | None:
    """Return what the API itself says is wrong; None if the answer is somebody else's, such as a proxy's."""
    if "problem+json" not in response.headers.get("Content-Type", ""):
        return None
    try:
        found = ApiProblem.model_validate_json(response.content)
    except ValidationError:
        return None
    return found if found.detail else None


def parse_answer(adapter: TypeAdapter[T], given: Any) -> T:
    """Return the value that an answer holds; raises JobFailed if it is of another form."""
    try:
        return adapter.validate_python(given)
    except ValidationError as error:
        raise JobFailed(API_MISUNDERSTOOD) from error
