"""Running an approved query, and showing what came back."""

import re
from dataclasses import replace
from typing import ClassVar, Literal

from router.cards import Buttons, Card, File, Form, Option, Reply, Table, Text
from router.errors import JobFailed, NotAllowed
from router.jobs.feedback import AnsweredQuestion
from router.jobs.lossy_joins import NO_PARTNER, lossy_joins
from router.jobs.payloads import READ_SQL, ref_of
from router.jobs.read_sql import ReadSql
from router.jobs.results.chart import PIE_SLICES_MAX, can_draw, chart_of, kinds_for
from router.jobs.results.export import FORMATS, note_on
from router.jobs.results.pages import not_kept, told_beside
from router.language.wording import counted
from router.machine import Ask, Work
from router.memory.draft import Draft
from router.memory.recurrence import Repeating
from router.memory.thread import Answer, Mailing, Writing
from router.policy import require_approve, require_read
from router.stages.compare.begin import AGAIN, COMPARE, wishes_comparing_again, wishes_comparing_this
from router.stages.planned_steps import Step, next_step
from router.stages.query import own_sql
from router.stages.schedule import REPEAT, begin_repeating, repeat_form, targets
from router.stages.send_email import mail_form
from router.stages.shown import answer_of, named, only_for, require_seen, table_of, title_of, view_of
from router.stages.start import Taken, other_database, take, take_wish
from router.stages.target import write_form
from router.stages.write_or_email import begin_task
from router.stages.write_or_email import ways as destinations
from router.turn import Achieved, Said, Turn
from router.understanding.button_words import takes_back
from router.understanding.sorting import Order, order_of, sort_wish
from router.understanding.steps import read_steps
from router.understanding.typed_sql import TypedSql

Whole = Literal["done", "chart", "share"]
"""The ways to take or leave a result as a whole."""

Leading = Literal["repeat", "compare", "comparison", "again", "somewhere", "unclear"]
"""The ways from a result to something else."""


CHART = Option("chart", "Chart")
DOWNLOADS = (Option("csv", "CSV", group="Download"), Option("xlsx", "Excel", group="Download"))
SHARE = Option(
    "share", "Share in channel", overflow=True, confirm="Everybody in this channel will see these rows. Share them?"
)
KEEP_UNMATCHED = Option("unmatched", f"Keep them as {NO_PARTNER}", "primary")
TABLES_CHANGED = "The tables were changed since, so I can't write the query so that it keeps them. Ask again."
SEEN_ALREADY = "Everybody here can see this result already."
CANNOT_TAKE_BACK = (
    "What was sent or written stays: an e-mail cannot be called back, and I never take rows out of a table. Nothing "
    "else is under way."
)
NO_DIFFERENCES = "There are no rows to show."
NO_ROWS = "The query ran and found no rows. If you expected some, ask for fewer conditions, or in other words."
NONE_JOINED = "The query ran and found no rows: none is left after its joins. What they leave out stands below."
ALL_EMPTY = "All of its values are empty: what you want to know may be kept elsewhere. Ask in other words."


NO_PIE = (
    f"A pie shows the parts of one whole: one column of numbers, 2 to {PIE_SLICES_MAX} rows, none below zero. So I "
    "drew it another way."
)


class ExecuteSql(Work):
    """Run what was approved, and keep the rows."""

    doing = "Running the query…"
    achieves: ClassVar[Achieved] = "rows"

    def work(self, turn: Turn) -> Literal["done"]:
        memory, services, connection = turn.memory, turn.services, turn.connection
        draft, place = memory.draft, memory.place
        if draft.approval is None:
            raise NotAllowed("This SQL was not approved.")
        require_read(turn.owner, connection)
        require_approve(draft.approval.by, connection, turn.owner)
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
        try:
            result = ref_of(turn.does(READ_SQL.request(job, key), draft.approval.by))
        except JobFailed as error:
            memory.draft = replace(draft, failure=str(error))  # the model is told, if it writes another one
            raise
        # An approval is for one run: the same text needs a new Yes to run again.
        memory.draft = replace(draft, approval=None, failure="")
        memory.answer = Answer(memory.draft, place.connection, result, approval=draft.approval)
        memory.draft = replace(memory.draft, plan=())  # it is for these rows, and for none that follow
        memory.written = None
        rows = f"{counted(result.total, 'row')}{', cut' if result.capped else ''}"
        services.feedback.note(
            AnsweredQuestion(
                result.id, thread, turn.owner.id, place.connection, draft.answers, draft.sql, rows, place.schema
            )
        )
        return "done"

    def failed(self, turn: Turn) -> Literal["failed", "own_failed"]:
        draft = turn.memory.draft
        turn.memory.draft = replace(draft, approval=None)
        return "own_failed" if draft.method == "provide" else "failed"


