"""Which rows an e-mail takes along, once a result was written: those on show, or the table as it is now."""

from dataclasses import replace
from typing import Literal

from sqlglot import exp

from router.cards import Buttons, Card, Option
from router.memory import Draft, Mailing, Place, Written
from router.policy import may_read
from router.stages.errand import LEAVE, Errand, left
from router.turn import Turn


class ChooseRows(Errand):
    """Ask which rows are sent: those of the result, or those of the table that it was written to."""

    help = "The result is what you see above; the table is read anew, by a query that you approve first."

    def settle(self, turn: Turn) -> Literal["result"] | None:
        written = turn.memory.written
        if written and may_read(turn.owner, turn.tools.connections.demand(written.connection)):
            return None
        turn.memory.mailing = replace(mailing_of(turn), asked=True)
        return "result"

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        written = turn.memory.written
        assert written
        ways = (
            Option("result", "The result above", "primary"),
            Option("the_table", "The table"),
            LEAVE,
        )
        return (Buttons(f"Which rows shall be e-mailed: the result above, or all of the table {written.table}?", ways),)

    def answer(self, turn: Turn) -> Literal["result", "query", "cancel"]:
        if left(turn):
            return "cancel"
        word, memory = turn.pick("result", "the_table"), turn.memory
        memory.mailing = replace(mailing_of(turn), asked=True)
        if word == "result":
            return "result"
        written = memory.written
        assert written
        memory.mailing = replace(memory.mailing, place=memory.place)
        memory.place = Place(written.connection, written.schema)
        dialect = turn.tools.connections.demand(written.connection).dialect.name
        memory.draft = Draft(method="provide", sql=_whole(written).sql(dialect))
        return "query"


def mailing_of(turn: Turn) -> Mailing:
    """Return what is known of the e-mail."""
    return turn.memory.mailing or Mailing()


def _whole(written: Written) -> exp.Select:
    schema = exp.to_identifier(written.schema, quoted=True) if written.schema else None
    return exp.select("*").from_(exp.Table(this=exp.to_identifier(written.table, quoted=True), db=schema))
