"""Asking for rows: the SQL is judged and tried out first, and what runs is its checked form."""

from adapters.api.bodies import Read
from adapters.api.call import Call, Done, Site
from adapters.api.jobs import Prepared, asked_for
from adapters.api.places import connection_of, schema_of
from adapters.api.problems import unfit
from router.catalog.connection import Connection
from router.errors import JobFailed, NotAllowed, Stopped
from router.jobs.payloads import READ_SQL
from router.jobs.read_sql import ReadSql, digest
from router.policy import demand_read, may_approve
from router.sql.databases import Estimate
from router.sql.guard import Scope, check

CHANGED = "What runs is the checked form of your SQL, in `sql`: it is spelled anew, without comments."


def read(site: Site, call: Call) -> Done:
    """Have a query run, with the token's person as the one who asks and approves."""
    return asked_for(site, call, _prepared)


def _prepared(site: Site, call: Call, key: str) -> Prepared:
    job, notes = approved(site, call, call.body)
    return READ_SQL.request(job, key), notes


def approved(site: Site, call: Call, asked: Read) -> tuple[ReadSql, list[str]]:
    """Return a query in its checked form as the token's person approves it, and what is worth knowing of it.

    Raises Refused where the guard or the database refuses it, NotAllowed where the person may not approve it.
    """
    connection = connection_of(site, call, asked.connection)
    demand_read(call.user, connection)
    schema = schema_of(site, connection, asked.schema_name)
    site.record("asked", call, connection.name, sql=asked.sql)
    demand_own_approval(site, call, connection, asked.sql)
    verdict = check(asked.sql, schema.dialect, schema.scope)
    if not verdict.allowed:
        site.record("refused", call, connection.name, sql=asked.sql, error=verdict.reason)
        raise unfit(verdict.reason)
    estimate = _tried(site, connection, schema.scope, verdict.sql)
    approval = digest(verdict.sql, connection.name, schema.name, call.user.id)
    site.record("approved", call, connection.name, approver=call.user.id, sql=verdict.sql, digest=approval)
    job = ReadSql(
        connection.name,
        schema.name,
        schema.dialect,
        verdict.sql,
        asker=call.user.id,
        approver=call.user.id,
        approval=approval,
        thread=call.thread,
    )
    return job, _notes(asked.sql, verdict.sql, estimate)


def demand_own_approval(site: Site, call: Call, connection: Connection, sql: str = "", target: str = "") -> None:
    """Do nothing if the person may approve what they ask of this connection; raises NotAllowed."""
    if may_approve(call.user, connection, call.user):
        return
    site.record("refused", call, connection.name, sql=sql, target=target, error="no right to approve")
    raise NotAllowed(
        f"You may not approve what you ask of {connection.label} yourself, and through the API nobody else can. "
        "Nothing was begun. Ask in a talk with the bot, where those who approve see it."
    )


def _tried(site: Site, connection: Connection, scope: Scope, sql: str) -> Estimate:
    try:
        return site.dry_run(connection.name, scope, sql)
    except Stopped:
        raise
    except JobFailed as error:
        raise unfit(str(error)) from error


def _notes(given: str, runs: str, estimate: Estimate) -> list[str]:
    changed = [CHANGED] if runs != given.strip().rstrip(";").rstrip() else []
    several = "" if estimate.rows == 1 else "s"
    rows = [] if estimate.rows is None else [f"The database expects about {estimate.rows:,} row{several}."]
    return [*changed, *rows, *([estimate.note] if estimate.note else [])]
