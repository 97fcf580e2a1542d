"""What the page tells about the bot it stands in front of."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class WebInfo:
    """Shown in the page's head, its empty state and its About box; every text is plain."""

    databases: Callable[[], tuple[str, ...]] = tuple
    """Gives the labels of the connections that everybody who sees the page may ask about now."""
    model: str = ""
    """The model that writes SQL."""
    model_reason: str = ""
    """Why it is this one, in a sentence."""
    examples: tuple[str, ...] = ()
    """Questions that one press asks."""
    notice: str = ""
    """A sentence that everybody should read, such as that the data is invented."""
    version: str = ""
    mail: Path | None = None
    """The folder of the e-mails that the demo kept in place of sending them; None where they are sent."""
