"""Forms as modals: drawn, read, and told what is wrong."""

import re
from collections.abc import Mapping
from typing import Any

from adapters.rendering.controls import QuestionRef, condition_of, first_words
from adapters.rendering.text import remove_unseen
from adapters.slack.drawing import Block
from adapters.slack.menus import FORM, options_of, plain
from adapters.slack.mrkdwn import fit
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

RADIO_OPTIONS_MAX = 10

TYPED_ADDRESSES = "Or type addresses, with commas between"

_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")

ASK = "ask"
"""The callback_id of the modal that asks for a question, and the name of its only field is `question`."""


def view_of(form: Form, asked: QuestionRef, answer: str = "") -> Block | None:
    """Return the form as a modal; None if a value is too long for it, so that it must be sent as a message.

    `answer` is that of the button which opens it.
    """
    metadata = f"{asked}\n{answer}" if answer else str(asked)
    if not fits(form) or len(metadata) > METADATA_MAX_CHARS:
        return None
    blocks = [block for n, field in enumerate(form.fields) for block in _field(field, form, first=n == 0)]
    shown = blocks or [section(fit(form.title, MODAL_LABEL_MAX_CHARS) or "–")]
    return _modal(FORM, metadata, form.title, form.submit, shown) | {"notify_on_close": True}


def fits(form: Form) -> bool:
    """Return whether the form's values fit into a modal."""
    return all(len(field.value) <= MODAL_VALUE_MAX_CHARS for field in form.fields)


def opened_by(metadata: str) -> tuple[str, str]:
    """Return the question of a modal, and the answer of the button that opened it."""
    asked, _, answer = metadata.partition("\n")
    return asked, answer


PICKED = "@"
"""Stands behind the name of a field in the id of the block in which people are picked for it."""


def values_of(state_values: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, str]:
    """Return what was put into the fields, by their names; people who were picked are told by `picked_in`."""
    return {
        name: _value(next(iter(elements.values()), {}))
        for name, elements in state_values.items()
        if not name.endswith(PICKED)
    }


def picked_in(state_values: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, tuple[str, ...]]:
    """Return Slack's ids of the people who were picked, by the names of the fields."""
    return {
        name.removesuffix(PICKED): tuple(next(iter(elements.values()), {}).get("selected_users") or ())
        for name, elements in state_values.items()
        if name.endswith(PICKED)
    }


def _value(state: Mapping[str, Any]) -> str:
    chosen = state.get("selected_option") or {}
    given = state.get("value") or chosen.get("value") or state.get("selected_time")
    return str(given or state.get("selected_conversation") or "")


def ask_modal(text: str, where: str) -> Block:
    """Return the modal that asks for a question, `text` in it; `where` comes back as its private_metadata."""
    if len(where) > METADATA_MAX_CHARS:
        raise ValueError("a modal carries 3,000 characters at most")
    field = Field("question", "What would you like to know?", "text", text[:MODAL_VALUE_MAX_CHARS])
    form = Form("Ask a question", (field,), "Ask")
    return _modal(ASK, where, form.title, form.submit, _field(field, form, first=True))


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
    """Return a title, cut at a word if it is too long."""
    return plain(first_words(remove_unseen(text), MODAL_TITLE_MAX_CHARS), MODAL_TITLE_MAX_CHARS)


def _field(field: Field, form: Form, first: bool) -> list[Block]:
    """Return a field as inputs; one that applies only with a value of another one says so in its label."""
    element = _element(field)
    if element["type"] == "plain_text_input":
        element["focus_on_load"] = first
    drawn: Block = {
        "type": "input",
        "block_id": field.name,
        "label": plain(f"{field.label or field.name}{condition_of(field, form)}", MODAL_LABEL_MAX_CHARS),
        "element": element,
        "optional": field.optional or bool(field.when[0]),
        **({"hint": plain(field.hint, MODAL_LABEL_MAX_CHARS)} if field.hint else {}),
    }
    blocks = [drawn]
    if field.kind == "people":
        # People of the workspace are picked, and others are typed; which of both is needed is said once it is sent.
        picker = {"type": "multi_users_select", "action_id": f"{field.name}{PICKED}"}
        picked = drawn | {"block_id": f"{field.name}{PICKED}", "element": picker, "optional": True}
        picked.pop("hint", None)
        blocks = [picked, drawn | {"label": plain(TYPED_ADDRESSES), "optional": True}]
    return [_alert(field.problem), *blocks] if field.problem.strip() else blocks


def _element(field: Field) -> Block:
    match field.kind:
        case "menu" | "radio":
            return _menu(field)
        case "time":
            initial = {"initial_time": field.value} if _TIME.fullmatch(field.value) else {}
            return {"type": "timepicker", "action_id": field.name, **initial}
        case "channel":
            chosen = {"initial_conversation": field.value} if field.value else {}
            only = {"include": ["public", "private"], "exclude_bot_users": True}
            return {"type": "conversations_select", "action_id": field.name, "filter": only, **chosen}
        case _:
            several = field.kind in ("text", "code")
            initial = {"initial_value": field.value} if field.value else {}
            return {"type": "plain_text_input", "action_id": field.name, "multiline": several, **initial}


def _menu(field: Field) -> Block:
    entries = options_of(Choice(field.label, field.options))
    chosen = [entry for option, entry in zip(field.options, entries, strict=True) if option.answer == field.value]
    first = {"initial_option": chosen[0]} if chosen else {}
    kind = "radio_buttons" if field.kind == "radio" and len(entries) <= RADIO_OPTIONS_MAX else "static_select"
    return {"type": kind, "action_id": field.name, "options": entries, **first}


def _alert(problem: str) -> Block:
    return {"type": "alert", "level": "error", "text": plain(truncate(problem, ALERT_MAX_CHARS), ALERT_MAX_CHARS)}
