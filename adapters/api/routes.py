"""The table of all requests: how each is sent, who may send it, what is done, and what is answered."""

from typing import Final

from adapters.api import answers, bodies, jobs, mailing, places, reading, rows, writing
from adapters.api.bot_routes import BOT_ROUTES
from adapters.api.route import PATTERNS as PATTERNS
from adapters.api.route import Route as Route

ROUTES: Final[tuple[Route, ...]] = (
    Route(
        "POST",
        "/v1/jobs/read",
        "Run a query",
        reading.read,
        answers.Job,
        asks=True,
        scope="read",
        body=bodies.Read,
        creates=True,
        problems=(404,),
    ),
    Route(
        "POST",
        "/v1/jobs/write",
        "Write the rows of a reading into a table",
        writing.write,
        answers.Job,
        asks=True,
        scope="write",
        body=bodies.Write,
        creates=True,
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
        creates=True,
        problems=(404, 409),
    ),
    Route("GET", "/v1/jobs", "List jobs, the latest first", jobs.list_jobs, answers.Jobs, query=bodies.Listing),
    Route(
        "GET",
        "/v1/jobs/{job}",
        "Look at a job",
        jobs.show_job,
        answers.Job,
        query=bodies.Waiting,
        tagged=True,
        problems=(404,),
    ),
    Route(
        "POST",
        "/v1/jobs/{job}/cancel",
        "Cancel a job",
        jobs.cancel_job,
        answers.Job,
        query=bodies.Ending,
        problems=(404, 409),
    ),
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
        asks=True,
        problems=(404,),
    ),
    Route(
        "GET",
        "/v1/connections/{connection}/schemas/{schema}/tables",
        "List the tables of a schema",
        places.list_tables,
        answers.Tables,
        asks=True,
        problems=(404,),
    ),
    *BOT_ROUTES,
)
