"""What Teams shows around a message: that AI wrote it, how sensitive it is, thumbs, and what may be asked next."""

from collections.abc import Sequence
from typing import Any, Final

from adapters.chat.replies import rated_in
from adapters.chat.surface import Shape
from adapters.fitting import cut
from router.cards import Card, Chart, Code, Form, Table
from router.memory import ThreadKey

MOST_SUGGESTIONS: Final = 3
"""Teams shows the first three, whatever more it is given."""
LONGEST_SUGGESTION: Final = 60
HELP: Final = "help"

HANDLE_WITH_CARE: Final = "Whoever runs this bot labelled what comes from this database so. Think before you share it."

Json = dict[str, Any]


def marks_of(shape: Shape) -> Json:
    """Return the fields of an activity that mark a message; the same whenever it is drawn anew."""
    reply, marks = shape.reply, Json()
    if reply.sensitivity or any(map(_by_ai, reply.cards)):
        marks["entities"] = [_entity(any(map(_by_ai, reply.cards)), reply.sensitivity)]
    if rated_in(reply):
        marks["channelData"] = {"feedbackLoop": {"type": "default"}}
    if reply.suggestions and not shape.decision and _alone(shape.key):
        marks |= suggested(reply.suggestions)
    return marks


def suggested(questions: Sequence[str]) -> Json:
    """Return buttons below the message that write a question, or the word for help; for personal chats alone."""
    chosen = [*questions[: MOST_SUGGESTIONS - 1], HELP]
    actions = [{"type": "imBack", "title": cut(each, LONGEST_SUGGESTION), "value": each} for each in chosen]
    return {"suggestedActions": {"actions": actions}}


def _alone(key: ThreadKey) -> bool:
    """Tell whether a talk is held in a person's own chat, which has no threads."""
    return key.thread == key.channel


def _by_ai(card: Card) -> bool:
    """Tell whether a card holds SQL, or what SQL found."""
    return isinstance(card, Code | Table | Chart) or (
        isinstance(card, Form) and any(field.kind == "code" and field.value for field in card.fields)
    )


def _entity(by_ai: bool, sensitivity: str) -> Json:
    """Return the one entity that a message may have for all its labels."""
    entity: Json = {"type": "https://schema.org/Message", "@type": "Message", "@context": "https://schema.org"}
    if by_ai:
        entity["additionalType"] = ["AIGeneratedContent"]
    if sensitivity:
        entity["usageInfo"] = {"@type": "CreativeWork", "name": sensitivity, "description": HANDLE_WITH_CARE}
    return entity
