"""The rules that hold for a whole message or view, not for one block."""

import re
from collections.abc import Iterator
from typing import Any

from tests.platforms.slack.kit.blocks import block
from tests.platforms.slack.kit.check import Check, Found, boolean, many, shape, string, text
from tests.platforms.slack.kit.elements import GROUP, OPTION

LONGEST_BLOCKS = 13_200
LONGEST_MARKDOWN = 12_000
ROWS = ("table", "data_table")

VIEW: dict[str, Check] = {
    "blocks": lambda value, path, found: None,
    "private_metadata": string(3000),
    "callback_id": string(255),
    "external_id": string(255),
}
MODAL_FIELDS = shape(
    {"title": text(24), "blocks": VIEW["blocks"]},
    {**VIEW, "submit": text(24), "close": text(24), "clear_on_close": boolean, "notify_on_close": boolean},
)
HOME_FIELDS = shape({"blocks": VIEW["blocks"]}, VIEW)


def message_problems(blocks: Any) -> tuple[str, list[str]]:
    """Return the error Slack answers to the blocks of a message with, and what it says of it; "" if all is well."""
    if not isinstance(blocks, list):
        return "invalid_blocks_format", []
    found = Found()
    _blocks(blocks, "/blocks", found, "message", 50)
    if sum(_expanded(each) for each in blocks) > 50 >= len(blocks):
        found.say("no more than 50 items allowed", "/blocks")
    if sum(len(each.get("text") or "") for each in _of(blocks, "markdown")) > LONGEST_MARKDOWN:
        found.say(f"must be less than {LONGEST_MARKDOWN + 1} characters in all markdown blocks", "/blocks")
    if len(list(_of(blocks, "data_visualization"))) > 2:
        found.say("no more than 2 data_visualization blocks allowed", "/blocks")
    if found.problems:
        return "invalid_blocks", found.problems
    if len(list(_of(blocks, *ROWS))) > 1:
        return "invalid_attachments", ["[ERROR] only_one_table_allowed [json-pointer:/blocks]"]
    if sum(_words(each) for each in blocks) > LONGEST_BLOCKS:
        return "msg_blocks_too_long", []
    return "", []


def view_problems(view: Any, kind: str) -> list[str]:
    """Return what Slack says is wrong with a view of this kind, modal or home; empty if all is well."""
    found = Found()
    if not isinstance(view, dict):
        return ["[ERROR] must provide an object [json-pointer:/view]"]
    if view.get("type") != kind:
        found.say(f"must be a valid enum value: {kind}", "/view/type")
        return found.problems
    (MODAL_FIELDS if kind == "modal" else HOME_FIELDS)(view, "/view", found)
    blocks = view.get("blocks")
    if isinstance(blocks, list):
        _blocks(blocks, "/view/blocks", found, kind, 100)
        if kind == "modal" and any(True for _ in _of(blocks, "input")) and not view.get("submit"):
            found.say("missing required field: submit", "/view")
    elif blocks is not None:
        found.say("must provide an array", "/view/blocks")
    return found.problems


def options_problems(answer: Any) -> list[str]:
    """Return what is wrong with the answer to a request for options."""
    found = Found()
    if not isinstance(answer, dict) or ("options" in answer) == ("option_groups" in answer):
        return ["[ERROR] must define exactly one of options and option_groups [json-pointer:/]"]
    shape({}, {"options": many(OPTION, 0, 100), "option_groups": many(GROUP, 0, 100)})(answer, "", found)
    return found.problems


def _blocks(blocks: list[Any], path: str, found: Found, surface: str, most: int) -> None:
    if not blocks and surface != "message":
        found.say("no fewer than 1 items allowed", path)
    if len(blocks) > most:
        found.say(f"no more than {most} items allowed", path)
        return
    for number, each in enumerate(blocks):
        block(each, f"{path}/{number}", found, surface)


def _of(blocks: list[Any], *kinds: str) -> Iterator[dict[str, Any]]:
    """Yield the blocks of these kinds, those in containers too."""
    for each in blocks:
        if isinstance(each, dict):
            if each.get("type") in kinds:
                yield each
            yield from _of(each.get("child_blocks") or [], *kinds)


def _expanded(value: Any) -> int:
    """Count the blocks that one block becomes: a markdown block is cut at headings, rules, tables and pictures."""
    if not isinstance(value, dict) or value.get("type") != "markdown" or not isinstance(value.get("text"), str):
        return 1
    kinds: list[str] = []
    for line in value["text"].splitlines():
        kind = "text"
        if re.match(r"#{1,6} |(---+|\*\*\*+|___+)$|!\[", line.strip()):
            kind = "alone"
        elif line.strip().startswith("|"):
            kind = "table"
        if kind == "alone" or not kinds or kinds[-1] != kind:
            kinds.append(kind)
    return max(1, len(kinds))


def _words(value: Any) -> int:
    """Count the characters of all texts, without the cells of tables and the labels of charts."""
    if isinstance(value, list):
        return sum(_words(each) for each in value)
    if not isinstance(value, dict) or value.get("type") in (*ROWS, "data_visualization"):
        return 0
    return sum(len(each) if name == "text" and isinstance(each, str) else _words(each) for name, each in value.items())
