"""`icc-bot flow`: draws the stages of a talk."""

from collections.abc import Callable

from bot.settings.environment import Settings
from router.flow import FLOW


def draw_flow(settings: Settings, say: Callable[[str], None]) -> int:
    """Say the stages of a talk as a Mermaid diagram."""
    say(FLOW.mermaid())
    return 0
