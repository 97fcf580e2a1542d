"""The way to the jobs API: requests that are tried again where they got lost, and what is said where that fails."""

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
from router.errors import BotError, DatabaseAway, JobFailed, NotAllowed, NotThere, Stopped, Unclear
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
    "NotThere": NotThere,
    "Unclear": Unclear,
    "Stopped": Stopped,
}
"""Errors that the API's sentences are raised as; any other is JobFailed."""

API_AWAY: Final = (
    "The jobs API that does the bot's work cannot be reached right now. Everything so far is kept; try again in a "
    "moment."
)
NOT_LET_IN: Final = (
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
    """One API; thread-safe. Every method raises ApiAway where it cannot be reached, else what the API's refusal says.

    Whatever is sent may be sent again: a job has a key, and another try of one the number of the attempt before.
    """

    def __init__(self, address: ApiAddress, pause: Callable[[float], None] = time.sleep) -> None:
        self.address, self._pause = address, pause
        headers = {"Authorization": f"Bearer {address.token.get_secret_value()}"}
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)
        timeout = httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
        # Proxies of the environment are for what is outside.
        outside = not address.local
        # Certificates are much to read; where none is shown, nobody's is believed.
        trusted = ssl.create_default_context() if address.encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._client = httpx.Client(headers=headers, timeout=timeout, limits=limits, trust_env=outside, verify=trusted)

    def __repr__(self) -> str:
        return f"ApiClient({self.address})"

    def get(self, path: str, by: User | None = None, query: Query = NO_QUERY) -> Json:
        """Return an answer."""
        return _json(self._sent("GET", path, _people(by), query))

    def changed(self, path: str, tag: str, by: User, wait: int) -> tuple[Json, str] | None:
        """Return an answer and its tag, None where it is still that of `tag`; waits so many seconds for another."""
        headers = {**_people(by), **({"If-None-Match": tag} if tag else {})}
        response = self._sent("GET", path, headers, {"wait": wait}, longer=wait)
        return None if response.status_code == 304 else (_json(response), response.headers.get("ETag", ""))

    def post(
        self,
        path: str,
        body: Json | None = None,
        by: User | None = None,
        approver: User | None = None,
        key: str = "",
        query: Query = NO_QUERY,
    ) -> Json:
        """Return the answer to what was sent."""
        headers = {**_people(by, approver), **({"Idempotency-Key": key} if key else {})}
        return _json(self._sent("POST", path, headers, query, body))

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
            raise self._away(error) from None

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
        longer: float = 0.0,
        streamed: bool = False,
    ) -> httpx.Response:
        """Return an answer of those that are good; one that is `streamed` is still to be read, and to be closed."""
        url, timeout = f"{self.address.url}{path}", httpx.Timeout(ANSWER_SECONDS + longer, connect=CONNECT_SECONDS)
        for pause in (*RETRY_SECONDS, None):
            try:
                request = self._client.build_request(
                    method, url, headers=dict(headers), params=dict(query), json=body, timeout=timeout
                )
                response = self._client.send(request, stream=streamed)
                if not response.is_success:
                    response.read()
            except httpx.HTTPError as error:
                if pause is None or isinstance(error, httpx.ReadTimeout):
                    raise self._away(error) from None
                self._pause(pause)
                continue
            if response.is_success or response.status_code == 304:
                return response
            if pause is None or not _passing(response):
                break
            self._pause(min(max(pause, retry_after_seconds(response.headers)), RETRY_SECONDS_MAX))
        if response.status_code in PASSING_STATUSES and _problem_of(response) is None:
            log.error("the jobs API at %s cannot be reached: HTTP %s", self.address, response.status_code)
            raise ApiAway
        if response.status_code in (401, 500) or _problem_of(response) is None:
            log.error("the jobs API at %s answered HTTP %s to %s", self.address, response.status_code, path)
        raise _refusal(response)

    def _away(self, error: httpx.HTTPError) -> ApiAway:
        log.error("the jobs API at %s cannot be reached: %s", self.address, type(error).__name__)
        return ApiAway()


def _people(by: User | None = None, approver: User | None = None) -> dict[str, str]:
    named = {ACTING_HEADER: by, APPROVED_HEADER: approver if by else None}
    return {name: text_of(user) for name, user in named.items() if user}


def _passing(response: httpx.Response) -> bool:
    """Tell whether the same may do better in a moment; what a database failed at would fail again."""
    said = _problem_of(response)
    return response.status_code in PASSING_STATUSES and (said is None or not said.kind)


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


def _refusal(response: httpx.Response) -> BotError:
    """Return the error that an answer stands for."""
    if response.status_code == 401:
        return TokenRefused(NOT_LET_IN)
    said = _problem_of(response)
    if said is None:
        return JobFailed(API_MISUNDERSTOOD)
    if response.status_code == 404 and not said.kind:
        return ApiMissing(said.detail)
    by_status: type[BotError] = NotAllowed if response.status_code == 403 else JobFailed
    return ERRORS_BY_KIND.get(said.kind, by_status)(said.detail)


def _problem_of(response: httpx.Response) -> ApiProblem | None:
    """Return what the API itself says is wrong; None where the answer is somebody else's, such as a proxy's."""
    if "problem+json" not in response.headers.get("Content-Type", ""):
        return None
    try:
        found = ApiProblem.model_validate_json(response.content)
    except ValidationError:
        return None
    return found if found.detail else None


def understood(adapter: TypeAdapter[T], given: Any) -> T:
    """Return the value that an answer holds; raises JobFailed where it is of another form."""
    try:
        return adapter.validate_python(given)
    except ValidationError as error:
        raise JobFailed(API_MISUNDERSTOOD) from error