class RunQuery(ExecuteSql):
    """Run a query of the person's own whose rows are to go somewhere."""

    achieves = "step"

    def failed(self, turn: Turn) -> Literal["own_failed"]:
        turn.memory.draft = replace(turn.memory.draft, approval=None)
        return "own_failed"


class ShowResults(Ask):
    """Show the rows, page by page, and ask what to do with them."""

    card = "rows"
    accepts = frozenset(["done", "next"])
    takes_any_text = True
    accepts_definitions = True
    redraws_in_place = True
    help = (
        "Type your next question, or what to do with these rows: `chart`, `download`, `email`, `write`, `repeat`, "
        "`compare`. `sort by NAME` sorts them."
    )

    def decide_unasked(self, turn: Turn) -> Step | None:
        """Go on with what was wished for besides the rows."""
        return next_step(turn, self.ask)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        answer = answer_of(turn)
        require_seen(turn)
        view = view_of(answer)
        if view == turn.memory.view:
            return ()  # it stands above, with its buttons
        table = table_of(turn)
        turn.memory.view = view
        shared = (Text("Only you can see this.", "quiet"),) if only_for(turn) else ()
        said = _odd(table, answer.compared)
        options = tuple(named(option, answer.result) for option in self._ways(turn, table))
        told = (Text(said),) if said else ()
        return (*shared, *told, table, *told_beside(table), Buttons("", options, lasting=True))

    def _ways(self, turn: Turn, table: Table) -> tuple[Option, ...]:
        """Return what can be pressed."""
        answer = answer_of(turn)
        hidden = bool(only_for(turn)) and not answer.shared
        repeats = turn.services.schedules is not None and not answer.compared
        repeat = (replace(REPEAT, form=self._form(turn, REPEAT)),) if repeats else ()
        ways = (
            (KEEP_UNMATCHED,) if table.unmatched else (),
            (Option("previous", "Previous"),) if table.offset else (),
            (Option("next", "Next"),) if table.offset + len(table.rows) < table.total else (),
            (CHART,) if can_draw(answer.result) else (),
            DOWNLOADS if table.total else (),
            (AGAIN,) if answer.compared else (),
            (SHARE,) if hidden else (),
            tuple(replace(way, overflow=True, form=self._form(turn, way)) for way in destinations(turn)),
            repeat,
            () if answer.compared else (COMPARE,),
            other_database(turn),
            (Option("done", "Done", overflow=True),),
        )
        return tuple(option for some in ways for option in some)

    def _form(self, turn: Turn, way: Option) -> Form | None:
        """Return the form of what can be done with the rows; None if more than that is asked first."""
        match way.answer:
            case "write":
                return write_form(turn, Writing())
            case "repeat":
                return repeat_form(turn, Repeating(to=targets(turn)[0]))
            case "email":
                return mail_form(turn, Mailing())
        return None

    def only_for(self, turn: Turn) -> str:
        """Return the asker's id if the connection or the channel keeps results private."""
        return only_for(turn)

    def answer(self, turn: Turn) -> Leading | Step | Whole | Taken | Literal["page", "file", "database"]:
        if isinstance(turn.incoming.input, Said) and takes_back(turn.text):
            return turn.unclear(CANNOT_TAKE_BACK)
        if turn.word("unmatched") and answer_of(turn).result.unmatched:
            return _with_unmatched(turn)
        word: Whole | None = turn.word("done", "chart", "share")
        if word:
            turn.memory.form = ""
            return word
        if way := _leading_on(turn):
            return way
        if turn.word("database"):
            turn.memory.choosing = "database"
            turn.memory.draft = Draft()
            return "database"
        if page := _paged(turn):
            return page
        if form := turn.word(*FORMATS):
            turn.memory.form = form
            return "file"
        return take_wish(turn) or take(turn) or turn.unclear("I didn't understand that here.")


def _odd(table: Table, compared: bool) -> str:
    """Return what is to be said of rows that say nothing; "" if they look right."""
    if not table.total:
        return NO_DIFFERENCES if compared else NONE_JOINED if table.unmatched else NO_ROWS
    empty = table.total == len(table.rows) and all(cell is None for row in table.rows for cell in row)
    return ALL_EMPTY if empty and not compared else ""


def _with_unmatched(turn: Turn) -> Literal["sql", "unclear"]:
    """Put the query with LEFT JOINs in place of it, for a person to approve."""
    draft, found = answer_of(turn).draft, lossy_joins(answer_of(turn).draft.sql, turn.schema())
    if found is None:
        return turn.unclear(TABLES_CHANGED)
    turn.memory.draft = replace(draft, plan=())
    turn.memory.draft = own_sql(turn, TypedSql(found.kept))
    return "sql"


