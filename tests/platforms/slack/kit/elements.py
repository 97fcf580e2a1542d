"""The elements that live in blocks: buttons, menus, fields, pictures."""

from typing import Any

from tests.platforms.slack.kit.check import (
    Check,
    Found,
    any_text,
    boolean,
    both,
    many,
    number,
    one_of,
    shape,
    string,
    text,
)

STYLE = one_of("primary", "danger")
CONFIRM = shape(
    {"title": text(100), "text": any_text(300), "confirm": text(30), "deny": text(30)},
    {"style": STYLE},
)
USERS = many(string(255, 1), least=1)
SLACK_FILE = shape({}, {"id": string(255, 1), "url": string(3000, 1)})
URL = string(3000, 1, r"https?://\S+")


def option(words: Check) -> Check:
    """Return the check of one thing to choose."""
    return shape({"text": words, "value": string(150, 1)}, {"description": words, "url": URL})


OPTION = option(text(75))
RICH_OPTION = option(any_text(75))
GROUP = shape({"label": text(75), "options": many(OPTION, most=100)})


def acting(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    """Return the check of an element that a person can use: its action_id is unique in the whole message."""
    plain = shape(required, {"action_id": string(255, 1), **(optional or {})})

    def check(value: Any, path: str, found: Found) -> None:
        plain(value, path, found)
        if isinstance(value, dict) and isinstance(value.get("action_id"), str):
            found.once("action_id", value["action_id"], f"{path}/action_id")

    return check


def filled(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    """Return the check of a menu or field that a person fills in."""
    more = {"placeholder": text(150), "confirm": CONFIRM, "focus_on_load": boolean}
    return acting(required, {**more, **(optional or {})})


def choices(value: dict[str, Any]) -> list[Any]:
    """Return all options of a menu, those in groups too."""
    groups = value.get("option_groups") or []
    inside = [each for group in groups if isinstance(group, dict) for each in group.get("options") or []]
    return [*(value.get("options") or []), *inside]


def offers(value: Any, path: str, found: Found) -> None:
    """Demand options or groups, different values, and that what is chosen at first is among them."""
    if not isinstance(value, dict):
        return
    if ("options" in value) == ("option_groups" in value):
        found.say("must define exactly one of options and option_groups", path)
    given = choices(value)
    if any(not isinstance(each, dict) for each in given):
        return
    values = [each.get("value") for each in given]
    if len(set(values)) < len(values):
        found.say("options must have unique values", f"{path}/options")
    if "initial_option" in value and value["initial_option"] not in given:
        found.say("initial_option must match one of the options", f"{path}/initial_option")
    initial = value.get("initial_options")
    if isinstance(initial, list) and any(each not in given for each in initial):
        found.say("initial_options must match the options", f"{path}/initial_options")


CHOICE: dict[str, Check] = {"options": many(OPTION, most=100), "option_groups": many(GROUP, most=100)}
SEVERAL: dict[str, Check] = {"max_selected_items": number(1, whole=True)}
TYPED: dict[str, Check] = {"dispatch_action_config": shape({"trigger_actions_on": many(string(255), most=2)})}
FILTER = shape(
    {},
    {"include": many(string(50)), "exclude_bot_users": boolean, "exclude_external_shared_channels": boolean},
)
PLACE: dict[str, Check] = {"default_to_current_conversation": boolean, "filter": FILTER}
FEEDBACK = shape({"text": text(75), "value": string(2000)}, {"accessibility_label": string(75)})

IMAGE = shape({"alt_text": string(2000, 1)}, {"image_url": URL, "slack_file": SLACK_FILE})
BUTTON = acting(
    {"text": text(75)},
    {
        "url": URL,
        "value": string(2000),
        "style": STYLE,
        "confirm": CONFIRM,
        "accessibility_label": string(75),
        "agent_prompt": string(4000),
        "agent_prompt_display": string(4000),
        "visible_to_user_ids": USERS,
    },
)
ICON_BUTTON = acting(
    {"icon": one_of("trash"), "text": text(75)},
    {"value": string(2000), "confirm": CONFIRM, "accessibility_label": string(75), "visible_to_user_ids": USERS},
)
FEEDBACK_BUTTONS = acting({"positive_button": FEEDBACK, "negative_button": FEEDBACK})

ELEMENTS: dict[str, Check] = {
    "image": IMAGE,
    "button": BUTTON,
    "icon_button": ICON_BUTTON,
    "feedback_buttons": FEEDBACK_BUTTONS,
    "overflow": acting({"options": many(OPTION, most=5)}, {"confirm": CONFIRM}),
    "static_select": both(filled({}, {**CHOICE, "initial_option": OPTION}), offers),
    "multi_static_select": both(
        filled({}, {**CHOICE, **SEVERAL, "initial_options": many(OPTION, most=100)}),
        offers,
    ),
    "external_select": filled({}, {"initial_option": OPTION, "min_query_length": number(0, whole=True)}),
    "multi_external_select": filled(
        {},
        {**SEVERAL, "initial_options": many(OPTION, most=100), "min_query_length": number(0, whole=True)},
    ),
    "users_select": filled({}, {"initial_user": string(255, 1)}),
    "multi_users_select": filled({}, {**SEVERAL, "initial_users": USERS}),
    "conversations_select": filled(
        {}, {**PLACE, "initial_conversation": string(255, 1), "response_url_enabled": boolean}
    ),
    "multi_conversations_select": filled({}, {**PLACE, **SEVERAL, "initial_conversations": USERS}),
    "channels_select": filled({}, {"initial_channel": string(255, 1), "response_url_enabled": boolean}),
    "multi_channels_select": filled({}, {**SEVERAL, "initial_channels": USERS}),
    "checkboxes": both(
        filled({"options": many(RICH_OPTION, most=10)}, {"initial_options": many(RICH_OPTION, most=10)}), offers
    ),
    "radio_buttons": both(filled({"options": many(RICH_OPTION, most=10)}, {"initial_option": RICH_OPTION}), offers),
    "datepicker": filled({}, {"initial_date": string(10, 10, r"\d{4}-\d\d-\d\d")}),
    "timepicker": filled({}, {"initial_time": string(5, 5, r"([01]\d|2[0-3]):[0-5]\d"), "timezone": string(100)}),
    "datetimepicker": filled({}, {"initial_date_time": number(0, 9999999999, whole=True)}),
    "plain_text_input": filled(
        {},
        {
            **TYPED,
            "initial_value": string(3000),
            "multiline": boolean,
            "min_length": number(0, 3000, whole=True),
            "max_length": number(1, 3000, whole=True),
        },
    ),
    "email_text_input": filled({}, {**TYPED, "initial_value": string(3000)}),
    "url_text_input": filled({}, {**TYPED, "initial_value": string(3000)}),
    "number_input": filled(
        {"is_decimal_allowed": boolean},
        {**TYPED, "initial_value": string(50), "min_value": string(50), "max_value": string(50)},
    ),
    "rich_text_input": filled(
        {}, {**TYPED, "initial_value": lambda value, path, found: None, "min_lines": number(1), "max_lines": number(1)}
    ),
    "file_input": filled({}, {"filetypes": many(string(20, 1)), "max_files": number(1, 10, whole=True)}),
}

MULTI = {name for name in ELEMENTS if name.startswith("multi_")}
SELECTS = {name for name in ELEMENTS if name.endswith("_select")} - MULTI
PICKERS = {"datepicker", "timepicker", "datetimepicker", "checkboxes", "radio_buttons"}
IN_SECTION = {"image", "button", "overflow", "datepicker", "timepicker", "checkboxes", "radio_buttons"}
ACCESSORIES = IN_SECTION | SELECTS | MULTI
# The reference names section and input as the blocks of multi-selects.
IN_ACTIONS = {"button", "overflow"} | SELECTS | PICKERS
IN_INPUT = (
    SELECTS
    | MULTI
    | PICKERS
    | {"plain_text_input", "email_text_input", "url_text_input", "number_input", "rich_text_input", "file_input"}
)
IN_CONTEXT_ACTIONS = {"feedback_buttons", "icon_button"}
