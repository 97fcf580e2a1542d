"""The stand-in for Slack refuses the blocks and views that Slack refuses."""

import pytest

from tests.platforms.slack.kit.payload import message_problems, options_problems, view_problems
from tests.platforms.slack_samples import (
    CONFIRM,
    DIVIDER,
    FIELD,
    OPTION,
    OTHER,
    SECTION,
    SOUND,
    Json,
    actions,
    button,
    chart,
    container,
    data_table,
    mark,
    menu,
    modal,
    pie,
    plain,
    rich,
    table,
)


@pytest.mark.parametrize("block", SOUND, ids=lambda block: str(block["type"]))
def test_sound_blocks_are_taken(block: Json) -> None:
    """What is within all limits has no problems."""
    assert message_problems([block]) == ("", [])


CELL, NUMBER = {"type": "raw_text", "text": "x"}, {"type": "raw_number", "value": 1}
WORD = {"type": "text", "text": "x"}
WRONG: list[tuple[Json, str, str]] = [
    ({"type": "section"}, "missing required field: text or fields", "/blocks/0"),
    ({"type": "section", "text": mark("")}, "must be more than 0 characters", "/blocks/0/text/text"),
    ({"type": "section", "text": mark("x" * 3001)}, "must be less than 3001 characters", "/blocks/0/text/text"),
    ({"type": "section", "fields": [mark("x")] * 11}, "no more than 10 items allowed", "/blocks/0/fields"),
    ({"type": "section", "fields": [mark("x" * 2001)]}, "must be less than 2001 characters", "/blocks/0/fields/0/text"),
    (
        {"type": "section", "text": {"type": "markdown", "text": "x"}},
        "unsupported type: markdown",
        "/blocks/0/text/type",
    ),
    ({**SECTION, "disabled": True}, "invalid additional property: disabled", "/blocks/0"),
    ({"type": "sections"}, "unsupported type: sections", "/blocks/0/type"),
    ({"type": "header", "text": plain("x" * 151)}, "must be less than 151 characters", "/blocks/0/text/text"),
    ({"type": "table", "rows": [[NUMBER]]}, "missing required field: text", "/blocks/0/rows/0/0"),
    ({"type": "image", "image_url": "https://example.com/a.png"}, "missing required field: alt_text", "/blocks/0"),
    ({"type": "image", "alt_text": "a"}, "must define exactly one of image_url and slack_file", "/blocks/0"),
    (
        {"type": "image", "alt_text": "a", "image_url": "file:///a"},
        "must match the required format",
        "/blocks/0/image_url",
    ),
    (actions(), "no fewer than 1 items allowed", "/blocks/0/elements"),
    (
        actions({"type": "timepicker", "action_id": "a", "initial_time": "99:99"}),
        "must match the required format",
        "/blocks/0/elements/0/initial_time",
    ),
    (actions(*[button(str(each)) for each in range(26)]), "no more than 25 items allowed", "/blocks/0/elements"),
    (
        actions(button(), button()),
        "action_id `go` already exists at /blocks/0/elements/0/action_id",
        "/blocks/0/elements/1/action_id",
    ),
    (actions(button(text=plain("x" * 76))), "must be less than 76 characters", "/blocks/0/elements/0/text/text"),
    (actions(button(text=mark("x"))), "unsupported type: mrkdwn", "/blocks/0/elements/0/text/type"),
    (actions(button(value="x" * 2001)), "must be less than 2001 characters", "/blocks/0/elements/0/value"),
    (actions(button("x" * 256)), "must be less than 256 characters", "/blocks/0/elements/0/action_id"),
    (
        actions(button(style="default")),
        "must be a valid enum value: primary, danger",
        "/blocks/0/elements/0/style",
    ),
    (
        actions(button(confirm={**CONFIRM, "title": plain("x" * 101)})),
        "must be less than 101 characters",
        "/blocks/0/elements/0/confirm/title/text",
    ),
    (
        actions(button(visible_to_user_ids=[])),
        "no fewer than 1 items allowed",
        "/blocks/0/elements/0/visible_to_user_ids",
    ),
    (actions(menu(count=101)), "no more than 100 items allowed", "/blocks/0/elements/0/options"),
    (actions(menu(count=0)), "no fewer than 1 items allowed", "/blocks/0/elements/0/options"),
    (
        actions(menu(options=[{"text": plain("x" * 76), "value": "1"}])),
        "must be less than 76 characters",
        "/blocks/0/elements/0/options/0/text/text",
    ),
    (
        actions(menu(options=[{"text": plain("x"), "value": "x" * 151}])),
        "must be less than 151 characters",
        "/blocks/0/elements/0/options/0/value",
    ),
    (
        actions(menu(placeholder=plain("x" * 151))),
        "must be less than 151 characters",
        "/blocks/0/elements/0/placeholder/text",
    ),
    (
        actions(menu(initial_option=OTHER)),
        "initial_option must match one of the options",
        "/blocks/0/elements/0/initial_option",
    ),
    (
        {**SECTION, "accessory": menu("multi_static_select", initial_options=[OTHER])},
        "initial_options must match the options",
        "/blocks/0/accessory/initial_options",
    ),
    (actions(menu("multi_static_select")), "unsupported type: multi_static_select", "/blocks/0/elements/0/type"),
    (actions(menu("overflow", 6)), "no more than 5 items allowed", "/blocks/0/elements/0/options"),
    ({**SECTION, "accessory": FIELD["element"]}, "unsupported type: plain_text_input", "/blocks/0/accessory/type"),
    ({"type": "context", "elements": [mark("x")] * 11}, "no more than 10 items allowed", "/blocks/0/elements"),
    ({"type": "context", "elements": [button()]}, "unsupported type: button", "/blocks/0/elements/0/type"),
    ({"type": "context_actions", "elements": [button()]}, "unsupported type: button", "/blocks/0/elements/0/type"),
    ({**FIELD, "label": plain("x" * 2001)}, "must be less than 2001 characters", "/blocks/0/label/text"),
    ({**FIELD, "element": button()}, "unsupported type: button", "/blocks/0/element/type"),
    ({"type": "markdown", "text": "x" * 12_001}, "must be less than 12001 characters", "/blocks/0/text"),
    (rich({"type": "text", "text": ""}), "must be more than 0 characters", "/blocks/0/elements/0/elements/0/text"),
    (rich(plain("x")), "unsupported type: plain_text", "/blocks/0/elements/0/elements/0/type"),
    (table(101), "no more than 100 items allowed", "/blocks/0/rows"),
    (table(1, 21), "no more than 20 items allowed", "/blocks/0/rows/0"),
    (table(1, 1, ""), "must be more than 0 characters", "/blocks/0/rows/0/0/text"),
    (table(100, 20, "x" * 6), "table exceeds the maximum of 10000 characters", "/blocks/0/rows"),
    (data_table(102), "no more than 101 items allowed", "/blocks/0/rows"),
    (data_table(101, 20, "x" * 10), "data_table exceeds the maximum of 20000 characters", "/blocks/0/rows"),
    (data_table(caption=None), "missing required field: caption", "/blocks/0"),
    (data_table(page_size=101), "must be less than or equal to 100", "/blocks/0/page_size"),
    (data_table(column_settings=[]), "invalid additional property: column_settings", "/blocks/0"),
    (
        {**data_table(), "rows": [[CELL, CELL], [CELL]]},
        "all rows must have the same number of cells",
        "/blocks/0/rows",
    ),
    (
        {**data_table(), "rows": [[rich(WORD)], [CELL]]},
        "unsupported type: rich_text",
        "/blocks/0/rows/0/0/type",
    ),
    (chart(series=7), "no more than 6 items allowed", "/blocks/0/chart/series"),
    (chart(points=21), "no more than 20 items allowed", "/blocks/0/chart/axis_config/categories"),
    (chart("donut"), "unsupported type: donut", "/blocks/0/chart/type"),
    ({**chart(), "title": "x" * 51}, "must be less than 51 characters", "/blocks/0/title"),
    (
        chart(axis_config={"categories": ["c0", "c2"]}),
        "data labels must match axis_config.categories",
        "/blocks/0/chart/series/0/data",
    ),
    (pie({"label": "x" * 21, "value": 1}), "must be less than 21 characters", "/blocks/0/chart/segments/0/label"),
    (pie({"label": "x", "value": 0}), "must be greater than 0", "/blocks/0/chart/segments/0/value"),
    (pie(*[{"label": "x", "value": 1}] * 2), "segment labels must be unique", "/blocks/0/chart/segments"),
    (container(*[SECTION] * 11), "no more than 10 items allowed", "/blocks/0/child_blocks"),
    (container(container(SECTION)), "unsupported type: container", "/blocks/0/child_blocks/0/type"),
    (container(SECTION, title=plain("x" * 151)), "must be less than 151 characters", "/blocks/0/title/text"),
    (
        container(SECTION, default_collapsed=True),
        "default_collapsed requires is_collapsible",
        "/blocks/0/default_collapsed",
    ),
    ({"type": "alert", "text": plain("x")}, "unsupported type: alert", "/blocks/0/type"),
]


