"""What a message says in a notification and to a screen reader, which read its `text` and not its blocks."""

from adapters.slack.mrkdwn import fitted
from adapters.spoken import spoken
from router.cards import Reply

LONGEST_TEXT = 3_000
LONGEST_DECISION = 300


def notification(reply: Reply, decision: str = "") -> str:
    """Return the reply in a few lines of mrkdwn that ping nobody; never empty."""
    end = kept(decision)
    text = fitted(spoken(reply, bool(decision)), LONGEST_TEXT - len(end) - 1)
    return "\n".join(filter(None, (text, end))) or "Done."


def kept(decision: str) -> str:
    """Return the mrkdwn that says who decided what, and when; without its marks where it is too long for a line."""
    return decision if len(decision) <= LONGEST_DECISION else fitted(decision, LONGEST_DECISION)
