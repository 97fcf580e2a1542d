"""The table of all requests: how each is sent, who may send it, and the function that answers it.

The rest is read from the function's types: what is in the address (its parameters of the names in braces), in the body
(`body`), behind the question mark (`query`), and what is answered.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Literal, get_type_hints

from pydantic import BaseModel

from adapters.api import bot_jobs, connections, jobs, query_jobs, result_jobs, results
from adapters.api.auth import TokenScope
from adapters.api.jobs import JobAnswer, SubmittedJob
from adapters.api.request import ApiBody, ApiParameters

JOB_NUMBER_PATTERN: Final = r"^[CMRWS]-[2-9A-HJKMNP-TV-Z]{8}$"
JOB_PATH: Final = "/v1/jobs/{job}"
"""The address of a job; answers of other addresses name it in the header Location."""

PATH_PATTERNS: Final = {
    "job": JOB_NUMBER_PATTERN,
    "connection": r"^[1-9][0-9]{0,9}$",
    "schema": r"^[^/]{1,128}$",
    "key": r"^[0-9a-f]{64}$",
    "result": r"^[A-Za-z0-9_-]{16,64}$",
    "form": r"^(csv|xlsx)$",
}
"""The looks of the parts of an address that stand in braces; what looks otherwise is not there."""


@dataclass(frozen=True)
class Route:
    """One kind of request; without a scope, any token will do."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    summary: str
    handler: Callable[..., BaseModel | SubmittedJob | Path]
    """Answers it, in a thread; raises RequestRefused or BotError where it is not done."""
    scope: TokenScope | None = None
    problems: tuple[int, ...] = ()
    """Statuses of refusals, beside those that any request may meet."""
    asks: bool = False
    """True where a database is asked before it is answered, which may take long."""
    person: bool = False
    """True where the request must say who acts."""
    tagged: bool = False
    """True where the answer has an ETag, and is not sent to who has it already."""

    def __post_init__(self) -> None:
        wanted = {*self._types} - {"site", "call", "body", "query", "return"}
        if wanted != {*self.path_parts}:
            raise TypeError(f"{self.name} takes {sorted(wanted)}, and {self.path} has {self.path_parts}")

    @property
    def name(self) -> str:
        """The name of the request: that of its function."""
        return self.handler.__name__

    @property
    def path_parts(self) -> list[str]:
        """The names in braces."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def path_with_patterns(self) -> str:
        """The path as the server finds it."""
        return re.sub(r"{(\w+)}", lambda found: f"{{{found[1]}:{PATH_PATTERNS[found[1]].strip('^$')}}}", self.path)

    @cached_property
    def _types(self) -> dict[str, Any]:
        return get_type_hints(self.handler)

    @property
    def body(self) -> type[ApiBody] | None:
        """The form of the body, where there is one."""
        return self._types.get("body")

    @property
    def query(self) -> type[ApiParameters] | None:
        """The parameters behind the question mark, where there are some."""
        return self._types.get("query")

    @property
    def creates(self) -> bool:
        """True where it makes a job, for which the header Idempotency-Key holds."""
        return self._types["return"] is SubmittedJob

    @property
    def answer(self) -> type[BaseModel] | None:
        """The form of the answer; None where it is a file."""
        found = self._types["return"]
        return JobAnswer if found is SubmittedJob else None if found is Path else found

    @property
    def good(self) -> tuple[HTTPStatus, ...]:
        """The statuses of what was done; 200 for a job that was asked for before."""
        return (HTTPStatus.ACCEPTED, HTTPStatus.OK) if self.creates else (HTTPStatus.OK,)

    def path_values(self, given: dict[str, str]) -> dict[str, Any]:
        """Return the parts of an address as the function takes them."""
        return {name: self._types[name](text) for name, text in given.items()}


# fmt: off
ROUTES: Final[tuple[Route, ...]] = (
    # Jobs: the person's own, and for an admin everybody's.
    Route("POST", "/v1/jobs/read", "Run a query",
          query_jobs.read, "read", (404,), asks=True),
    Route("POST", "/v1/jobs/write", "Write the rows of a reading into a table",
          result_jobs.write, "write", (404, 409), asks=True),
    Route("POST", "/v1/jobs/email", "E-mail the rows of a reading",
          result_jobs.email, "email", (404, 409), asks=True),
    Route("POST", "/v1/jobs/match", "Look at two queries before they are compared",
          query_jobs.match, "read", (404,), asks=True),
    Route("POST", "/v1/jobs/compare", "Compare two queries",
          query_jobs.compare, "read", (404,), asks=True),
    Route("GET", "/v1/jobs", "List jobs, the latest first",
          jobs.list_jobs),
    Route("GET", JOB_PATH, "Look at a job",
          jobs.show_job, None, (404,), tagged=True),
    Route("POST", "/v1/jobs/{job}/cancel", "Cancel a job",
          jobs.cancel_job, None, (404, 409)),
    Route("GET", "/v1/jobs/{job}/rows", "Get rows of a reading or a comparison that is done",
          results.show_rows, "read", (404, 409), asks=True),

    # Connections, schemas and tables.
    Route("GET", "/v1/connections", "List connections",
          connections.list_connections),
    Route("GET", "/v1/connections/{connection}/schemas", "List the schemas of a connection",
          connections.list_schemas, None, (404,), asks=True),
    Route("GET", "/v1/connections/{connection}/schemas/{schema}/tables", "List the tables of a schema",
          connections.list_tables, None, (404,), asks=True),

    # For a bot that has its jobs done here, most of it in the name of the person who talks to it.
    Route("GET", "/v1/house", "Get what a bot has to know",
          connections.show_house, "act_for", tagged=True),
    Route("GET", "/v1/connections/{connection}/known", "List the schemas of a connection for a bot",
          connections.schema_names, "act_for", (404,), asks=True, tagged=True),
    Route("GET", "/v1/connections/{connection}/known/tables", "Get all that is known of a schema for a bot",
          connections.schema_tables, "act_for", (404,), asks=True, tagged=True),
    Route("GET", "/v1/connections/{connection}/there", "Look at a table that may be written to",
          connections.table_there, "act_for", (404,), asks=True, person=True),
    Route("POST", "/v1/trials", "Have a database look at a query without running it",
          connections.try_out, "act_for", (404,), asks=True, person=True),
    Route("POST", "/v1/jobs", "Hand a job over that was approved in a talk",
          bot_jobs.hand_over, "act_for", (404, 409), person=True),
    Route("POST", "/v1/jobs/{job}/retry", "Have a job done again that was handed over",
          bot_jobs.retry_job, "act_for", (404, 409), person=True),
    Route("GET", "/v1/keys/{key}", "Find the job that was handed over under a key",
          bot_jobs.find_job, "act_for", (404,)),
    Route("POST", "/v1/threads/forget", "Delete what is kept of a talk's jobs",
          bot_jobs.forget_thread, "act_for"),
    Route("GET", "/v1/results/{result}", "Look at a result",
          results.show_result, "act_for", (404, 409), asks=True, person=True),
    Route("GET", "/v1/results/{result}/rows", "Get rows of a result, exactly",
          results.result_rows, "act_for", (404, 409), asks=True, person=True),
    Route("GET", "/v1/results/{result}/fields", "Get the columns of a result",
          results.result_fields, "act_for", (404, 409), asks=True, person=True),
    Route("GET", "/v1/results/{result}/files/{form}", "Get a result as a file",
          results.result_file, "act_for", (404, 409), asks=True, person=True),
    Route("DELETE", "/v1/results/{result}", "Delete a result",
          results.delete_result, "act_for", (404,)),
)
# fmt: on
