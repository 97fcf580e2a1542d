"""A result on its way somewhere: what its steps share, and which of them comes next.

The next step is decided by what is missing, and by nothing else: a connection, a schema and a table are fetched for a
menu, anything else is asked for, and where nothing is missing the job is the next step.
"""

from typing import Literal

from router.cards import Option
from router.machine import Ask
from router.memory import Mailing, Writing
from router.stages.shown import only_for
from router.turn import Turn

LEAVE = Option("cancel", "Back to the result")

NextOfWriting = Literal[
    "fetch_connections", "fetch_schemas", "fetch_tables", "fetch_columns", "ask_mode", "ask_columns", "write"
]
NextOfMailing = Literal["ask_query", "ask_details", "email"]


class Errand(Ask):
    """A question about where a result shall go; whoever may not see the result does not see it either."""

    def only_for(self, turn: Turn) -> str:
        """Return the asker's id where the result is for them alone."""
        return only_for(turn)


def left(turn: Turn) -> bool:
    """Tell whether the person leaves the errand; it is forgotten then, and the result stays."""
    if not turn.word("cancel"):
        return False
    forget(turn)
    return True


def forget(turn: Turn) -> None:
    """Forget where the result was to go."""
    memory = turn.memory
    if memory.mailing and memory.mailing.place:
        memory.place = memory.mailing.place
    memory.writing = memory.mailing = memory.repeating = None


def next_of_writing(writing: Writing) -> NextOfWriting:
    """Return what is to be done next, so that rows can be written."""
    if not writing.connection:
        return "fetch_connections"
    if not writing.schema:
        return "fetch_schemas"
    if not writing.table:
        return "fetch_tables"
    if writing.columns is None:
        return "fetch_columns"
    if not writing.mode:
        return "ask_mode"
    return "ask_columns" if writing.pairs is None else "write"


def next_of_mailing(mailing: Mailing, written: bool) -> NextOfMailing:
    """Return what is to be done next, so that an e-mail can be sent; `written`: a table may be sent as well."""
    if written and not mailing.asked:
        return "ask_query"
    return "email" if mailing.recipients and mailing.subject and not any(mailing.problem) else "ask_details"
