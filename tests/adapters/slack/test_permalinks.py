"""Links to threads of Slack, in the shapes that people copy and Slack writes."""

import pytest

from adapters.slack.permalinks import linked, with_questions
from router.memory.thread import ThreadKey

TS = "1763950000.000100"
KEY = ThreadKey("slack", "T1", "C1", TS)
LINK = "https://acme.slack.com/archives/C1/p1763950000000100"
LATER = "https://acme.slack.com/archives/C1/p1763950099000100?thread_ts=1763950000.000100&amp;cid=C1"


@pytest.mark.parametrize(
    "link",
    [
        LINK,
        f"<{LINK}>",
        f"<{LINK}|what Ana asked>",
        f"<{LATER}>",
        LATER.replace("&amp;", "&"),
        f"<{LINK.replace('acme', 'acme.enterprise')}>",
        LINK.replace("acme.slack.com", "acme.slack-gov.com"),
        LINK.replace("acme.", ""),
    ],
)
def test_links_are_understood(link: str) -> None:
    """A link stands for the thread that its message is in, and for what was asked there."""
    assert [KEY] == linked(f"like {link} but monthly", "T1")
    assert "like why &lt; 3? but monthly" == with_questions(f"like {link} but monthly", "T1", {KEY: "why < 3?"})
    assert "like  but monthly" == with_questions(f"like {link} but monthly", "T1", {})


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT id FROM links WHERE url = '{LINK}'",
        f"SELECT id FROM links WHERE url = '<{LINK}>'",
        "see <https://acme.example/archives/C1/p1763950000000100>",
        "see <https://slack.com.example/archives/C1/p1763950000000100>",
        "see <https://acme.slack.com/intl/de-de/pricing>",
        "which regions have revenue &lt; 5?",
    ],
)
def test_all_else_is_left(text: str) -> None:
    """Values of SQL, other addresses and other pages of Slack stay as they are."""
    assert [] == linked(text, "T1")
    assert text == with_questions(text, "T1", {KEY: "why?"})
