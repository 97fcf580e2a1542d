"""A drawn reply on its way to Slack, and the levels of how rich it may be."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from adapters.rendering.attachment import Attached

Block = dict[str, Any]


class Richness(IntEnum):
    """The kinds of blocks used; where Slack refuses a message, the next lower level is tried."""

    TEXT = 0
    """No blocks: words alone, which say what can be typed."""
    SIMPLE = 1
    """section, actions, context and divider, known to every client since years."""
    TABLE = 2
    """table and rich_text in addition."""
    FULL = 3
    """container, data_table, data_visualization and context_actions in addition."""


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """A message: `text` is its notification, and all of it where there are no blocks; `text` is never empty."""

    text: str
    blocks: tuple[Block, ...] = ()
    files: tuple[Attached, ...] = ()


@dataclass(frozen=True, slots=True)
class CardBlocks:
    """One card of a message; `cut` where not all of it could be drawn, so that it must be attached as text."""

    blocks: tuple[Block, ...] = ()
    files: tuple[Attached, ...] = ()
    cut: bool = False


def words_in(value: Any) -> int:
    """Count the characters of all texts in blocks, as Slack counts them: without those of tables and charts."""
    if isinstance(value, list | tuple):
        return sum(map(words_in, value))
    if not isinstance(value, dict) or value.get("type") in ("table", "data_table", "data_visualization"):
        return 0
    return sum(
        len(each) if name == "text" and isinstance(each, str) else words_in(each) for name, each in value.items()
    )