def _leading_on(turn: Turn) -> Leading | None:
    """Begin what the person wants done with the result by its button, or compared; None for all else."""
    if turn.word("repeat"):
        begin_repeating(turn)
        return "repeat"
    if isinstance(turn.incoming.input, Said) and read_steps(turn.text).steps:
        return None  # several wishes are shown as a plan first
    if wishes_comparing_again(turn):
        return "again"
    if compared := wishes_comparing_this(turn):
        return compared
    task: Literal["write", "email"] | None = turn.word("write", "email")
    if task:
        begin_task(turn, task)
        return "somewhere"
    return "somewhere" if turn.word("somewhere") else None


_SORT_BUTTON = re.compile(r"sort:(\d+):(up|down)")


def _paged(turn: Turn) -> Literal["page", "unclear"] | None:
    """Turn the page: `sort:2:down` from a pressed column head, `sort by revenue desc` typed, or the next rows."""
    answer, columns = answer_of(turn), answer_of(turn).result.columns
    pressed = _SORT_BUTTON.fullmatch(turn.text)
    order: Order | None = None
    if pressed and int(pressed[1]) < len(columns):
        order = (int(pressed[1]), "down" if pressed[2] == "down" else "up")
    elif wish := sort_wish(turn.text) if isinstance(turn.incoming.input, Said) else None:
        order = order_of(wish, columns, answer.sort)  # else the question is asked once more, in that order
    if order:
        if order == answer.sort:
            return turn.unclear("The rows are in that order already.")
        turn.memory.answer = replace(answer, sort=order, offset=0)
        return "page"
    way, shown = turn.word("next", "previous"), (turn.results, answer.result.id, answer.offset, answer.sort)
    if way is None:
        return None
    if way == "next":
        offset = answer.offset + len(turn.services.page_at(*shown).rows)
    else:
        offset = turn.services.offset_before(*shown) if answer.offset else -1
    if not 0 <= offset < answer.result.total:
        return turn.unclear("There are no more rows that way.")
    turn.memory.answer = replace(answer, offset=offset)
    return "page"


# Exports of a result: a file, a chart, or a look at it for everybody.


class WriteFile(Work):
    """Write the result as a file, and hand it over."""

    doing = "Writing the file…"

    def work(self, turn: Turn) -> Literal["written"]:
        answer, form = answer_of(turn), turn.memory.form
        require_seen(turn)
        name = f"result-{turn.services.clock():%Y-%m-%d-%H%M}.{form}"
        path = turn.results.file(
            answer.result, form, lambda rows: turn.progress(f"{rows:,} rows written…"), answer.sort
        )
        turn.record("exported", sql=answer.draft.sql, rows=answer.result.total)
        file = File(name, path, FORMATS[form], answer.connection, answer.result.id)
        missing = not_kept(answer.result)
        cut = (Text(f"About the file: {missing}", "quiet", answer.connection),) if missing else ()
        turn.notes += (file, *cut)
        if note := note_on(path):
            turn.note(note, "quiet")
        return "written"


class DrawChart(Work):
    """Draw the result as a chart, of the kind that was wished for, and leave it in the thread."""

    doing = "Drawing the chart…"

    def work(self, turn: Turn) -> Literal["drawn"]:
        answer = answer_of(turn)
        require_seen(turn)
        chart = chart_of(turn.results, answer.result, title_of(answer.draft), answer.sort)
        kinds = kinds_for(chart)
        if turn.memory.form == "pie" and "pie" not in kinds:
            turn.note(NO_PIE, "quiet")
        chart = replace(chart, kind=next((kind for kind in kinds if kind == turn.memory.form), chart.kind))
        turn.record("charted", sql=answer.draft.sql, rows=answer.result.total)
        if answer.result.capped:
            turn.note(f"The chart shows the first {answer.result.total:,} rows; there were more.", "quiet")
        turn.notes.append(replace(chart, connection=answer.connection))
        return "drawn"


class ShareResult(Work):
    """Show a private result to everybody in the thread, as its owner asked."""

    doing = "Sharing the result…"

    def work(self, turn: Turn) -> Literal["shared"]:
        answer = answer_of(turn)
        require_seen(turn)
        if not only_for(turn) or answer.shared:
            turn.note(SEEN_ALREADY)
            return "shared"
        turn.record("shared", sql=answer.draft.sql, rows=answer.result.total)
        table = table_of(turn)
        turn.post(Reply((table, *told_beside(table)), working=True))
        turn.memory.answer = replace(answer, shared=True)
        turn.note("✓ Shared. Everybody here can see it now.")
        return "shared"
