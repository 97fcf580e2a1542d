"""Running an approved query, and showing what came back."""

import re
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, File, Option, Reply, Table, Text
from router.errors import NotAllowed, Unclear
from router.jobs.export import FORMATS, write_file
from router.jobs.feedback import Answered
from router.jobs.read_sql import ReadSql, read_sql
from router.machine import Ask, Work
from router.memory import Answer, Draft
from router.policy import demand_approve, demand_read, shown_privately
from router.stages.start import other_database, take
from router.turn import Turn


class ExecuteSql(Work):
    """Run what was approved, and keep the rows."""

    doing = "Running the query…"

    def work(self, turn: Turn) -> Literal["done"]:
        memory, tools, connection = turn.memory, turn.tools, turn.connection
        draft, place = memory.draft, memory.place
        if draft.approval is None:
            raise NotAllowed("This SQL was not approved.")
        demand_read(turn.owner, connection)
        demand_approve(draft.approval.by, connection, turn.owner)
        scope = tools.catalog.schema(place.connection, place.schema).scope
        job = ReadSql(
            place.connection,
            place.schema,
            connection.dialect.name,
            draft.sql,
            asker=turn.owner.id,
            approver=draft.approval.by.id,
            approval=draft.approval.digest,
            thread=str(turn.incoming.key),
        )
        with tools.catalog.database(place.connection).session(scope) as session:
            turn.runs(session)
            result = read_sql(
                job,
                session=session,
                scope=scope,
                results=tools.results,
                audit=tools.audit,
                cap=connection.max_rows,
                progress=turn.progress,
            )
        # An approval is for one run: the same text needs a new Yes to run again.
        memory.draft = replace(draft, approval=None)
        memory.answer = Answer(memory.draft, place.connection, result)
        rows = f"{result.total} row{'' if result.total == 1 else 's'}{', cut' if result.capped else ''}"
        thread, asker = str(turn.incoming.key), turn.owner.id
        tools.feedback.note(Answered(result.id, thread, asker, place.connection, draft.question, draft.sql, rows))
        return "done"

    def failed(self, turn: Turn) -> Literal["failed", "own_failed"]:
        draft = turn.memory.draft
        turn.memory.draft = replace(draft, approval=None)
        return "own_failed" if draft.method == "provide" else "failed"


class ShowResults(Ask):
    """Show the rows, page by page, and ask what shall become of them."""

    replaces = True
    help = "Type your next question, or press Next, CSV or Excel. `sort by NAME` sorts; `done` ends the talk."

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        answer = _answer(turn)
        demand_read(turn.owner, turn.tools.connections.demand(answer.connection))
        table = _table(turn)
        pages = (
            (Option("previous", "Previous"),) if table.offset else (),
            (Option("next", "Next"),) if table.offset + len(table.rows) < table.total else (),
            (Option("csv", "CSV"), Option("xlsx", "Excel")) if table.total else (),
            (Option("share", "Share in channel"),) if _only_for(turn) else (),
            other_database(turn),
            (Option("done", "Done"),),
        )
        shared = (Text("Only you can see this.", "quiet"),) if _only_for(turn) else ()
        empty = () if table.total else (Text("The query ran, and found no rows."),)
        options = tuple(option for page in pages for option in page)
        return (*shared, *empty, table, Buttons("Ask the next question, or:", options))

    def only_for(self, turn: Turn) -> str:
        """Return the asker's id where the connection or the channel keeps results private."""
        return _only_for(turn)

    def answer(
        self, turn: Turn
    ) -> Literal["page", "file", "share", "write", "email", "question", "sql", "database", "done"]:
        word: Literal["done", "write", "email", "share"] | None = turn.word("done", "write", "email", "share")
        if word == "share" and not _only_for(turn):
            raise Unclear("Everybody here can see this result already.")
        if word:
            return word
        if turn.word("database"):
            turn.memory.choosing = "database"
            turn.memory.draft = Draft()
            return "database"
        if turn.word("next", "previous") or _sorting(turn):
            turn.memory.answer = _turned(turn)
            return "page"
        if form := turn.word(*FORMATS):
            turn.memory.form = form
            return "file"
        taken = take(turn)
        if taken is None:
            raise Unclear("I did not understand that here.")
        return taken


