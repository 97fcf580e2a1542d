"""The way to the jobs API: each request is tried again where it got lost, and none is done twice by that."""

import logging
import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import httpx

from adapters.remote.address import Address
from adapters.remote.trouble import MISUNDERSTOOD, Away, problem_of, refusal
from adapters.wire.people import ACTING, APPROVED, text_of
from router.errors import JobFailed
from router.memory import User

log = logging.getLogger("icc_bot")

Json = dict[str, Any]
Query = Mapping[str, str | int]
NOTHING: Final[Query] = {}

CONNECT: Final = 5.0
ANSWER: Final = 60.0
"""Seconds that one answer may take: a database may have to be asked for it."""
PAUSES: Final = (0.2, 0.5, 1.0)
"""Seconds before each further try."""
LONGEST_PAUSE: Final = 2.0
BUSY: Final = (429, 502, 503, 504)
"""Statuses after which the same request may do better."""


class Link:
    """One API; thread-safe. Every method raises Away where it cannot be reached, else what the API's refusal says.

    Whatever is sent may be sent again: a job has a key, and another try of one the number of the attempt before.
    """

    def __init__(self, address: Address, pause: Callable[[float], None] = time.sleep) -> None:
        self.address, self._pause = address, pause
        headers = {"Authorization": f"Bearer {address.token.get_secret_value()}"}
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)
        timeout = httpx.Timeout(ANSWER, connect=CONNECT)
        # Proxies of the environment are for what is outside.
        outside = not address.local
        # Certificates are much to read; where none is shown, nobody's is believed.
        trusted = ssl.create_default_context() if address.encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._client = httpx.Client(headers=headers, timeout=timeout, limits=limits, trust_env=outside, verify=trusted)

    def __repr__(self) -> str:
        return f"Link({self.address})"

    def get(self, path: str, by: User | None = None, query: Query = NOTHING) -> Json:
        """Return an answer."""
        return _json(self._sent("GET", path, _people(by), query))

    def changed(
        self, path: str, tag: str, by: User | None = None, wait: int = 0, query: Query = NOTHING
    ) -> tuple[Json, str] | None:
        """Return an answer and its tag, None where it is still that of `tag`; waits so many seconds for another."""
        headers = {**_people(by), **({"If-None-Match": tag} if tag else {})}
        asked = {**query, **({"wait": wait} if wait else {})}
        response = self._sent("GET", path, headers, asked, longer=wait)
        return None if response.status_code == 304 else (_json(response), response.headers.get("ETag", ""))

    def post(
        self,
        path: str,
        body: Json | None = None,
        by: User | None = None,
        approver: User | None = None,
        key: str = "",
        query: Query = NOTHING,
    ) -> Json:
        """Return the answer to what was sent."""
        headers = {**_people(by, approver), **({"Idempotency-Key": key} if key else {})}
        return _json(self._sent("POST", path, headers, query, body))

    def delete(self, path: str) -> None:
        """Have something deleted."""
        self._sent("DELETE", path, {}, {})

    def fetch(self, path: str, by: User, to: Path, progress: Callable[[float], None]) -> None:
        """Write an answer to a file; `progress` is told now and then which part of it is there."""
        try:
            with (
                closing(self._sent("GET", path, _people(by), NOTHING, streamed=True)) as response,
                to.open("wb") as file,
            ):
                length = int(response.headers.get("Content-Length", 0))
                for piece in response.iter_bytes(65_536):
                    file.write(piece)
                    progress(min(1.0, response.num_bytes_downloaded / length) if length else 0.0)
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
        timeout = httpx.Timeout(ANSWER + longer, connect=CONNECT)
        for pause in (*PAUSES, None):
            try:
                request = self._client.build_request(
                    method, self._url(path), headers=dict(headers), params=dict(query), json=body, timeout=timeout
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
            self._pause(_pause_of(response, pause))
        if response.status_code in BUSY and problem_of(response) is None:
            log.error("the jobs API at %s cannot be reached: HTTP %s", self.address, response.status_code)
            raise Away
        if response.status_code in (401, 500) or problem_of(response) is None:
            log.error("the jobs API at %s answered HTTP %s to %s", self.address, response.status_code, path)
        raise refusal(response)

    def _url(self, path: str) -> str:
        return f"{self.address.url}{path}"

    def _away(self, error: httpx.HTTPError) -> Away:
        log.error("the jobs API at %s cannot be reached: %s", self.address, type(error).__name__)
        return Away()


def _people(by: User | None = None, approver: User | None = None) -> dict[str, str]:
    named = {ACTING: by, APPROVED: approver if by else None}
    return {name: text_of(user) for name, user in named.items() if user}


def _passing(response: httpx.Response) -> bool:
    """Tell whether the same may do better in a moment; what a database failed at would fail again."""
    said = problem_of(response)
    return response.status_code in BUSY and (said is None or not said.kind)


def _pause_of(response: httpx.Response, pause: float) -> float:
    with suppress(ValueError):
        pause = max(pause, float(response.headers.get("Retry-After", pause)))
    return min(pause, LONGEST_PAUSE)


def _json(response: httpx.Response) -> Json:
    try:
        found = response.json()
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise JobFailed(MISUNDERSTOOD)
    return found
