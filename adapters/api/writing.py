"""Asking for rows to be written into a table: what can be seen beforehand to fail is refused, with a sentence."""

from collections.abc import Callable

from adapters.api.bodies import Write
from adapters.api.call import Call, Done, Site
from adapters.api.columns import columns_for
from adapters.api.jobs import Prepared, asked_for
from adapters.api.places import connection_of, schema_of
from adapters.api.problems import Wrong, conflicting, unfit
from adapters.api.rows import result_of
from router.catalog.connection import Connection
from router.catalog.targets import demand_schema
from router.errors import NotAllowed
from router.jobs.cells import line
from router.jobs.kept import CUT_CELLS
from router.jobs.payloads import WRITE_DATA
from router.jobs.write_data import WriteData, digest
from router.policy import demand_write, may_approve_write
from router.sql.writing import Existing, Order, Refusal
from router.sql.writing.names import demand_name, demand_sound

DELETING = ("truncate", "drop")
"""Modes that take rows away: the table's name is said once more."""


def write(site: Site, call: Call) -> Done:
    """Have the rows of a reading written, with the token's person as the one who asks and approves."""
    return asked_for(site, call, _prepared)


def _prepared(site: Site, call: Call, key: str) -> Prepared:
    asked: Write = call.body
    connection = connection_of(site, call, asked.connection)
    demand_write(call.user, connection)
    _demand_own_approval(site, call, connection)
    _, ref, _ = result_of(site, call, asked.result)
    schema = schema_of(site, connection, asked.schema_name).name
    demand_schema(connection, schema)
    _demand_sound(lambda: demand_name(asked.table, "table", connection.dialect.name))
    there = _there(site, call, connection, schema)
    table = there.name if there else asked.table
    columns = columns_for(asked, site.tools.results.fields(ref), there)
    order = Order("check", schema, table, asked.mode, tuple(field for _, field in columns))
    _demand_sound(lambda: demand_sound(order, connection.dialect.name))
    job = WriteData(
        connection.name,
        schema,
        table,
        asked.mode,
        columns,
        ref.id,
        line(asked.name) or table,
        asker=call.user.id,
        approver=call.user.id,
        approval=digest(connection.name, schema, table, asked.mode, columns, ref.id, call.user.id),
        thread=call.thread,
    )
    target = f"{schema}.{table} ({asked.mode})"
    site.record("approved", call, connection.name, approver=call.user.id, digest=job.approval, target=target)
    cut = ["There were more rows than were kept: only these are written."] if ref.capped else []
    cut += [CUT_CELLS] if ref.shortened else []
    return WRITE_DATA.request(job, key), cut


def _demand_own_approval(site: Site, call: Call, connection: Connection) -> None:
    if may_approve_write(call.user, connection, call.user):
        return
    asked: Write = call.body
    site.record("refused", call, connection.name, target=asked.table, error="no right to approve")
    raise NotAllowed(
        f"You may not approve what you write to {connection.label} yourself, and through the API nobody else can. "
        "Nothing was written. Ask in a talk with the bot, where those who approve see it."
    )


def _there(site: Site, call: Call, connection: Connection, schema: str) -> Existing | None:
    """Return the table as it is now; raises Refused where the mode does not go with that."""
    asked: Write = call.body
    there = site.tools.catalog.existing(connection.name, schema, asked.table, call.user)
    name = there.name if there else asked.table
    if there and there.view:
        raise conflicting(f"{name} is a view: rows cannot be written to it. Nothing was written.")
    if there and asked.mode == "create":
        raise conflicting(f"There is a table {name} already. Nothing was written. Take another name, or another mode.")
    if there is None and asked.mode in ("append", "truncate"):
        raise conflicting(f"There is no table {name}. Nothing was written. The mode create makes it.")
    if asked.mode in DELETING and asked.confirm.casefold() != name.casefold():
        sentence = "Must be the table's name: the mode deletes what is in it."
        raise unfit("Rows would be deleted. Nothing was written.", Wrong(field="confirm", sentence=sentence))
    return there


def _demand_sound(demand: Callable[[], None]) -> None:
    try:
        demand()
    except Refusal as error:
        raise unfit(str(error)) from error
