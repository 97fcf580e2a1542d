"""The result that is on show in a thread: its rows, and who may see them."""

from dataclasses import replace

from router.cards import Table
from router.errors import Unclear
from router.memory import Answer
from router.policy import shown_privately
from router.turn import Turn


def answer_of(turn: Turn) -> Answer:
    """Return the result with the query it came from; raises Unclear where there is none."""
    if turn.memory.answer is None:
        raise Unclear("There is no result to show. Ask a question first.")
    return turn.memory.answer


def table_of(turn: Turn) -> Table:
    """Return the page that is shown of the result; raises JobFailed once it expired."""
    answer = answer_of(turn)
    page = turn.results.page(answer.result, answer.offset, page_length(turn), answer.sort)
    return replace(page, connection=answer.connection)


def page_length(turn: Turn) -> int:
    """Return the number of rows of a page."""
    return turn.tools.page_of(len(answer_of(turn).result.columns))


def only_for(turn: Turn) -> str:
    """Return the id of the only person who may see the result; empty where the whole thread may."""
    answer, tools = answer_of(turn), turn.tools
    connection = tools.connections.demand(answer.connection)
    private = shown_privately(turn.incoming.key, turn.incoming.shared, connection, tools.connections.channels)
    return turn.owner.id if private else ""
