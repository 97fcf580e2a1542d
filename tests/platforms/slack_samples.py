"""Blocks for the tests of the stand-in for Slack: makers of each kind, and a list of sound ones at their limits."""

from typing import Any

Json = dict[str, Any]


def plain(text: str) -> Json:
    """Return a plain text object."""
    return {"type": "plain_text", "text": text}


def mark(text: str) -> Json:
    """Return a mrkdwn text object."""
    return {"type": "mrkdwn", "text": text}


def button(action_id: str = "go", **more: Any) -> Json:
    """Return a button."""
    return {"type": "button", "action_id": action_id, "text": plain("Go"), **more}


def actions(*elements: Json) -> Json:
    """Return a block of actions."""
    return {"type": "actions", "elements": list(elements)}


def menu(kind: str = "static_select", count: int = 2, **more: Any) -> Json:
    """Return a menu of options."""
    options = [{"text": plain(f"Option {number}"), "value": str(number)} for number in range(count)]
    return {"type": kind, "action_id": "menu", "options": options, **more}


def table(rows: int = 2, columns: int = 2, text: str = "x", kind: str = "table", **more: Any) -> Json:
    """Return a table of equal cells."""
    return {"type": kind, "rows": [[{"type": "raw_text", "text": text}] * columns] * rows, **more}


def data_table(rows: int = 2, columns: int = 2, text: str = "x", **more: Any) -> Json:
    """Return a data_table of equal cells."""
    return table(rows, columns, text, "data_table", **{"caption": "Rows", **more})


def chart(kind: str = "bar", series: int = 1, points: int = 2, **more: Any) -> Json:
    """Return a chart of equal series."""
    data = [{"label": f"c{number}", "value": number} for number in range(points)]
    drawn = {
        "type": kind,
        "series": [{"name": f"s{number}", "data": data} for number in range(series)],
        "axis_config": {"categories": [point["label"] for point in data]},
    }
    return {"type": "data_visualization", "title": "Chart", "chart": {**drawn, **more}}


def pie(*segments: Json) -> Json:
    """Return a pie of these segments."""
    return {"type": "data_visualization", "title": "Pie", "chart": {"type": "pie", "segments": list(segments)}}


def container(*blocks: Json, **more: Any) -> Json:
    """Return a container of these blocks."""
    return {"type": "container", "title": plain("The SQL"), "child_blocks": list(blocks), **more}


def rich(*pieces: Json) -> Json:
    """Return rich text with one section."""
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(pieces)}]}


SECTION = {"type": "section", "text": mark("Hello")}
DIVIDER = {"type": "divider"}
FIELD = {"type": "input", "label": plain("Name"), "element": {"type": "plain_text_input", "action_id": "name"}}
OPTION = {"text": plain("Option 0"), "value": "0"}
OTHER = {"text": plain("Other"), "value": "other"}
CONFIRM = {"title": plain("Sure?"), "text": plain("Really?"), "confirm": plain("Yes"), "deny": plain("No")}

SOUND: list[Json] = [
    SECTION,
    DIVIDER,
    FIELD,
    {"type": "section", "fields": [mark("x" * 2000), *[mark("x")] * 9], "expand": True},
    {"type": "section", "text": mark("x" * 3000), "accessory": menu("multi_static_select", initial_options=[OPTION])},
    {"type": "header", "text": plain("x" * 150)},
    {"type": "image", "image_url": "https://example.com/a.png", "alt_text": "a"},
    {"type": "image", "slack_file": {"id": "F1"}, "alt_text": "a"},
    actions(*[button(f"b{number}") for number in range(25)]),
    actions(button(value="x" * 2000, style="danger", confirm=CONFIRM, visible_to_user_ids=["U1"])),
    actions(menu(count=100, placeholder=plain("x" * 150), initial_option=OPTION)),
    actions({"type": "external_select", "action_id": "e", "min_query_length": 0}),
    {"type": "context", "elements": [mark("x")] * 10},
    {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "action_id": "f",
                "positive_button": {"text": plain("Good"), "value": "1"},
                "negative_button": {"text": plain("Bad"), "value": "0"},
            }
        ],
    },
    {"type": "markdown", "text": "x" * 12_000},
    rich({"type": "text", "text": "x", "style": {"bold": True}}, {"type": "link", "url": "https://example.com"}),
    table(100, 20),
    table(2, 2, column_settings=[None, {"align": "right"}]),
    {"type": "table", "rows": [[rich({"type": "text", "text": "x"}), {"type": "raw_number", "value": 1, "text": "1"}]]},
    data_table(101, 20, page_size=100, row_header_column_index=19),
    chart(series=6, points=20),
    chart("line"),
    chart("area", points=1),
    pie({"label": "a", "value": 1}, {"label": "b", "value": 0.5}),
    container(*[SECTION] * 10, is_collapsible=True, default_collapsed=True),
    {
        "type": "plan",
        "title": "Plan",
        "tasks": [{"type": "task_card", "task_id": "1", "title": "a", "status": "complete"}],
    },
]


def modal(*blocks: Json, **more: Any) -> Json:
    """Return a modal."""
    return {"type": "modal", "title": plain("Mail"), "submit": plain("Send"), "blocks": list(blocks), **more}
