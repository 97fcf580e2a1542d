"""Forms: in a card of their own, or in a dialog that the press of a button opens; what was sent is read here too."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from adapters.chat.surface import NotTaken
from adapters.rendering.attachment import Attached
from adapters.rendering.controls import QuestionRef
from adapters.rendering.text import clean, label_of
from adapters.teams.controls import FILL, PRESS, PROMPT_MAX_CHARS, data_of, entries_of, sender
from adapters.teams.dialogs import card_dialog, told_dialog
from adapters.teams.drawing import CardElements, Element, size_of
from adapters.teams.text_elements import alarm, bold, paragraphs, small
from router.cards import Field, Form, Option
from router.language.wording import or_list, truncate

REQUIRED: Final = "Please fill this in."
TOO_LONG: Final = "This is too long to edit here. Reply with the new version."

PEOPLE_OF_CHAT: Final = "graph.microsoft.com/users?scope=currentContext"
"""The people of the chat or channel, whose addresses Teams tells the bot; of others, it tells none."""

TYPED_PEOPLE: Final = "Or type addresses, with commas between"

PICKED_MAX: Final = 50
"""People that are looked up for one field."""

DIALOG_MAX_BYTES: Final = 70_000


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


def picked_in(form: Form, card: int, data: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the people that were picked, by the names of the fields: ids of the company's directory."""
    picked = {}
    for field in form.fields:
        ids = str(data.get(picker_id(card, field.name)) or "").split(",")[:PICKED_MAX]
        if field.kind == "people" and any(ids):
            picked[field.name] = list(filter(None, ids))
    return picked


def draw_form(card: Form, asked: QuestionRef, most: int, *, alone: bool) -> CardElements:
    """Draw a form: its inputs, at each what was wrong with it, and the button that sends them.

    With more characters than `most`, it is answered by a message. `alone`: no other inputs are in the message, so that
    one that is needed cannot hold up others.
    """
    if sum(len(field.value) for field in card.fields) > most:
        return _unformed(card)
    title = clean(card.title).strip()
    heading = [bold(truncate(title, PROMPT_MAX_CHARS))] if title else []
    return CardElements((*heading, *_inputs(card, asked, required=alone), sender(card.submit, FILL, asked)))


def _inputs(form: Form, asked: QuestionRef, *, required: bool) -> list[Element]:
    """Return the inputs of a form; those that apply only with a value of another one say so in their labels."""
    shown = [field for field in form.fields if field.kind != "channel"]
    return [element for field in shown for element in (*_problem(field), *_input(field, form, asked, required))]


def _problem(field: Field) -> list[Element]:
    problem = clean(field.problem).strip()
    return [alarm(truncate(problem, PROMPT_MAX_CHARS))] if problem else []


def _input(field: Field, form: Form, asked: QuestionRef, required: bool) -> list[Element]:
    picks = field.kind == "people" and asked.key.thread != asked.key.channel
    needed = required and not field.optional and not field.when[0] and not picks
    label = label_of(f"{field.label or field.name}{_condition(field, form)}", PROMPT_MAX_CHARS)
    shared: Element = {"id": field_id(asked.card, field.name), "label": label}
    if needed:
        shared |= {"isRequired": True, "errorMessage": REQUIRED}
    if field.value:
        shared["value"] = field.value
    match field.kind:
        case "menu" | "radio":
            style = "expanded" if field.kind == "radio" else "compact"
            return [{"type": "Input.ChoiceSet", "style": style, "choices": entries_of(field.options), **shared}]
        case "time":
            return [{"type": "Input.Time", **shared}]
    if clean(field.hint).strip():
        shared["placeholder"] = label_of(field.hint, PROMPT_MAX_CHARS)
    typed = {"type": "Input.Text", "isMultiline": field.kind in ("text", "code"), **shared}
    return [_picker(field, asked, label), typed | {"label": TYPED_PEOPLE}] if picks else [typed]


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


def _condition(field: Field, form: Form) -> str:
    """Return when a field applies, in words: Teams shows all fields at all times."""
    name, values = field.when
    options = next((other.options for other in form.fields if other.name == name), ())
    fits = [option for option in options if option.answer in values]
    others = [option for option in options if option.answer not in values]
    word, told = ("not", others) if 0 < len(others) < len(fits) else ("only", fits)
    begins = dict.fromkeys(_BEHIND.split(option.label)[0] for option in told)
    return f" ({word} for: {or_list(list(begins))})" if begins else ""


def _unformed(card: Form) -> CardElements:
    """Draw a form that does not fit into a card: its first long value is a file, and the answer is typed."""
    wrong = [element for field in card.fields for element in _problem(field)]
    sentence = f"{label_of(card.title, PROMPT_MAX_CHARS // 10)}: {TOO_LONG[0].lower()}{TOO_LONG[1:]}"
    files = [Attached("query.sql" if field.kind == "code" else "text.txt", field.value) for field in card.fields]
    return CardElements((*wrong[:3], small(sentence)), tuple(file for file in files[:1] if file.content))


# Dialogs: what Teams opens over the chat for the person who pressed, and for nobody else.


def form_dialog(form: Form, asked: QuestionRef, message: str, answer: str = "", wrong: str = "") -> dict[str, Any]:
    """Return the answer to Teams that shows a form in a dialog; one that is too large for it says so.

    `message` is the id of the message that it belongs to, `answer` the value of the button that opened it; `wrong` is
    what is said above the inputs.
    """
    data = data_of(asked, FILL, answer or None) | {"m": message}
    said = [alarm(wrong)] if wrong and not any(field.problem for field in form.fields) else []
    shown = card_dialog(form.title, [*said, *_inputs(form, asked, required=True)], form.submit, data)
    return shown if size_of(shown) <= DIALOG_MAX_BYTES else told_dialog(wrong or TOO_LONG)


def confirm_dialog(option: Option, asked: QuestionRef, message: str, answer: str) -> dict[str, Any]:
    """Return the answer to Teams that asks in a dialog whether a button was meant."""
    data = data_of(asked, PRESS, answer) | {"m": message}
    return card_dialog(option.label, paragraphs(option.confirm), option.label, data)


def filled_again(form: Form, values: Mapping[str, str], wrong: NotTaken) -> Form:
    """Return a form with what was typed into it, so that nothing is lost, and with what is wrong at its field."""
    fields = (replace(each, value=values.get(each.name, each.value)) for each in form.fields)
    told = (replace(each, problem=wrong.sentence) if each.name == wrong.field else each for each in fields)
    return replace(form, fields=tuple(told))
