"""Forms: in a card of their own, or in a dialog that the press of a button opens; what was sent is read here too."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from adapters.chat.surface import NotTaken
from adapters.rendering.attachment import Attached
from adapters.rendering.controls import QuestionRef
from adapters.rendering.text import clean, label_of
from adapters.teams.controls import (
    BUTTON_LABEL_MAX_CHARS,
    FILL,
    PRESS,
    PROMPT_MAX_CHARS,
    asked_in,
    data_of,
    entries_of,
    execute,
)
from adapters.teams.drawing import CardElements, Element, adaptive, size_of
from adapters.teams.text_elements import alarm, bold, paragraphs, small
from router.cards import Field, Form, Option
from router.language.wording import or_list, truncate

REQUIRED: Final = "Please fill this in."

PEOPLE_OF_CHAT: Final = "graph.microsoft.com/users?scope=currentContext"
"""The people of the chat or channel, whose addresses Teams tells the bot; of others, it tells none."""

TYPED_PEOPLE: Final = "Or type addresses, with commas between"

PICKED_MAX: Final = 50
"""People that are looked up for one field."""

DIALOG_MAX_BYTES: Final = 70_000
DIALOG_TITLE_MAX_CHARS: Final = 60


def field_id(card: int, name: str) -> str:
    """Return the id of a form's field."""
    return f"field:{card}:{name}"


def picker_id(card: int, name: str) -> str:
    """Return the id of the input in which people are picked for a field."""
    return f"people:{card}:{name}"


def values_in(form: Form, card: int, data: Mapping[str, Any]) -> dict[str, str]:
    """Return what was put into the fields of a form, by their names; one that is not drawn keeps its value."""
    return {
        field.name: field.value if field.kind == "channel" else str(data.get(field_id(card, field.name)) or "")
        for field in form.fields
    }


