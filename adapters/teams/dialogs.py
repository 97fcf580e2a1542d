"""The answers to invokes that open a dialog of Teams, or end it with a sentence."""

from typing import Any, Final

from adapters.rendering.text import label_of
from adapters.teams.controls import BUTTON_LABEL_MAX_CHARS
from adapters.teams.drawing import Element, adaptive

Json = dict[str, Any]

CARD: Final = "application/vnd.microsoft.card.adaptive"

DIALOG_TITLE_MAX_CHARS: Final = 60
INPUTS_OF_MEDIUM_MAX: Final = 3


def card_dialog(title: str, body: list[Element], submit: str, data: Json | None = None) -> Json:
    """Return the answer that opens a dialog with these elements, and a button that sends its inputs with the data."""
    send = {
        "type": "Action.Submit",
        "id": "send",
        "title": label_of(submit, BUTTON_LABEL_MAX_CHARS),
        "style": "positive",
        **({"data": data} if data else {}),
    }
    card = adaptive([*body, {"type": "ActionSet", "actions": [send]}], label_of(title, DIALOG_TITLE_MAX_CHARS))
    inputs = sum(part["type"].startswith("Input.") for part in body)
    shown = {
        "title": label_of(title, DIALOG_TITLE_MAX_CHARS),
        "height": "medium" if inputs <= INPUTS_OF_MEDIUM_MAX else "large",
        "width": "medium",
        "card": {"contentType": CARD, "content": card},
    }
    return {"status": 200, "body": {"task": {"type": "continue", "value": shown}}}


def told_dialog(sentence: str) -> Json:
    """Return the answer that says something in place of the dialog."""
    return {"status": 200, "body": {"task": {"type": "message", "value": sentence}}}


def text_input(name: str, label: str, most: int, *, value: str = "", placeholder: str = "") -> Element:
    """Return an input of several lines."""
    field: Element = {"type": "Input.Text", "id": name, "label": label, "isMultiline": True, "maxLength": most}
    return field | {key: held for key, held in (("value", value), ("placeholder", placeholder)) if held}
