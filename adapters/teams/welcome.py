"""What the bot says where it comes to for the first time."""

from collections.abc import Sequence
from typing import Any, Final

from adapters.teams.marks import suggested

ALONE: Final = (
    "Hello! Ask me a question about your data, in your own words. I write the SQL and show it to you; it runs when you "
    "press Run, and the rows come back as a table. `help` tells at any time what you can do."
)
AMONG_OTHERS: Final = (
    "Hello! Mention me with a question about your data, in your own words. I write the SQL and show it to you; it runs "
    "when you press Run, and the rows come back as a table. `help`, with a mention, tells what you can do."
)


def welcome(personal: bool, questions: Sequence[str]) -> dict[str, Any]:
    """Return the first message of a conversation; in a person's own chat, with questions to begin with."""
    if not personal:
        return {"type": "message", "text": AMONG_OTHERS, "textFormat": "markdown"}
    return {"type": "message", "text": ALONE, "textFormat": "markdown", **suggested(questions)}
