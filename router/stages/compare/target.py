"""The table that the rows of a comparison go to, where somebody wants one, and the name of its job."""

from collections.abc import Mapping
from dataclasses import replace
from textwrap import shorten
from typing import Literal

from router.cards import Buttons, Card, Field, Form, Option
from router.catalog.targets import takes_rows
from router.errors import BotError
from router.machine import Ask, Work
from router.memory.comparing import ReportTarget
from router.policy import writable
from router.stages.compare.forms import WrongField
from router.stages.compare.queries import both_titles
from router.stages.tasks import comparing_of, set_comparing
from router.stages.typed_names import (
    JOB_NAME_MAX_CHARS,
    NO_JOB_NAME,
    NO_TABLE_NAME,
    TABLE_NAME_MAX_CHARS,
    is_name,
    typed_job,
    typed_table,
)
from router.turn import Filled, Turn
from router.understanding.button_words import folded
from router.understanding.values.sentence import unquoted

BACK = Option("back", "Back")


class FetchCompareSchemas(Work):
    """Read which schemas there are to write to."""

    doing = "Looking for schemas…"

    def work(self, turn: Turn) -> Literal["read", "none"]:
        if _schemas(turn):
            return "read"
        turn.note(
            "There's no schema that you can write to. Your administrator can add you to a database's writers.",
            "quiet",
        )
        return "none"


class AskCompareSchema(Ask):
    """Ask for schema, table and job in one form; typed, one after the other."""

    help = "Choose the schema and name a table for the rows of the report. They are written once you approve that."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        found, target = _schemas(turn), comparing_of(turn).target
        options = tuple(Option(_answer(each), _called(turn, each)) for each in found)
        answers = [option.answer for option in options]
        chosen = _answer(target) if _answer(target) in answers else next(iter(answers), "")
        fields = (
            Field("schema", "Schema", "menu", chosen, options=options),
            Field("table", "Table", value=target.table, optional=True),
            job_field(turn),
        )
        none = (Option("none", "No table"),) if target.table else ()
        return (Form("Write the rows of the report to a table", fields), Buttons("", (*none, BACK)))

    def answer(self, turn: Turn) -> Literal["chosen", "none", "unclear"]:
        if turn.word("none"):
            set_comparing(turn, replace(comparing_of(turn), target=ReportTarget()))
            return "none"
        found, given = _schemas(turn), turn.incoming.input
        values = given.values if isinstance(given, Filled) else {}
        wanted = folded(turn.text)
        places = [each for each in found if values.get("schema") == _answer(each)] or [
            each for each in found if wanted in (each.schema.casefold(), _called(turn, each).casefold())
        ]
        if len(places) != 1:
            return turn.unclear("That is not one of the schemas that you may write to.")
        table, name = values.get("table", "").strip(), values.get("name", "").strip()
        if table and not is_name(table, TABLE_NAME_MAX_CHARS):
            return turn.unclear(NO_TABLE_NAME)
        if name and not is_name(name, JOB_NAME_MAX_CHARS):
            return turn.unclear(NO_JOB_NAME)
        set_comparing(turn, replace(comparing_of(turn), target=replace(places[0], table=table), name=name))
        return "chosen"


class AskCompareTable(Ask):
    """Ask for the table, unless the form named it."""

    help = "Type the name of the table that the rows of the report go to; one that is not there is made."

    def settle(self, turn: Turn) -> Literal["named"] | None:
        return "named" if comparing_of(turn).target.table else None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return (Form("Which table should I write to?", (Field("table", "Table"),)), Buttons("", (BACK,)))

    def answer(self, turn: Turn) -> Literal["named", "unclear"]:
        comparing = comparing_of(turn)
        if not (name := typed_table(turn)):
            return turn.unclear(turn.refusal)
        set_comparing(turn, replace(comparing, target=replace(comparing.target, table=name)))
        return "named"