class WriteFile(Work):
    """Write the result as a file, and hand it over."""

    doing = "Writing the file…"

    def work(self, turn: Turn) -> Literal["written"]:
        answer, form = _answer(turn), turn.memory.form
        demand_read(turn.owner, turn.tools.connections.demand(answer.connection))
        name = f"result-{turn.tools.clock():%Y-%m-%d-%H%M}.{form}"
        path = write_file(
            turn.tools.results, answer.result, form, lambda rows: turn.progress(f"{rows:,} rows written…")
        )
        turn.record("exported", sql=answer.draft.sql, rows=answer.result.total)
        file = File(name, path, FORMATS[form], answer.connection)
        turn.post(Reply((file,), working=True, to=_only_for(turn)))
        return "written"


class ShareResult(Work):
    """Show a private result to everybody in the thread, as its owner asked."""

    doing = "Sharing the result…"

    def work(self, turn: Turn) -> Literal["shared"]:
        answer = _answer(turn)
        demand_read(turn.owner, turn.tools.connections.demand(answer.connection))
        turn.record("shared", sql=answer.draft.sql, rows=answer.result.total)
        asked = (Text(f"Asked: {answer.draft.question}"),) if answer.draft.question else ()
        turn.post(Reply((*asked, _table(turn)), working=True))
        return "shared"


class WriteOrEmail(Ask):
    """Lead back to the result: it goes nowhere else yet."""

    help = "Results can be downloaded as CSV or Excel."

    def settle(self, turn: Turn) -> Literal["back"] | None:
        turn.note(
            "From here, a result can be downloaded: press CSV or Excel. It cannot be written to a table or e-mailed "
            "yet."
        )
        return "back"

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return (Buttons("Back to the result?", (Option("back", "Back"),)),)

    def answer(self, turn: Turn) -> Literal["back"]:
        return "back"


def _only_for(turn: Turn) -> str:
    """Return the id of the only person who may see the result; empty where the whole thread may."""
    answer, tools = _answer(turn), turn.tools
    connection = tools.connections.demand(answer.connection)
    private = shown_privately(turn.incoming.key, turn.incoming.shared, connection, tools.connections.channels)
    return turn.owner.id if private else ""


def _table(turn: Turn) -> Table:
    answer = _answer(turn)
    page = turn.tools.results.page(answer.result, answer.offset, _page(turn), answer.sort)
    return replace(page, connection=answer.connection)


def _page(turn: Turn) -> int:
    """Return the number of rows of a page: fewer where there are many columns and the platform takes few cells."""
    tools, columns = turn.tools, len(_answer(turn).result.columns)
    return max(1, min(tools.page, tools.cells // min(columns, 20))) if tools.cells else tools.page


def _answer(turn: Turn) -> Answer:
    if turn.memory.answer is None:
        raise Unclear("There is no result to show. Ask a question first.")
    return turn.memory.answer


_SORT_BUTTON = re.compile(r"sort:(\d+):(up|down)")
_SORT_TYPED = re.compile(r"sort by (.+?)(?: (asc|ascending|up|desc|descending|down))?", re.IGNORECASE)


def _sorting(turn: Turn) -> tuple[int, Literal["up", "down"]] | None:
    """Read `sort:2:down` from a pressed column head, or `sort by revenue desc` from a typed line."""
    columns = _answer(turn).result.columns
    if (pressed := _SORT_BUTTON.fullmatch(turn.text)) and int(pressed[1]) < len(columns):
        return int(pressed[1]), "down" if pressed[2] == "down" else "up"
    typed = _SORT_TYPED.fullmatch(turn.text)
    if typed is None:
        return None
    for index, head in enumerate(columns):
        if head.name.casefold() == typed[1].casefold():
            return index, "down" if (typed[2] or "").lower().startswith("d") else "up"
    raise Unclear(f"There is no column of that name. The columns are: {', '.join(head.name for head in columns)}.")


def _turned(turn: Turn) -> Answer:
    """Return the answer with the page that was asked for."""
    answer, page = _answer(turn), _page(turn)
    if sort := _sorting(turn):
        return replace(answer, sort=sort, offset=0)
    step = page if turn.word("next") else -page
    offset = answer.offset + step
    if not 0 <= offset < max(1, answer.result.total):
        raise Unclear("There are no more rows in that direction.")
    return replace(answer, offset=offset)
