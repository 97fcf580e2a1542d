"""Forms: in a card of their own, or in a dialog that the press of a button opens; what was sent is read here too."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adapters.chat.surface import NotTaken
from adapters.rendering.attachment import Attached
from adapters.rendering.controls import QuestionRef, condition_of
from adapters.rendering.text import label_of, remove_unseen
from adapters.teams.controls import FILL, PRESS, PROMPT_MAX_CHARS, data_of, entries_of, sender
from adapters.teams.dialogs import card_dialog, told_dialog
from adapters.teams.drawing import CardElements, Element, size_of
from adapters.teams.text_elements import draw_alarm, draw_heading, draw_small, paragraphs
from router.cards import Field, Form, Option
from router.language.wording import truncate

TOO_LONG = "This is too long to edit here. Reply with the new version."

DIALOG_MAX_BYTES = 70_000


def field_id(card: int, name: str) -> str:
    """Return the id of a form's field."""
    return f"field:{card}:{name}"


def values_in(form: Form, card: int, data: Mapping[str, Any]) -> dict[str, str]:
    """Return what was put into the fields of a form, by their names; one that is not drawn keeps its value."""
    return {
        field.name: field.value if field.kind == "channel" else str(data.get(field_id(card, field.name)) or "")
        for field in form.fields
    }


def draw_form(card: Form, asked: QuestionRef, most: int) -> CardElements:
    """Draw a form: its inputs, at each what was wrong with it, and the button that sends them.

    With more characters than `most`, it is answered by a message.
    """
    if sum(len(field.value) for field in card.fields) > most:
        return _unformed(card)
    title = remove_unseen(card.title).strip()
    heading = [draw_heading(truncate(title, PROMPT_MAX_CHARS))] if title else []
    return CardElements((*heading, *_inputs(card, asked), sender(card.submit, FILL, asked)))


def _inputs(form: Form, asked: QuestionRef) -> list[Element]:
    """Return the inputs of a form; those that apply only with a value of another one say so in their labels."""
    shown = [field for field in form.fields if field.kind != "channel"]
    return [element for field in shown for element in (*_problem(field), _input(field, form, asked))]


def _problem(field: Field) -> list[Element]:
    problem = remove_unseen(field.problem).strip()
    return [draw_alarm(truncate(problem, PROMPT_MAX_CHARS))] if problem else []


def _input(field: Field, form: Form, asked: QuestionRef) -> Element:
    label = label_of(f"{field.label or field.name}{condition_of(field, form)}", PROMPT_MAX_CHARS)
    shared: Element = {"id": field_id(asked.card, field.name), "label": label}
    if field.value:
        shared["value"] = field.value
    match field.kind:
        case "menu" | "radio":
            style = "expanded" if field.kind == "radio" else "compact"
            return {"type": "Input.ChoiceSet", "style": style, "choices": entries_of(field.options), **shared}
        case "time":
            return {"type": "Input.Time", **shared}
    if remove_unseen(field.hint).strip():
        shared["placeholder"] = label_of(field.hint, PROMPT_MAX_CHARS)
    return {"type": "Input.Text", "isMultiline": field.kind in ("text", "code"), **shared}


def _unformed(card: Form) -> CardElements:
    """Draw a form that does not fit into a card: its longest value is a file, and the answer is typed."""
    wrong = [element for field in card.fields for element in _problem(field)]
    longest = max(card.fields, key=lambda field: len(field.value))
    file = Attached("query.sql" if longest.kind == "code" else "text.txt", longest.value)
    return CardElements((*wrong, draw_small(TOO_LONG)), (file,))


# Dialogs: what Teams opens over the chat for the person who pressed, and for nobody else.


def form_dialog(form: Form, asked: QuestionRef, message: str, answer: str = "", wrong: str = "") -> dict[str, Any]:
    """Return the answer to Teams that shows a form in a dialog; one that is too large for it says so.

    `message` is the id of the message that it belongs to, `answer` the value of the button that opened it; `wrong` is
    what is said above the inputs.
    """
    data = data_of(asked, FILL, answer or None) | {"m": message}
    said = [draw_alarm(wrong)] if wrong and not any(field.problem for field in form.fields) else []
    shown = card_dialog(form.title, [*said, *_inputs(form, asked)], form.submit, data)
    return shown if size_of(shown) <= DIALOG_MAX_BYTES else told_dialog(wrong or TOO_LONG)


def confirm_dialog(option: Option, asked: QuestionRef, message: str, answer: str) -> dict[str, Any]:
    """Return the answer to Teams that asks in a dialog whether a button was meant."""
    data = data_of(asked, PRESS, answer) | {"m": message}
    return card_dialog(option.label, paragraphs(option.confirm), option.label, data)


def refill(form: Form, values: Mapping[str, str], wrong: NotTaken) -> Form:
    """Return a form with what was typed into it, so that nothing is lost, and with what is wrong at its field."""
    fields = (replace(each, value=values.get(each.name, each.value)) for each in form.fields)
    told = (replace(each, problem=wrong.sentence) if each.name == wrong.field else each for each in fields)
    return replace(form, fields=tuple(told))
