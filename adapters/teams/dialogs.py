"""The answers to invokes that open a dialog of Teams, or end it with a sentence."""

from typing import Any, Final

from adapters.teams.drawing import Element
from adapters.teams.message import CARD

Json = dict[str, Any]

SCHEMA: Final = "http://adaptivecards.io/schemas/adaptive-card.json"


def card_dialog(title: str, card: Element) -> Json:
    """Return the answer that opens a dialog with a card."""
    shown = {"title": title, "height": "medium", "width": "medium", "card": {"contentType": CARD, "content": card}}
    return {"status": 200, "body": {"task": {"type": "continue", "value": shown}}}


def told_dialog(sentence: str) -> Json:
    """Return the answer that says something in place of the dialog."""
    return {"status": 200, "body": {"task": {"type": "message", "value": sentence}}}


def input_card(name: str, label: str, action: str, most: int, *, value: str = "", placeholder: str = "") -> Element:
    """Return a card with one input of several lines, and a button that sends it."""
    field: Element = {"type": "Input.Text", "id": name, "label": label, "isMultiline": True, "maxLength": most}
    field |= {key: held for key, held in (("value", value), ("placeholder", placeholder)) if held}
    return {
        "$schema": SCHEMA,
        "type": "AdaptiveCard",
        "version": "1.5",
        "body": [field],
        "actions": [{"type": "Action.Submit", "title": action}],
    }
