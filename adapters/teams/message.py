"""A reply as an activity: its card or its words, what is marked on it, and how its question was answered."""

from functools import partial
from typing import Any, Final

from adapters.attached import Attached
from adapters.chat.surface import Decision, Shape
from adapters.teams.cards import draw
from adapters.teams.downloads import Downloads
from adapters.teams.drawn import Element
from adapters.teams.marks import marks_of

CARD: Final = "application/vnd.microsoft.card.adaptive"

Json = dict[str, Any]


def draw_message(shape: Shape, links: Downloads, line: str = "") -> tuple[Json, tuple[Attached, ...]]:
    """Return a message, and the files that its card has no links to.

    With a `line` it is a card that has nothing to press and ends with that, in place of how it was answered.
    """
    drawn = draw(
        shape.reply,
        shape.key,
        decision=line or (_decided(shape.decision) if shape.decision else ""),
        files=links.file if links.offered else None,
        attached=partial(links.attached, channel=shape.key.channel) if links.offered else None,
    )
    if drawn.card is None:
        content: Json = {"text": drawn.text, "textFormat": "markdown"}
    else:
        content = {"attachments": [{"contentType": CARD, "content": drawn.card}]}
    return {"type": "message", "summary": drawn.summary, **content, **marks_of(shape)}, drawn.files


def card_in(message: Json) -> Element | None:
    """Return the Adaptive Card of a message; None where it has none."""
    held = [each["content"] for each in message.get("attachments", []) if each["contentType"] == CARD]
    return held[0] if held else None


def _decided(decision: Decision) -> str:
    said = f"✓ {decision.label}" if decision.label else "Answered in the chat"
    return f"{said} · {decision.by.name or 'somebody'} · {decision.at:%H:%M}"
