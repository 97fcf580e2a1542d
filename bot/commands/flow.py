"""`icc-bot flow`: draws the stages of a talk."""

from bot.command_line import Say
from bot.settings.environment import Settings
from router.flow import FLOW


def draw_flow(settings: Settings, say: Say) -> int:
    """Say the stages of a talk as a Mermaid diagram."""
    say(FLOW.mermaid())
    return 0
