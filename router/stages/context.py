"""What a message is understood by, from the talk in which it was typed."""

from router.intents.following.database import homes_in
from router.intents.understood import Context, asked_of
from router.turn import Turn


def context_of(turn: Turn) -> Context:
    """Return the context of the message that is to be understood; of the database, once the talk is about a schema."""
    memory, place = turn.memory, turn.memory.place
    words = turn.tools.catalog.known_words(place.connection, place.schema)
    before, shown = memory.understanding.before, [memory.answer, *(step.answer for step in reversed(memory.trail))]
    drafts = [(draft.question, draft.sql) for draft in (before, *(each.draft for each in shown if each))]
    asked = asked_of(drafts, words, turn.connection.dialect.name) if any(text for text, _ in drafts) else ()

    def homes(text: str) -> frozenset[str]:
        return homes_in(turn.values())(text) if place.schema else frozenset()

    return Context(asked, words, homes, bool(before.sql or memory.answer), tuple(memory.intended))