def picked_in(form: Form, card: int, data: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the people that were picked, by the names of the fields: ids of the company's directory."""
    found = {
        field.name: str(data.get(picker_id(card, field.name)) or "").split(",")[:PICKED_MAX]
        for field in form.fields
        if field.kind == "people"
    }
    return {name: tuple(filter(None, ids)) for name, ids in found.items() if any(ids)}


def draw_form(card: Form, asked: QuestionRef, room: int, *, alone: bool, sends: bool = True) -> CardElements:
    """Draw a form in at most `room` bytes: its inputs, at each what was wrong with it, and the button that sends them.

    `alone`: no other inputs are in the message, so that one that is needed cannot hold up others.
    `sends`: there is a button left to send it; without one, it is answered by a message.
    """
    title = [bold(truncate(clean(card.title).strip(), PROMPT_MAX_CHARS))] if clean(card.title).strip() else []
    send = execute(card.submit, f"{FILL}:{asked.card}", data_of(asked, FILL), "primary", inputs="auto")
    part = CardElements((*title, *inputs(card, asked, required=alone), {"type": "ActionSet", "actions": [send]}))
    if sends and size_of(part.elements) <= room:
        return part
    part = unformed(card)
    return part if size_of(part.elements) <= room else CardElements(files=part.files, cut=True)


def inputs(form: Form, asked: QuestionRef, *, required: bool) -> list[Element]:
    """Return the inputs of a form; those that apply only with a value of another one say so in their labels."""
    return [element for field in form.fields for element in _input(field, form, asked, required)]


def _input(field: Field, form: Form, asked: QuestionRef, required: bool) -> list[Element]:
    if field.kind == "channel":
        return []
    name, values = field.when
    picks = field.kind == "people" and asked.key.thread != asked.key.channel
    needed = required and not field.optional and not name and not picks
    shared = {
        "id": field_id(asked.card, field.name),
        "label": label_of(f"{field.label or field.name}{_condition(form, name, values)}", PROMPT_MAX_CHARS),
        **({"isRequired": True, "errorMessage": REQUIRED} if needed else {}),
    }
    problem = clean(field.problem).strip()
    said = [alarm(truncate(problem, PROMPT_MAX_CHARS))] if problem else []
    value = {"value": field.value} if field.value else {}
    hint = {"placeholder": label_of(field.hint, PROMPT_MAX_CHARS)} if clean(field.hint).strip() else {}
    match field.kind:
        case "menu" | "radio":
            style = "expanded" if field.kind == "radio" else "compact"
            shape = {"type": "Input.ChoiceSet", "style": style, "choices": entries_of(field.options)}
            return [*said, {**shape, **shared, **value}]
        case "time":
            return [*said, {"type": "Input.Time", **shared, **value}]
        case "people" if picks:
            typed = _line(shared | {"label": TYPED_PEOPLE}, value | hint)
            return [*said, _picker(field, asked, str(shared["label"])), typed]
        case _:
            return [*said, _line(shared, value | hint, long=field.kind in ("text", "code"))]


def _line(shared: Element, more: Element, *, long: bool = False) -> Element:
    return {"type": "Input.Text", "isMultiline": long, **shared, **more}


def _picker(field: Field, asked: QuestionRef, label: str) -> Element:
    return {
        "type": "Input.ChoiceSet",
        "id": picker_id(asked.card, field.name),
        "label": label,
        "isMultiSelect": True,
        "style": "filtered",
        "placeholder": "Type a name",
        "choices": [],
        "choices.data": {"type": "Data.Query", "dataset": PEOPLE_OF_CHAT},
    }


_BEHIND = re.compile(r",| \(")
"""What parts the name of a choice from what is said of it: "By e-mail, as CSV", "Totals (counts and sums)"."""


def _condition(form: Form, name: str, values: tuple[str, ...]) -> str:
    """Return when a field applies, in words: Teams shows all fields at all times."""
    other = next((field for field in form.fields if field.name == name), None)
    if other is None:
        return ""
    fits = [option for option in other.options if option.answer in values]
    others = [option for option in other.options if option.answer not in values]
    only, told = ("not", others) if 0 < len(others) < len(fits) else ("only", fits)
    begins = dict.fromkeys(_BEHIND.split(option.label)[0] for option in told)
    return f" ({only} for: {or_list(list(begins))})" if begins else ""


def unformed(card: Form) -> CardElements:
    """Draw a form that does not fit into a card: its long values are files, and the answer is typed."""
    wrong = [
        alarm(truncate(clean(field.problem).strip(), PROMPT_MAX_CHARS))
        for field in card.fields
        if field.problem.strip()
    ]
    title = label_of(card.title, PROMPT_MAX_CHARS // 10)
    sentence = f"{title}: this is too long to edit here. Reply with the new version."
    files = [Attached("query.sql" if field.kind == "code" else "text.txt", field.value) for field in card.fields]
    return CardElements((*wrong[:3], small(sentence)), tuple(file for file in files[:1] if file.content))


# Dialogs: what Teams opens over the chat for whoever pressed, and for nobody else.


def form_dialog(form: Form, asked: QuestionRef, message: str, answer: str = "", wrong: str = "") -> Element | None:
    """Return the answer to Teams that shows a form in a dialog, None where it is too large for one.

    `message` is the id of the message that it belongs to, `answer` the value of the button that opened it; `wrong` is
    what is said above the inputs.
    """
    data = data_of(asked, FILL, answer or None) | {"m": message}
    said = [alarm(wrong)] if wrong and not any(field.problem for field in form.fields) else []
    return _dialog(form.title, [*said, *inputs(form, asked, required=True)], form.submit, data, FILL)


def confirm_dialog(option: Option, asked: QuestionRef, message: str, answer: str) -> Element | None:
    """Return the answer to Teams that asks in a dialog whether a button was meant."""
    data = data_of(asked, PRESS, answer) | {"m": message}
    return _dialog(option.label, paragraphs(option.confirm), option.label, data, PRESS)


def _dialog(title: str, body: list[Element], submit: str, data: dict[str, Any], verb: str) -> Element | None:
    send = {
        "type": "Action.Submit",
        "id": f"{verb}:{asked_in(data)[1].card}",
        "title": label_of(submit, BUTTON_LABEL_MAX_CHARS),
        "style": "positive",
        "data": data,
    }
    card = adaptive([*body, {"type": "ActionSet", "actions": [send]}], label_of(title, DIALOG_TITLE_MAX_CHARS))
    if size_of(card) > DIALOG_MAX_BYTES:
        return None
    held = {"contentType": "application/vnd.microsoft.card.adaptive", "content": card}
    size = "large" if sum(part["type"].startswith("Input.") for part in body) > 3 else "medium"
    info = {"title": label_of(title, DIALOG_TITLE_MAX_CHARS), "height": size, "width": "medium", "card": held}
    return {"task": {"type": "continue", "value": info}}


def told(sentence: str) -> Element:
    """Return the answer to Teams that says a sentence in the dialog, in place of what is in it."""
    return {"task": {"type": "message", "value": sentence}}


def filled_again(form: Form, values: Mapping[str, str], wrong: NotTaken) -> Form:
    """Return a form with what was typed into it, so that nothing is lost, and with what is wrong at its field."""
    fields = (replace(each, value=values.get(each.name, each.value)) for each in form.fields)
    told = (replace(each, problem=wrong.sentence) if each.name == wrong.field else each for each in fields)
    return replace(form, fields=tuple(told))
