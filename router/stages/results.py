"""Running an approved query, and showing what came back."""

import re
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Option, Text
from router.errors import NotAllowed, Unclear
from router.intents.wishes import wishes_of
from router.jobs.chart import can_draw
from router.jobs.export import FORMATS
from router.jobs.feedback import Answered
from router.jobs.kept import told_beside
from router.jobs.payloads import READ_SQL, ref_of
from router.jobs.read_sql import ReadSql
from router.machine import Ask, Work
from router.memory import Answer, Draft
from router.policy import demand_approve, demand_read
from router.stages.compare_wish import AGAIN, COMPARE, wishes_comparing, wishes_comparing_again, wishes_comparing_this
from router.stages.planned import Step, next_step
from router.stages.repeat import REPEAT, wishes_repeating
from router.stages.shown import answer_of, demand_seen, only_for, page_length, table_of
from router.stages.start import other_database, take
from router.stages.write_or_email import begin, ways, wished
from router.turn import Said, Turn

Taken = Literal["done", "chart", "share"]
"""What can become of a result as a whole."""

Leading = Literal["repeat", "compare", "comparison", "again", "errand", "sentence"]
"""What leads from a result to something else."""


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
        thread = str(turn.incoming.key)
        job = ReadSql(
            place.connection,
            place.schema,
            connection.dialect.name,
            draft.sql,
            asker=turn.owner.id,
            approver=draft.approval.by.id,
            approval=draft.approval.digest,
            thread=thread,
        )
        key = f"{thread} {memory.turn} {draft.approval.at.isoformat()}"
        result = ref_of(turn.does(READ_SQL.request(job, key), draft.approval.by))
        # An approval is for one run: the same text needs a new Yes to run again.
        memory.draft = replace(draft, approval=None)
        memory.answer = Answer(memory.draft, place.connection, result, approval=draft.approval)
        memory.draft = replace(memory.draft, plan=())  # it is for these rows, and for none that follow
        rows = f"{result.total} row{'' if result.total == 1 else 's'}{', cut' if result.capped else ''}"
        tools.feedback.note(
            Answered(result.id, thread, turn.owner.id, place.connection, draft.answers, draft.sql, rows, place.schema)
        )
        return "done"

    def failed(self, turn: Turn) -> Literal["failed", "own_failed"]:
        draft = turn.memory.draft
        turn.memory.draft = replace(draft, approval=None)
        return "own_failed" if draft.method == "provide" else "failed"


class RunQuery(ExecuteSql):
    """Run a query of the person's own whose rows are to go somewhere."""

    def failed(self, turn: Turn) -> Literal["own_failed"]:
        turn.memory.draft = replace(turn.memory.draft, approval=None)
        return "own_failed"


class ShowResults(Ask):
    """Show the rows, page by page, and ask what shall become of them."""

    learns = True
    replaces = True
    help = "Type your next question, or press Next, CSV, Excel or Chart. `sort by NAME` sorts; `done` ends the talk."

    def settle(self, turn: Turn) -> Step | None:
        """Go on with what was wished for besides the rows."""
        return next_step(turn)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        answer = answer_of(turn)
        demand_seen(turn)
        table = table_of(turn)
        pages = (
            (Option("previous", "Previous"),) if table.offset else (),
            (Option("next", "Next"),) if table.offset + len(table.rows) < table.total else (),
            (Option("csv", "CSV"), Option("xlsx", "Excel")) if table.total else (),
            (Option("chart", "Chart", aside=True),) if can_draw(answer.result) else (),
            ways(turn),
            (REPEAT,) if turn.tools.schedules and not answer.compared else (),
            (AGAIN,) if answer.compared else (COMPARE,),
            (Option("share", "Share in channel"),) if only_for(turn) and not answer.shared else (),
            other_database(turn),
            (Option("done", "Done"),),
        )
        shared = (Text("Only you can see this.", "quiet"),) if only_for(turn) else ()
        none = "There are no rows to show." if answer.compared else "The query ran, and found no rows."
        empty = () if table.total else (Text(none),)
        options = tuple(option for page in pages for option in page)
        rows = () if turn.answered else (*shared, *empty, table, *told_beside(table))
        return (*rows, Buttons("Ask the next question, or:", options))

    def only_for(self, turn: Turn) -> str:
        """Return the asker's id where the connection or the channel keeps results private."""
        return only_for(turn)

    def answer(self, turn: Turn) -> Leading | Taken | Literal["page", "file", "question", "sql", "database"]:
        word: Taken | None = turn.word("done", "chart", "share")
        if word == "share" and (not only_for(turn) or answer_of(turn).shared):
            raise Unclear("Everybody here can see this result already.")
        if word:
            return word
        if way := _leading_on(turn):
            return way
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


def _leading_on(turn: Turn) -> Leading | None:
    """Begin what the person wants done with the result: repeated, compared, written or sent; None for anything else."""
    if isinstance(turn.incoming.input, Said) and wishes_of(turn.text)[1]:
        return None  # several wishes are shown as a plan first
    if wishes_repeating(turn):
        if answer_of(turn).compared:
            raise Unclear("A comparison is not repeated by itself. Press Compare again to have it made anew.")
        return "repeat"
    if wishes_comparing_again(turn):
        return "again"
    if wishes_comparing_this(turn):
        return "compare"
    if wishes_comparing(turn):
        return "comparison"
    if turn.word("somewhere"):
        return "errand"
    errand: Literal["write", "email"] | None = turn.word("write", "email")
    if errand:
        begin(turn, errand)
        return "errand"
    return wished(turn)


_SORT_BUTTON = re.compile(r"sort:(\d+):(up|down)")
_SORT_TYPED = re.compile(r"sort by (.+?)(?: (asc|ascending|up|desc|descending|down))?", re.IGNORECASE)


def _sorting(turn: Turn) -> tuple[int, Literal["up", "down"]] | None:
    """Read `sort:2:down` from a pressed column head, or `sort by revenue desc` from a typed line."""
    columns = answer_of(turn).result.columns
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
    answer, page = answer_of(turn), page_length(turn)
    if sort := _sorting(turn):
        return replace(answer, sort=sort, offset=0)
    step = page if turn.word("next") else -page
    offset = answer.offset + step
    if not 0 <= offset < max(1, answer.result.total):
        raise Unclear("There are no more rows in that direction.")
    return replace(answer, offset=offset)
