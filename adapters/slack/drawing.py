"""A drawn reply on its way to Slack."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adapters.rendering.attachment import Attached

Block = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """A message: `text` is its notification, and all of it if there are no blocks; `text` is never empty."""

    text: str
    blocks: tuple[Block, ...] = ()
    files: tuple[Attached, ...] = ()


Draw = Callable[[bool], SlackMessage]
"""Draws a message: with blocks, or, if Slack refuses those, in words alone."""


@dataclass(frozen=True, slots=True)
class CardBlocks:
    """One card of a message; `cut` if not all of it could be drawn, so that it must be attached as text."""

    blocks: tuple[Block, ...] = ()
    files: tuple[Attached, ...] = ()
    cut: bool = False


def words_in(value: Any) -> int:
    """Count the characters of all texts in blocks, as Slack counts them: without those of tables and charts."""
    if isinstance(value, list | tuple):
        return sum(map(words_in, value))
    if not isinstance(value, dict) or value.get("type") in ("data_table", "data_visualization"):
        return 0
    return sum(
        len(each) if name == "text" and isinstance(each, str) else words_in(each) for name, each in value.items()
    )
