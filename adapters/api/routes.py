"""The table of all requests: how each is sent, who may send it, what is done, and what is answered."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Literal

from adapters.api import answers, bodies, jobs, mailing, places, reading, rows, writing
from adapters.api.call import Handle
from adapters.api.tokens import Scope


@dataclass(frozen=True, slots=True)
class Route:
    """One kind of request; without a scope, any token will do."""

    method: Literal["GET", "POST"]
    path: str
    summary: str
    handle: Handle
    answer: type[answers.Answer]
    scope: Scope | None = None
    body: type[bodies.Body] | None = None
    query: type[bodies.Parameters] | None = None
    problems: tuple[int, ...] = ()
    """Statuses of refusals, beside those that any request may meet."""

    @property
    def name(self) -> str:
        """What the request is called: the function that does it."""
        return self.handle.__name__

    @property
    def creates(self) -> bool:
        """Whether it makes a job, for which the header Idempotency-Key holds."""
        return self.body is not None

    @property
    def good(self) -> tuple[HTTPStatus, ...]:
        """The statuses of what was done; 200 for a job that was asked for before."""
        return (HTTPStatus.ACCEPTED, HTTPStatus.OK) if self.creates else (HTTPStatus.OK,)


ROUTES: Final[tuple[Route, ...]] = (
    Route(
        "POST",
        "/v1/jobs/read",
        "Run a query",
        reading.read,
        answers.Job,
        scope="read",
        body=bodies.Read,
        problems=(404,),
    ),
    Route(
        "POST",
        "/v1/jobs/write",
        "Write the rows of a reading into a table",
        writing.write,
        answers.Job,
        scope="write",
        body=bodies.Write,
        problems=(404, 409),
    ),
    Route(
        "POST",
        "/v1/jobs/email",
        "E-mail the rows of a reading",
        mailing.email,
        answers.Job,
        scope="email",
        body=bodies.Email,
        problems=(404, 409),
    ),
    Route("GET", "/v1/jobs", "List jobs, the latest first", jobs.list_jobs, answers.Jobs, query=bodies.Listing),
    Route("GET", "/v1/jobs/{job}", "Look at a job", jobs.show_job, answers.Job, problems=(404,)),
    Route("POST", "/v1/jobs/{job}/cancel", "Cancel a job", jobs.cancel_job, answers.Job, problems=(404, 409)),
    Route(
        "GET",
        "/v1/jobs/{job}/rows",
        "Get rows of a reading that is done",
        rows.show_rows,
        answers.Rows,
        scope="read",
        query=bodies.Paging,
        problems=(404, 409),
    ),
    Route("GET", "/v1/connections", "List connections", places.list_connections, answers.Connections),
    Route(
        "GET",
        "/v1/connections/{connection}/schemas",
        "List the schemas of a connection",
        places.list_schemas,
        answers.Schemas,
        problems=(404,),
    ),
    Route(
        "GET",
        "/v1/connections/{connection}/schemas/{schema}/tables",
        "List the tables of a schema",
        places.list_tables,
        answers.Tables,
        problems=(404,),
    ),
)

PATTERNS: Final = {"job": bodies.JOB, "connection": r"^[1-9][0-9]{0,9}$", "schema": r"^[^/]{1,128}$"}
"""How the parts of an address look that stand in braces; what looks otherwise is not there."""
