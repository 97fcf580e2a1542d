"""Every kind of block: its fields, its limits, and the surfaces it may stand on."""

from dataclasses import dataclass
from typing import Any

from tests.platforms.slack.kit.charts import DATA_VISUALIZATION
from tests.platforms.slack.kit.check import (
    Check,
    Found,
    any_text,
    boolean,
    many,
    one_of,
    shape,
    string,
    text,
    typed,
)
from tests.platforms.slack.kit.elements import (
    ACCESSORIES,
    ELEMENTS,
    IMAGE,
    IN_ACTIONS,
    IN_CONTEXT_ACTIONS,
    IN_INPUT,
    SLACK_FILE,
    URL,
)
from tests.platforms.slack.kit.rich import RICH_TEXT
from tests.platforms.slack.kit.tables import data_table, table

EVERYWHERE = frozenset({"message", "modal", "home"})
MESSAGE = frozenset({"message"})
MODAL = frozenset({"modal"})

WORDS = {"plain_text": any_text(2000), "mrkdwn": any_text(2000)}
SECTION_FIELDS = shape(
    {},
    {
        "text": any_text(3000),
        "fields": many(any_text(2000), most=10),
        "accessory": typed(ELEMENTS, ACCESSORIES),
        "expand": boolean,
    },
)
IMAGE_FIELDS = shape({"alt_text": string(2000, 1)}, {"image_url": URL, "slack_file": SLACK_FILE, "title": text(2000)})
TASK = shape(
    {
        "task_id": string(255, 1),
        "title": string(3000, 1),
        "status": one_of("pending", "in_progress", "complete", "error"),
    },
    {
        "details": typed({"rich_text": RICH_TEXT}),
        "output": typed({"rich_text": RICH_TEXT}),
        "sources": many(typed({"url": shape({"url": URL, "text": string(3000, 1)})})),
    },
)
CARD = shape(
    {},
    {
        "hero_image": typed({"image": IMAGE}),
        "icon": typed({"image": IMAGE}),
        "title": any_text(150),
        "subtitle": any_text(150),
        "body": any_text(200),
        "actions": many(typed(ELEMENTS, {"button"}), most=3),
    },
)
# The reference also lists file, input and rich_text; the live check was seen to refuse these.
IN_CONTAINER = frozenset({"actions", "context", "divider", "header", "image", "section", "table", "video"})


def section(value: Any, path: str, found: Found) -> None:
    """Check a section: a text or fields."""
    SECTION_FIELDS(value, path, found)
    if not value.get("text") and not value.get("fields"):
        found.say("missing required field: text or fields", path)


def image(value: Any, path: str, found: Found) -> None:
    """Check an image: exactly one source, and words for who cannot see it."""
    IMAGE_FIELDS(value, path, found)
    if ("image_url" in value) == ("slack_file" in value):
        found.say("must define exactly one of image_url and slack_file", path)


def container(value: Any, path: str, found: Found) -> None:
    """Check a container and the blocks in it, which may not be containers."""
    CONTAINER_FIELDS(value, path, found)
    if not value.get("title") and not value.get("rich_text_title"):
        found.say("missing required field: title", path)
    if value.get("default_collapsed") and not value.get("is_collapsible"):
        found.say("default_collapsed requires is_collapsible", f"{path}/default_collapsed")
    if value.get("is_collapsible") and value.get("has_header_divider"):
        found.say("has_header_divider cannot be set when is_collapsible is true", f"{path}/has_header_divider")


def child(value: Any, path: str, found: Found) -> None:
    """Check a block in a container."""
    if isinstance(value, dict) and value.get("type") in BLOCKS and value["type"] not in IN_CONTAINER:
        found.say(f"unsupported type: {value['type']}", f"{path}/type")
    else:
        block(value, path, found, "message")


def nested(value: Any, path: str, found: Found) -> None:
    """Check a task or card in a plan or carousel."""
    block(value, path, found, "message")


CONTAINER_FIELDS = shape(
    {"child_blocks": many(child, most=10)},
    {
        "title": text(150),
        "rich_text_title": typed({"rich_text": RICH_TEXT}),
        "subtitle": any_text(150),
        "width": one_of("narrow", "standard", "wide", "full"),
        "icon": typed({"image": IMAGE}),
        "is_collapsible": boolean,
        "default_collapsed": boolean,
        "has_header_divider": boolean,
    },
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of block: how it is checked and where it may stand."""

    check: Check
    surfaces: frozenset[str] = EVERYWHERE


BLOCKS: dict[str, Kind] = {
    "section": Kind(section),
    "divider": Kind(shape({})),
    "header": Kind(shape({"text": text(150)})),
    "image": Kind(image),
    "actions": Kind(shape({"elements": many(typed(ELEMENTS, IN_ACTIONS), most=25)})),
    "context": Kind(shape({"elements": many(typed({**WORDS, "image": IMAGE}), most=10)})),
    "context_actions": Kind(shape({"elements": many(typed(ELEMENTS, IN_CONTEXT_ACTIONS), most=5)}), MESSAGE),
    "input": Kind(
        shape(
            {"label": text(2000), "element": typed(ELEMENTS, IN_INPUT)},
            {"hint": text(2000), "optional": boolean, "dispatch_action": boolean},
        )
    ),
    "markdown": Kind(shape({"text": string(12_000, 1)}), MESSAGE),
    "rich_text": Kind(RICH_TEXT),
    "table": Kind(table, MESSAGE),
    "data_table": Kind(data_table, frozenset({"message", "home"})),
    "data_visualization": Kind(DATA_VISUALIZATION, MESSAGE),
    "container": Kind(container, MESSAGE),
    "alert": Kind(
        shape({"text": any_text(200)}, {"level": one_of("default", "info", "warning", "error", "success")}),
        MODAL,
    ),
    "task_card": Kind(TASK, MESSAGE),
    "plan": Kind(shape({"title": string(3000, 1)}, {"tasks": many(nested, most=50)}), MESSAGE),
    "card": Kind(CARD, MESSAGE),
    "carousel": Kind(shape({"elements": many(nested, most=10)}), MESSAGE),
    "video": Kind(
        shape(
            {"alt_text": string(2000, 1), "title": text(199), "thumbnail_url": URL, "video_url": URL},
            {
                "author_name": string(49),
                "description": text(200),
                "provider_icon_url": URL,
                "provider_name": string(50),
                "title_url": URL,
            },
        )
    ),
}


def block(value: Any, path: str, found: Found, surface: str) -> None:
    """Check one block on a surface: message, modal or home."""
    if not isinstance(value, dict) or "type" not in value:
        found.say("missing required field: type" if isinstance(value, dict) else "must provide an object", path)
        return
    kind = BLOCKS.get(value["type"])
    if kind is None or surface not in kind.surfaces:
        found.say(f"unsupported type: {value['type']}", f"{path}/type")
        return
    if "block_id" in value:
        string(255, 1)(value["block_id"], f"{path}/block_id", found)
        found.once("block_id", str(value["block_id"]), f"{path}/block_id")
        value = {name: given for name, given in value.items() if name != "block_id"}
    kind.check(value, path, found)
