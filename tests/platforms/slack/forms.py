"""Finds, chooses and types in blocks as a person does, and makes the `state.values` that come of it."""

from collections.abc import Iterator
from typing import Any

from tests.platforms.slack.kit.elements import choices

SELECTED = {
    "users": "selected_user",
    "conversations": "selected_conversation",
    "channels": "selected_channel",
}
TYPED = ("plain_text_input", "email_text_input", "url_text_input", "number_input")
PICKED = {"datepicker": "date", "timepicker": "time", "datetimepicker": "date_time"}
STATELESS = ("button", "overflow", "image", "feedback_buttons", "icon_button", "workflow_button")
State = dict[str, dict[str, Any]]


class Impossible(AssertionError):
    """No person could do this: what should be pressed, chosen or typed into is not there, or does not allow it."""


def usable(blocks: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield every element that can be used, with its block."""
    for block in blocks:
        inside = [*block.get("elements", []), block.get("accessory"), block.get("element")]
        for element in inside if block["type"] in ("actions", "context_actions", "section", "input") else []:
            if element is not None and "action_id" in element:
                yield block, element
        yield from usable(block.get("child_blocks", []))


def found(blocks: list[dict[str, Any]], where: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the field or menu that is called so: by label, placeholder, text of the section, block_id or action_id."""
    for block, element in usable(blocks):
        if element["type"] not in STATELESS and where in called(block, element):
            return block, element
    names = [called(block, element)[0] for block, element in usable(blocks) if element["type"] not in STATELESS]
    raise Impossible(f"nothing to fill in is called {where!r}; there are {names}")


def called(block: dict[str, Any], element: dict[str, Any]) -> list[str]:
    """Return all that a field may be called by, what a person reads first."""
    texts = [block.get("label"), element.get("placeholder"), block.get("text"), element.get("text")]
    return [*[text["text"] for text in texts if text], element["action_id"], block["block_id"]]


def empty_state(blocks: list[dict[str, Any]]) -> State:
    """Return what is chosen and typed in blocks that nobody has touched."""
    state: State = {}
    for block, element in usable(blocks):
        if element["type"] not in STATELESS:
            state.setdefault(block["block_id"], {})[element["action_id"]] = _initial(element)
    return state


def kept_state(blocks: list[dict[str, Any]], before: State) -> State:
    """Return the state of new blocks; what was filled in stays where block_id and action_id stayed."""
    state = empty_state(blocks)
    for block_id, actions in state.items():
        for action_id, value in actions.items():
            old = before.get(block_id, {}).get(action_id)
            if old is not None and old["type"] == value["type"]:
                actions[action_id] = old
    return state


def _initial(element: dict[str, Any]) -> dict[str, Any]:
    kind = element["type"]
    name = _slot(kind)
    several = name.endswith("s")
    initial = element.get({"value": "initial_value"}.get(name, name.replace("selected", "initial")))
    return {"type": kind, name: ([] if several else None) if initial is None else initial}


def _slot(kind: str) -> str:
    """Return the field of state.values that holds what is chosen in an element of this kind."""
    if kind in TYPED:
        return "value"
    if kind == "rich_text_input":
        return "rich_text_value"
    if kind == "file_input":
        return "files"
    if kind in PICKED:
        return f"selected_{PICKED[kind]}"
    if kind == "checkboxes":
        return "selected_options"
    plain = kind.removeprefix("multi_").removesuffix("_select")
    name = SELECTED.get(plain, "selected_option")
    return f"{name}s" if kind.startswith("multi_") else name


def put(element: dict[str, Any], value: str | list[str], offered: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """Return the state of an element into which a person put this value.

    Options are named by their text or value; `offered` are those that the app gave for an external menu. Raises
    Impossible for what the element does not let through.
    """
    kind = element["type"]
    name = _slot(kind)
    if kind in TYPED:
        if not isinstance(value, str):
            raise Impossible(f"{kind} takes one text")
        _fits(element, value)
        return {"type": kind, "value": value or None}
    if kind in PICKED:
        return {"type": kind, name: value}
    values = [value] if isinstance(value, str) else list(value)
    if "option" in name:
        chosen: list[Any] = [_option(element, each, offered) for each in values]
    else:
        chosen = list(values)
    if not name.endswith("s"):
        if len(chosen) != 1:
            raise Impossible(f"{kind} takes exactly one value")
        return {"type": kind, name: chosen[0]}
    if len(chosen) > element.get("max_selected_items", 100):
        raise Impossible(f"at most {element['max_selected_items']} can be selected")
    return {"type": kind, name: chosen}


def _fits(element: dict[str, Any], value: str) -> None:
    longest = element.get("max_length", 3000)
    if len(value) > longest:
        raise Impossible(f"the field takes at most {longest} characters")
    if value and len(value) < element.get("min_length", 0):
        raise Impossible(f"the field wants at least {element['min_length']} characters")
    if "\n" in value and not element.get("multiline"):
        raise Impossible("the field has one line")
    if element["type"] == "number_input" and value:
        try:
            float(value)
        except ValueError:
            raise Impossible("the field takes a number") from None


def _option(element: dict[str, Any], wanted: str, offered: list[dict[str, Any]] | None) -> dict[str, Any]:
    options = choices(element) if offered is None else offered
    for option in options:
        if wanted in (option["text"]["text"], option["value"]):
            return dict(option)
    raise Impossible(f"{wanted!r} is not offered; there are {[option['text']['text'] for option in options]}")


def missing(blocks: list[dict[str, Any]], state: State) -> list[str]:
    """Return the labels of fields that have to be filled in and are empty."""
    names = []
    for block, element in usable(blocks):
        if block["type"] == "input" and not block.get("optional"):
            value = state[block["block_id"]][element["action_id"]]
            if not value[_slot(element["type"])]:
                names.append(block["label"]["text"])
    return names
