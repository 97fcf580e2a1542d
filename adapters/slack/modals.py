"""Forms as modals: drawn, read, and told what is wrong."""

from collections.abc import Mapping
from typing import Any

from adapters.rendering.controls import QuestionRef
from adapters.rendering.text import clean
from adapters.slack.drawing import Block
from adapters.slack.menus import FORM, options_of, plain
from adapters.slack.mrkdwn import fitted
from adapters.slack.text_blocks import section
from router.cards import Choice, Field, Form
from router.language.wording import truncate

# Slack's limits of a modal and its inputs.
MODAL_TITLE_MAX_CHARS = 24
MODAL_VALUE_MAX_CHARS = 3_000
MODAL_LABEL_MAX_CHARS = 2_000
ALERT_MAX_CHARS = 200
METADATA_MAX_CHARS = 3_000
FIELD_PROBLEM_MAX_CHARS = 300
"""Characters of what is said below a field; Slack names no limit."""

ASK = "ask"
"""The callback_id of the modal that asks for a question, and the name of its only field is `question`."""


def view_of(form: Form, asked: QuestionRef) -> Block | None:
    """Return the form as a modal; None where a value is too long for it, so that it must be sent as a message."""
    if any(len(field.value) > MODAL_VALUE_MAX_CHARS for field in form.fields):
        return None
    blocks = [block for n, field in enumerate(form.fields) for block in _field(field, first=n == 0)]
    return _modal(
        FORM, str(asked), form.title, form.submit, blocks or [section(fitted(form.title, MODAL_LABEL_MAX_CHARS) or "–")]
    )


def values_of(state_values: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, str]:
    """Return what was put into the fields, by their names."""
    return {name: _value(next(iter(elements.values()), {})) for name, elements in state_values.items()}


def _value(state: Mapping[str, Any]) -> str:
    chosen = state.get("selected_option") or {}
    return str(state.get("value") or chosen.get("value") or "")


def ask_modal(text: str, where: str) -> Block:
    """Return the modal that asks for a question, `text` in it; `where` comes back as its private_metadata."""
    if len(where) > METADATA_MAX_CHARS:
        raise ValueError("a modal carries 3,000 characters at most")
    field = Field("question", "What would you like to know?", "text", text[:MODAL_VALUE_MAX_CHARS])
    return _modal(ASK, where, "Ask a question", "Ask", _field(field, first=True))


def _modal(callback: str, metadata: str, title: str, submit: str, blocks: list[Block]) -> Block:
    return {
        "type": "modal",
        "callback_id": callback,
        "private_metadata": metadata,
        "title": _title(title),
        "submit": _title(submit or "OK"),
        "close": plain("Cancel"),
        "blocks": blocks,
    }


def _title(text: str) -> Block:
    """Return a title, cut at a word where it is too long."""
    text = " ".join(clean(text).split())
    if len(text) > MODAL_TITLE_MAX_CHARS:
        text = text[: text[:MODAL_TITLE_MAX_CHARS].rfind(" ")] if " " in text[8:MODAL_TITLE_MAX_CHARS] else text
    return plain(truncate(text, MODAL_TITLE_MAX_CHARS), MODAL_TITLE_MAX_CHARS)


def _field(field: Field, first: bool) -> list[Block]:
    element: Block = (
        _menu(field)
        if field.kind in ("menu", "radio")
        else {
            "type": "plain_text_input",
            "action_id": field.name,
            "multiline": field.kind in ("text", "code"),
            "focus_on_load": first,
        }
    )
    value = {"initial_value": field.value} if field.value and field.kind not in ("menu", "radio") else {}
    name: Block = {
        "type": "input",
        "block_id": field.name,
        "label": plain(field.label or field.name, MODAL_LABEL_MAX_CHARS),
        "element": element | value,
        "optional": field.optional,
    }
    return [_alert(field.problem), name] if field.problem.strip() else [name]


def _menu(field: Field) -> Block:
    entries = options_of(Choice(field.label, field.options))
    chosen = [entry for option, entry in zip(field.options, entries, strict=True) if option.answer == field.value]
    first = {"initial_option": chosen[0]} if chosen else {}
    return {"type": "static_select", "action_id": field.name, "options": entries, **first}


def _alert(problem: str) -> Block:
    return {"type": "alert", "level": "error", "text": plain(truncate(problem, ALERT_MAX_CHARS), ALERT_MAX_CHARS)}
