"""Presses, types and chooses in a card as a person does, and sends of it what the client sends."""

import re
from collections.abc import Mapping
from typing import Any

from tests.platforms.teams.cards.judge import parts_of
from tests.platforms.teams.world import Card

Values = Mapping[str, str | list[str]]


class Impossible(AssertionError):
    """No person could do this: what should be pressed, chosen or typed into is not there, or does not allow it."""


def visible(value: Any) -> Any:
    """Return a card without what is hidden in it."""
    if isinstance(value, list):
        return [visible(each) for each in value if not (isinstance(each, dict) and each.get("isVisible") is False)]
    if isinstance(value, dict):
        return {name: held if name == "data" else visible(held) for name, held in value.items()}
    return value


def find_action(card: Card, name: str) -> dict[str, Any]:
    """Return the action with this title, verb or id in a visible card; Impossible if there is none.

    "Run" is enough for "Run on Shop".
    """
    actions = [part for part in parts_of(card) if str(part.get("type")).startswith("Action.")]
    for action in actions:
        title = str(action.get("title"))
        if name in (title, title.partition(" on ")[0], action.get("verb"), action.get("id")):
            if action.get("isEnabled") is False:
                raise Impossible(f"{name!r} is switched off")
            return action
    raise Impossible(f"there is no {name!r} to press; there are {[each.get('title') for each in actions]}")


def find_input(card: Card, name: str) -> dict[str, Any]:
    """Return the input of this id or label; Impossible if there is none."""
    inputs = inputs_of(card)
    for each in inputs:
        if name in (each.get("id"), each.get("label")):
            return each
    raise Impossible(f"there is no {name!r} to fill in; there are {[each.get('id') for each in inputs]}")


def around(card: Any, action: dict[str, Any]) -> Any:
    """Return a card without those cards of Action.ShowCard in which this action does not stand."""
    if isinstance(card, list):
        return [around(each, action) for each in card]
    if not isinstance(card, dict):
        return card
    inner = card.get("card") if card.get("type") == "Action.ShowCard" else None
    closed = inner is not None and not any(part is action for part in parts_of(inner))
    return {name: around(held, action) for name, held in card.items() if not (closed and name == "card")}


def inputs_of(card: Card) -> list[dict[str, Any]]:
    """Return the inputs of a visible card."""
    return [part for part in parts_of(card) if str(part.get("type")).startswith("Input.")]


def filled(card: Card, values: Values, offered: Mapping[str, str]) -> dict[str, str]:
    """Return what the client sends of the inputs of a visible card, by id; what is empty is left out.

    `values` are keyed by id or label, `offered` holds what a search offered (`input/value`). Raises Impossible where
    the client would show an error in place of sending.
    """
    given = {find_input(card, name)["id"]: value for name, value in values.items()}
    sent = {}
    for field in inputs_of(card):
        id_ = field["id"]
        value = _put(field, given[id_], offered) if id_ in given else _initial(field)
        if field.get("isRequired") and value in ("", field.get("valueOff", "false" if _switch(field) else "")):
            raise Impossible(f"{id_!r} is required: {field.get('errorMessage', 'and has no errorMessage')}")
        if value:
            sent[id_] = value
    return sent


def _switch(field: dict[str, Any]) -> bool:
    return bool(field["type"] == "Input.Toggle")


def _initial(field: dict[str, Any]) -> str:
    if _switch(field):
        return str(field.get("value", field.get("valueOff", "false")))
    value = field.get("value")
    return "" if value is None else str(value)


def _put(field: dict[str, Any], value: str | list[str], offered: Mapping[str, str]) -> str:
    kind = field["type"]
    if kind == "Input.ChoiceSet":
        return _chosen(field, [value] if isinstance(value, str) else value, offered)
    if not isinstance(value, str):
        raise Impossible(f"{field['id']!r} takes one value")
    if _switch(field):
        switch = {field.get("valueOn", "true"), field.get("valueOff", "false")}
        if value not in switch:
            raise Impossible(f"{field['id']!r} takes one of {sorted(switch)}")
    elif kind == "Input.Number":
        _number(field, value)
    elif kind in PATTERNS and value and not re.fullmatch(PATTERNS[kind], value):
        raise Impossible(f"{field['id']!r} takes no {value!r}")
    elif kind == "Input.Text":
        _text(field, value)
    return value


PATTERNS = {"Input.Date": r"\d{4}-\d\d-\d\d", "Input.Time": r"\d\d:\d\d"}


def _chosen(field: dict[str, Any], wanted: list[str], offered: Mapping[str, str]) -> str:
    choices = {str(choice["title"]): str(choice["value"]) for choice in field.get("choices") or []}
    prefix = f"{field['id']}/"
    choices |= {title: key.removeprefix(prefix) for key, title in offered.items() if key.startswith(prefix)}
    choices |= {value: value for value in list(choices.values())}
    strange = [each for each in wanted if each and each not in choices]
    if strange:
        raise Impossible(f"{strange} cannot be chosen in {field['id']!r}; there are {sorted(choices)}")
    if len(wanted) > 1 and not field.get("isMultiSelect"):
        raise Impossible(f"{field['id']!r} takes one choice")
    return ",".join(choices[each] for each in wanted if each)


def _number(field: dict[str, Any], value: str) -> None:
    try:
        number = float(value)
    except ValueError:
        raise Impossible(f"{field['id']!r} takes a number") from None
    if number < field.get("min", number) or number > field.get("max", number):
        raise Impossible(f"{field['id']!r} takes {field.get('min')} to {field.get('max')}")


def _text(field: dict[str, Any], value: str) -> None:
    if len(value) > field.get("maxLength", len(value)):
        raise Impossible(f"{field['id']!r} takes at most {field['maxLength']} characters")
    if "\n" in value and not field.get("isMultiline"):
        raise Impossible(f"{field['id']!r} has one line")
    if value and "regex" in field and not re.search(field["regex"], value):
        raise Impossible(f"{field['id']!r} does not match: {field.get('errorMessage', '')}")
