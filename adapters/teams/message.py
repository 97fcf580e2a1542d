"""A reply as an activity: its card or its words, what is marked on it, and how its question was answered."""

from functools import partial
from typing import Any, Final

from adapters.attached import Attached
from adapters.chat.surface import Decision, Shape
from adapters.plain import text_of
from adapters.teams.cards import MOST_BYTES, MOST_LINKS, draw
from adapters.teams.downloads import Downloads
from adapters.teams.drawn import Drawn, Element
from adapters.teams.markdown import escaped
from adapters.teams.marks import marks_of

CARD: Final = "application/vnd.microsoft.card.adaptive"

SIZES: Final = (MOST_BYTES, 28_000, 0)
"""The bytes of a message's card, from the best on, each for where Teams does not take the one before; 0 is no card."""

Json = dict[str, Any]


def draw_message(
    shape: Shape, links: Downloads, line: str = "", most: int = MOST_BYTES
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
        most=most or MOST_BYTES,
    )
    if drawn.card is not None and not most:
        drawn = _in_words(drawn, shape, links)
    if drawn.card is None:
        content: Json = {"text": drawn.text, "textFormat": "markdown"}
    else:
        content = {"attachments": [{"contentType": CARD, "content": drawn.card}]}
    return {"type": "message", "summary": drawn.summary, **content, **marks_of(shape)}, drawn.files


def card_in(message: Json) -> Element | None:
    """Return the Adaptive Card of a message; None where it has none."""
    held = [each["content"] for each in message.get("attachments", []) if each["contentType"] == CARD]
    return held[0] if held else None


def _in_words(drawn: Drawn, shape: Shape, links: Downloads) -> Drawn:
    """Return a message as its text alone, with all of it as a file."""
    whole = Attached("message.txt", text_of(shape.reply))
    files = tuple(dict.fromkeys((*drawn.files, whole)))[-MOST_LINKS:]
    if not links.offered:
        return Drawn(drawn.text, None, files, drawn.summary)
    lines = [f"[{escaped(file.name, 100)}]({links.attached(file, shape.key.channel)})" for file in files]
    return Drawn("\n\n".join((drawn.text, *lines)), summary=drawn.summary)


def _decided(decision: Decision) -> str:
    said = f"✓ {decision.label}" if decision.label else "Answered in the chat"
    return f"{said} · {decision.by.name or 'somebody'} · {decision.at:%H:%M}"