@pytest.mark.parametrize(("block", "what", "where"), WRONG, ids=[f"{what} {where}" for _, what, where in WRONG])
def test_wrong_blocks_are_refused(block: Json, what: str, where: str) -> None:
    """What is over a limit or unknown is refused, with Slack's words and a pointer to it."""
    error, problems = message_problems([block])

    assert error == "invalid_blocks"
    assert any(problem.startswith(f"[ERROR] {what} [json-pointer:{where}") for problem in problems), problems


WHOLE: list[tuple[list[Json], str, str]] = [
    ([DIVIDER] * 51, "invalid_blocks", "no more than 50 items allowed"),
    ([{**DIVIDER, "block_id": "b"}] * 2, "invalid_blocks", "block_id `b` already exists"),
    ([actions(button()), actions(button())], "invalid_blocks", "action_id `go` already exists"),
    ([actions(button()), container(actions(button()))], "invalid_blocks", "action_id `go` already exists"),
    ([{"type": "markdown", "text": "x" * 6001}] * 2, "invalid_blocks", "12001 characters in all markdown blocks"),
    ([{"type": "markdown", "text": "# a\nb\n" * 26}], "invalid_blocks", "no more than 50 items allowed"),
    ([chart()] * 3, "invalid_blocks", "no more than 2 data_visualization blocks"),
    ([table(), data_table()], "invalid_attachments", "only_one_table_allowed"),
    ([table(), container(table())], "invalid_attachments", "only_one_table_allowed"),
]