class AskCompareJob(Ask):
    """Ask for the name of the job, unless the form has it."""

    help = "Type the name under which the comparison is listed."

    def settle(self, turn: Turn) -> Literal["named"] | None:
        return "named" if comparing_of(turn).name else None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        field = Field("name", "Name", value=job_of(turn))
        return (Form("What should the job be called?", (field,)), Buttons("", (BACK,)))

    def answer(self, turn: Turn) -> Literal["named", "unclear"]:
        if not (name := typed_job(turn)):
            return turn.unclear(turn.refusal or NO_JOB_NAME)
        set_comparing(turn, replace(comparing_of(turn), name=name))
        return "named"


def job_of(turn: Turn) -> str:
    """Return the name of the job: the one that was given, or what is compared, with the day."""
    compared = both_titles(turn, "and")
    return (
        comparing_of(turn).name
        or f"{shorten(compared, JOB_NAME_MAX_CHARS - 11, placeholder='…')} {turn.services.clock():%Y-%m-%d}"
    )


def job_field(turn: Turn) -> Field:
    """Return the input for the name of the job."""
    return Field("name", "Name of the job", value=job_of(turn), optional=True)


def name_in(turn: Turn, values: Mapping[str, str]) -> str:
    """Return the name that was given to the job, empty where it is the proposed one; raises WrongField."""
    name, given = values.get("name", "").strip(), comparing_of(turn).name
    if name and not is_name(name, JOB_NAME_MAX_CHARS):
        raise WrongField("name", NO_JOB_NAME)
    return given if name == job_of(turn) else name


def table_fields(turn: Turn) -> tuple[Field, ...]:
    """Return the inputs for the table: a line, and a menu where there are several databases to write to."""
    target, allowed = comparing_of(turn).target, writable(turn.services.connections, turn.owner)
    if not allowed:
        return ()
    table = f"{target.schema}.{target.table}" if target.table and target.schema else target.table
    databases = tuple(Option(each.name, each.label) for each in allowed)
    at = target.connection if target.connection in [each.name for each in allowed] else allowed[0].name
    menu = (Field("database", "Database of that table", "menu", at, options=databases),) if len(allowed) > 1 else ()
    hint = "Empty for none, or such as differences_2026 or main.differences_2026"
    return (Field("table", "Write its rows into a table", value=table, optional=True, hint=hint), *menu)


def target_in(turn: Turn, values: Mapping[str, str]) -> ReportTarget:
    """Return the table that was named, in the schema before its first dot or the default one; raises WrongField."""
    before, typed = comparing_of(turn).target, values.get("table", "").strip()
    allowed = {each.name: each for each in writable(turn.services.connections, turn.owner)}
    connection = allowed.get(values.get("database", "")) or next(iter(allowed.values()), None)
    if connection is None or not typed:
        return ReportTarget()
    if (connection.name, typed) == (before.connection, f"{before.schema}.{before.table}"):
        return before
    try:
        names = turn.services.catalog.schemas(connection.name)
    except BotError as error:
        raise WrongField("table", str(error)) from error
    schemas = [each for each in names if takes_rows(connection, each)]
    named = {each.casefold(): each for each in schemas}
    if not schemas:
        raise WrongField("table", f"There's no schema in {connection.label} that you can write to.")
    schema, dot, table = typed.partition(".") if unquoted(typed) == typed else ("", "", typed)
    if dot and schema.casefold() not in named:
        said = (
            f"You can't write to a schema “{schema[:80]}” in {connection.label}. There are: {', '.join(schemas)[:400]}."
        )
        raise WrongField("table", said)
    table = unquoted(table if dot else typed)
    if not is_name(table, TABLE_NAME_MAX_CHARS):
        raise WrongField("table", NO_TABLE_NAME)
    return ReportTarget(connection.name, named[schema.casefold()] if dot else schemas[0], table)


def _schemas(turn: Turn) -> list[ReportTarget]:
    """Return every schema that the person may write to."""
    catalog = turn.services.catalog
    return [
        ReportTarget(connection.name, schema)
        for connection in writable(turn.services.connections, turn.owner)
        for schema in catalog.schemas(connection.name)
        if takes_rows(connection, schema)
    ]


def _called(turn: Turn, place: ReportTarget) -> str:
    return f"{place.schema} ({turn.services.connections.demand(place.connection).label})"


def _answer(place: ReportTarget) -> str:
    """Return what a menu sends for a schema: its names, for there may be others by then."""
    return f"{place.connection} {place.schema}"
