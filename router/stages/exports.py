"""Exports of a result: a file, a chart, or a look at it for everybody."""

from dataclasses import replace
from typing import Literal

from router.cards import File, Reply, Text
from router.jobs.results.chart import chart_of
from router.jobs.results.export import FORMATS
from router.jobs.results.pages import not_kept, told_beside
from router.machine import Work
from router.stages.shown import answer_of, demand_seen, only_for, table_of, title_of
from router.turn import Turn


class WriteFile(Work):
    """Write the result as a file, and hand it over."""

    doing = "Writing the file…"

    def work(self, turn: Turn) -> Literal["written"]:
        answer, form = answer_of(turn), turn.memory.form
        demand_seen(turn)
        name = f"result-{turn.services.clock():%Y-%m-%d-%H%M}.{form}"
        path = turn.results.file(answer.result, form, lambda rows: turn.progress(f"{rows:,} rows written…"))
        turn.record("exported", sql=answer.draft.sql, rows=answer.result.total)
        file = File(name, path, FORMATS[form], answer.connection, answer.result.id)
        missing = not_kept(answer.result)
        cut = (Text(f"About the file: {missing}", "quiet", answer.connection),) if missing else ()
        turn.post(Reply((file, *cut), working=True, to=only_for(turn)))
        return "written"


class DrawChart(Work):
    """Draw the result as a chart, and leave it in the thread."""

    doing = "Drawing the chart…"

    def work(self, turn: Turn) -> Literal["drawn"]:
        answer = answer_of(turn)
        demand_seen(turn)
        chart = chart_of(turn.results, answer.result, title_of(answer.draft))
        turn.record("charted", sql=answer.draft.sql, rows=answer.result.total)
        if answer.result.capped:
            turn.note(f"The chart shows the first {answer.result.total:,} rows; there were more.", "quiet")
        turn.post(Reply((replace(chart, connection=answer.connection),), working=True, to=only_for(turn)))
        return "drawn"


class ShareResult(Work):
    """Show a private result to everybody in the thread, as its owner asked."""

    doing = "Sharing the result…"

    def work(self, turn: Turn) -> Literal["shared"]:
        answer = answer_of(turn)
        demand_seen(turn)
        turn.record("shared", sql=answer.draft.sql, rows=answer.result.total)
        asked = (Text(f"Asked: {answer.draft.answers}"),) if answer.draft.answers else ()
        table = table_of(turn)
        turn.post(Reply((*asked, table, *told_beside(table)), working=True))
        turn.memory.answer = replace(answer, shared=True)
        return "shared"