@pytest.mark.parametrize(("blocks", "error", "what"), WHOLE, ids=[what for _, _, what in WHOLE])
def test_wrong_messages_are_refused(blocks: list[Json], error: str, what: str) -> None:
    """Some limits hold for a message as a whole."""
    found, problems = message_problems(blocks)

    assert found == error
    assert any(what in problem for problem in problems), problems


def test_a_message_has_13200_characters_at_most() -> None:
    """All texts of a message count together, but not the cells of its table."""
    sections = [{"type": "section", "text": mark("x" * 2640)}] * 5

    assert message_problems(sections) == ("", [])
    assert message_problems([*sections, table(90, 20, "x" * 5)]) == ("", [])
    assert message_problems([*sections, SECTION]) == ("msg_blocks_too_long", [])


VIEWS: list[tuple[Json, str]] = [
    (modal(FIELD, title=plain("x" * 25)), "must be less than 25 characters [json-pointer:/view/title/text]"),
    (modal(FIELD, submit=plain("x" * 25)), "must be less than 25 characters [json-pointer:/view/submit/text]"),
    (modal(FIELD, close=plain("x" * 25)), "must be less than 25 characters [json-pointer:/view/close/text]"),
    (
        modal(FIELD, private_metadata="x" * 3001),
        "must be less than 3001 characters [json-pointer:/view/private_metadata]",
    ),
    (modal(FIELD, callback_id="x" * 256), "must be less than 256 characters [json-pointer:/view/callback_id]"),
    (modal(FIELD, submit=None), "missing required field: submit [json-pointer:/view]"),
    (modal(), "no fewer than 1 items allowed [json-pointer:/view/blocks]"),
    (modal(*[DIVIDER] * 101), "no more than 100 items allowed [json-pointer:/view/blocks]"),
    (modal(*[{**DIVIDER, "block_id": "b"}] * 2), "already exists at /view/blocks/0/block_id"),
    (modal(table()), "unsupported type: table [json-pointer:/view/blocks/0/type]"),
    (modal(data_table()), "unsupported type: data_table [json-pointer:/view/blocks/0/type]"),
    (modal(FIELD, colour="red"), "invalid additional property: colour [json-pointer:/view]"),
    ({"type": "dialog"}, "must be a valid enum value: modal [json-pointer:/view/type]"),
]


@pytest.mark.parametrize(("view", "what"), VIEWS, ids=[what for _, what in VIEWS])
def test_wrong_modals_are_refused(view: Json, what: str) -> None:
    """A modal has limits of its own, and fewer kinds of blocks."""
    assert any(what in problem for problem in view_problems(view, "modal"))


def test_each_surface_has_its_blocks() -> None:
    """An alert stands in modals only, a data_table also in the Home tab, a table in messages only."""
    alert = {"type": "alert", "text": plain("Careful")}
    home = {"type": "home", "blocks": [data_table()]}

    assert view_problems(modal(alert), "modal") == []
    assert view_problems(home, "home") == []
    assert view_problems({**home, "blocks": [table()]}, "home") != []
    assert view_problems({**home, "title": plain("Home")}, "home") != []


def test_offered_options_have_limits_too() -> None:
    """The answer to a request for options holds up to 100 options or groups, not both."""
    assert options_problems({"options": [OPTION] * 100}) == []
    assert options_problems({"options": []}) == []
    assert options_problems({"options": [OPTION] * 101}) != []
    assert options_problems({"options": [OPTION], "option_groups": []}) != []
    assert options_problems(None) != []
