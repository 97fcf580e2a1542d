"""The result that is on show in a thread: its rows, and who may see them."""

from dataclasses import replace

from router.cards import Option, Table
from router.catalog.connection import Connection
from router.errors import Unclear
from router.jobs.results.cells import line
from router.memory.draft import Draft
from router.memory.thread import Answer, ResultRef
from router.policy import is_shown_privately, require_read
from router.sql.writing.order import ResultField
from router.turn import Turn


def answer_of(turn: Turn) -> Answer:
    """Return the result with the query it came from; raises Unclear if there is none."""
    if turn.memory.answer is None:
        raise Unclear("There's no result to show yet. Ask a question first.")
    return turn.memory.answer


def fields_of(turn: Turn) -> tuple[ResultField, ...]:
    """Return the columns of the result on show, as a table can keep them; a turn reads them once."""
    result = answer_of(turn).result
    if result.id not in turn.fields:
        turn.fields[result.id] = turn.results.fields(result)
    return turn.fields[result.id]


def title_of(draft: Draft) -> str:
    """Return in a line what rows are: what was asked, or what the SQL does if a person changed or typed it."""
    title = line(draft.answers or draft.title, 120)
    return f"{title[:1].upper()}{title[1:]}"


def table_of(turn: Turn) -> Table:
    """Return the page that is shown of the result; raises JobFailed once it expired."""
    answer = answer_of(turn)
    page = turn.services.page_at(turn.results, answer.result.id, answer.offset, answer.sort)
    source = " and ".join(connection.label for connection in sources(turn))
    return replace(page, connection=answer.connection, title=title_of(answer.draft), source=source)


def view_of(answer: Answer) -> str:
    """Return what stands for the page of a result that is shown."""
    return f"{answer.result.id} {answer.offset} {answer.sort}"


def named(option: Option, result: ResultRef) -> Option:
    """Return the button with its result's name, so that it works from every copy of the card."""
    return replace(option, answer=f"{option.answer}@{result.id}")


def only_for(turn: Turn) -> str:
    """Return the id of the only person who may see the result; empty if the whole thread may."""
    return turn.owner.id if any(is_private(turn, connection) for connection in sources(turn)) else ""


def is_private(turn: Turn, connection: Connection) -> bool:
    """Return whether what a connection tells is for the asker alone here."""
    incoming, channels = turn.incoming, turn.services.connections.channels
    return is_shown_privately(incoming.key, incoming.shared, connection, channels)


def sources(turn: Turn) -> tuple[Connection, ...]:
    """Return the connections that the rows came from."""
    answer = answer_of(turn)
    return tuple(map(turn.services.connections.require, (answer.connection, *answer.others)))


def require_seen(turn: Turn) -> None:
    """Raise NotAllowed unless the person who asked may read all that the rows came from."""
    for connection in sources(turn):
        require_read(turn.owner, connection)
