"""How people address the bot: what they put after its name is no part of what they say."""

from typing import Final

AFTER_A_NAME: Final = r"(?:\s*(?:[,:;!]|[-–—](?=\s)))?"
"""A pattern: "@icc-bot, help", "@icc-bot: hi"."""
