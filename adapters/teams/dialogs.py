"""The answers to invokes that open a dialog of Teams, or end it with a sentence."""

from adapters.rendering.text import label_of
from adapters.teams.controls import BUTTON_LABEL_MAX_CHARS
from adapters.teams.drawing import Element, adaptive
from adapters.teams.json_fields import Json

CARD = "application/vnd.microsoft.card.adaptive"

DIALOG_TITLE_MAX_CHARS = 60


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
    shown = {
        "title": label_of(title, DIALOG_TITLE_MAX_CHARS),
        "height": "medium",
        "width": "medium",
        "card": {"contentType": CARD, "content": card},
    }
    return {"status": 200, "body": {"task": {"type": "continue", "value": shown}}}


def told_dialog(sentence: str) -> Json:
    """Return the answer that says something in place of the dialog."""
    return {"status": 200, "body": {"task": {"type": "message", "value": sentence}}}
