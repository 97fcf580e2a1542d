"""A reply as an activity: its card or its words, what is marked on it, and how its question was answered."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from adapters.chat.surface import QuestionOutcome, Shape, rated_in
from adapters.rendering.attachment import Attached
from adapters.rendering.plain_text import text_of
from adapters.teams.audience import ALL, Audience
from adapters.teams.cards import CARD_LINKS_MAX, CARD_MAX_BYTES, draw
from adapters.teams.downloads import Downloads
from adapters.teams.drawing import Element, TeamsMessage
from adapters.teams.markdown import escaped
from router.cards import Card, Chart, Code, Form, Table
from router.language.wording import truncate
from router.memory.thread import ThreadKey

# Around a message: that AI wrote it, how sensitive it is, thumbs, and what may be asked next.


SUGGESTIONS_MAX: Final = 3
"""Teams shows the first three, whatever more it is given."""
SUGGESTION_MAX_CHARS: Final = 60
HELP: Final = "help"

HANDLE_WITH_CARE: Final = "Think before you share data from this database."

Json = dict[str, Any]


def annotations_of(shape: Shape) -> Json:
    """Return the fields of an activity that mark a message; the same whenever it is drawn anew."""
    reply, marks = shape.reply, Json()
    if reply.sensitivity or any(map(_by_ai, reply.cards)):
        marks["entities"] = [_entity(any(map(_by_ai, reply.cards)), reply.sensitivity)]
    if rated_in(reply):
        marks["channelData"] = {"feedbackLoop": {"type": "custom"}}
    if reply.suggestions and not shape.decision and _alone(shape.key):
        marks |= suggested(reply.suggestions)
    return marks


def suggested(questions: Sequence[str]) -> Json:
    """Return buttons below the message that write a question, or the word for help; for personal chats alone."""
    chosen = [*questions[: SUGGESTIONS_MAX - 1], HELP]
    actions = [{"type": "imBack", "title": truncate(each, SUGGESTION_MAX_CHARS), "value": each} for each in chosen]
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


CARD: Final = "application/vnd.microsoft.card.adaptive"

CARD_SIZES_BYTES: Final = (CARD_MAX_BYTES, 28_000, 0)
"""The bytes of a message's card, from the best on, each for where Teams does not take the one before; 0 is no card."""


def draw_message(
    shape: Shape, links: Downloads, line: str = "", most: int = CARD_MAX_BYTES, audience: Audience = ALL
) -> tuple[Json, tuple[Attached, ...]]:
    """Return a message whose card has at most so many bytes, and the files that it has no links to.

    With a `line` it is a card that has nothing to press and ends with that, in place of how it was answered.
    """
    linked = links.offered and most > 0
    drawn = draw(
        shape.reply,
        shape.key,
        decision=line or (_decided(shape.decision) if shape.decision else ""),
        files=links.file if linked else None,
        attached=partial(links.attached, channel=shape.key.channel) if linked else None,
        most=most or CARD_MAX_BYTES,
        audience=audience,
    )
    if drawn.card is not None and not most:
        drawn = _in_words(drawn, shape, links)
    if drawn.card is None:
        content: Json = {"text": drawn.text, "textFormat": "markdown"}
    else:
        content = {"attachments": [{"contentType": CARD, "content": drawn.card}]}
    return {"type": "message", "summary": drawn.summary, **content, **annotations_of(shape)}, drawn.files


def card_in(message: Json) -> Element | None:
    """Return the Adaptive Card of a message; None where it has none."""
    held = [each["content"] for each in message.get("attachments", []) if each["contentType"] == CARD]
    return held[0] if held else None


def _in_words(drawn: TeamsMessage, shape: Shape, links: Downloads) -> TeamsMessage:
    """Return a message as its text alone, with all of it as a file."""
    whole = Attached("message.txt", text_of(shape.reply))
    files = tuple(dict.fromkeys((*drawn.files, whole)))[-CARD_LINKS_MAX:]
    if not links.offered:
        return TeamsMessage(drawn.text, None, files, drawn.summary)
    lines = [f"[{escaped(file.name, 100)}]({links.attached(file, shape.key.channel)})" for file in files]
    return TeamsMessage("\n\n".join((drawn.text, *lines)), summary=drawn.summary)


def _decided(decision: QuestionOutcome) -> str:
    said = f"✓ {decision.label}" if decision.label else "Answered in the chat"
    return f"{said} · {decision.by.name or 'somebody'} · {decision.at:%H:%M}"
