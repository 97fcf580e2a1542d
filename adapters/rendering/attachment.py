"""A file that goes beside a message."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Attached:
    """A text, a picture, or a file of the bot's disk."""

    name: str
    content: str | bytes | Path
    alt: str = ""
    """The description of a picture, for people who do not see it."""
