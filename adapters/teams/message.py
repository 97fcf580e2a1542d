"""A reply as an activity: its card or its words, what is marked on it, and how its question was answered."""

from collections.abc import Sequence

from adapters.chat.surface import QuestionOutcome, Shape, rated_in
from adapters.rendering.attachment import Attached
from adapters.teams.cards import CARD_MAX_BYTES, FindLink, draw
from adapters.teams.dialogs import CARD
from adapters.teams.json_fields import Json
from router.cards import Card, Chart, Code, Form, Table
from router.language.wording import truncate
from router.memory.thread import ThreadKey

CARD_SIZES_BYTES = (CARD_MAX_BYTES, 26_000, 0)
"""The bytes of a message's card, from the best on; the next is tried if Teams does not take one; 0 is no card."""


def draw_message(shape: Shape, link: FindLink | None, most: int = CARD_MAX_BYTES) -> tuple[Json, tuple[Attached, ...]]:
    """Return a message whose card has at most so many bytes, and the files that belong to it."""
    decision = _decided(shape.decision) if shape.decision else ""
    drawn = draw(shape.reply, shape.key, decision=decision, link=link, most=most)
    content: Json = {"text": drawn.text, "textFormat": "markdown"}
    if drawn.card is not None:
        content = {"attachments": [{"contentType": CARD, "content": drawn.card}]}
    return {"type": "message", "summary": drawn.summary, **content, **annotations_of(shape)}, drawn.files


def _decided(decision: QuestionOutcome) -> str:
    said = f"✓ {decision.label}" if decision.label else "Answered in the chat"
    return f"{said} · {decision.by.name or 'somebody'} · {decision.at:%H:%M}"


# Around a message: that AI wrote it, how sensitive it is, thumbs, and what may be asked next.


SUGGESTIONS_MAX = 3
"""Teams shows the first three, whatever more it is given."""
SUGGESTION_MAX_CHARS = 60
HELP = "help"

HANDLE_WITH_CARE = "Think before you share data from this database."


def annotations_of(shape: Shape) -> Json:
    """Return the fields of an activity that mark a message; the same whenever it is drawn again."""
    reply, marks = shape.reply, Json()
    by_ai = any(map(_is_by_ai, reply.cards))
    if reply.sensitivity or by_ai:
        marks["entities"] = [_entity(by_ai, reply.sensitivity)]
    if rated_in(reply):
        marks["channelData"] = {"feedbackLoop": {"type": "default"}}
    if reply.suggestions and not shape.decision and _is_own_chat(shape.key):
        marks |= draw_suggestions(reply.suggestions)
    return marks


def draw_suggestions(questions: Sequence[str]) -> Json:
    """Return buttons below the message that write a question, or the word for help; for personal chats alone."""
    chosen = [*questions[: SUGGESTIONS_MAX - 1], HELP]
    actions = [{"type": "imBack", "title": truncate(each, SUGGESTION_MAX_CHARS), "value": each} for each in chosen]
    return {"suggestedActions": {"actions": actions}}


def _is_own_chat(key: ThreadKey) -> bool:
    """Return whether a talk is held in a person's own chat, which has no threads."""
    return key.thread == key.channel


def _is_by_ai(card: Card) -> bool:
    """Return whether a card holds SQL, or what SQL found."""
    if isinstance(card, Form):
        return any(field.kind == "code" and field.value for field in card.fields)
    return isinstance(card, Code | Table | Chart)


def _entity(by_ai: bool, sensitivity: str) -> Json:
    """Return the one entity that a message may have for all its labels."""
    entity: Json = {"type": "https://schema.org/Message", "@type": "Message", "@context": "https://schema.org"}
    if by_ai:
        entity["additionalType"] = ["AIGeneratedContent"]
    if sensitivity:
        entity["usageInfo"] = {"@type": "CreativeWork", "name": sensitivity, "description": HANDLE_WITH_CARE}
    return entity
