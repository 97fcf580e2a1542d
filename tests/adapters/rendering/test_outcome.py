"""What is left of a card that was acted upon, on every chat platform and on the page."""

import json
from datetime import UTC, datetime

import pytest

from adapters.chat.surface import QuestionOutcome, Shape
from adapters.rendering.outcome import conclude_reply
from adapters.slack.blocks import draw
from adapters.teams.message import draw_message
from router.cards import Approver, Buttons, Card, Choice, Code, Form, Head, Option, Reply, Table, Text, Waiting
from router.memory.draft import User
from router.memory.thread import ThreadKey

KEY = ThreadKey("slack", "T1", "C1", "1.0")
BOB = QuestionOutcome("Done", User("slack:UBOB", "Bob"), datetime(2026, 3, 15, 14, 3, tzinfo=UTC))
WAYS = (Option("yes", "Go", "primary"), Option("cancel", "Cancel"))
WAITING = Waiting((Approver("ana@example.com"),))
ROWS = Table((Head("id", "number"),), (("1",),), 1)

CARDS: dict[str, tuple[Card, ...]] = {
    "run": (
        Text("Revenue by region", "title"),
        Text("WARNING: nothing fitted the filter", "problem"),
        Code("SELECT 1 AS kept", "Shop"),
        Text("WARNING: AI can be wrong", "quiet"),
        WAITING,
        Buttons("ASKED: run this on Shop?", WAYS),
    ),
    "send": (Text("KEPT: to ana@example.com"), Text("WARNING: includes", "quiet"), Buttons("ASKED: send?", WAYS)),
    "write": (Text("KEPT: writes one row"), ROWS, Text("WARNING: job", "quiet"), WAITING, Buttons("ASKED?", WAYS)),
    "compare": (Text("KEPT: Compare *a* with *b*"), Text("WARNING: job", "quiet"), Buttons("", WAYS)),
    "repeat": (Text("KEPT: every Monday"), Code("SELECT 1"), WAITING, Buttons("ASKED: start repeating?", WAYS)),
    "choose": (Text("WARNING: that was none", "problem"), Choice("ASKED: which database?", WAYS)),
    "fill": (Text("WARNING: that was none", "problem"), Form("ASKED", ())),
}


def on_slack(cards: tuple[Card, ...]) -> str:
    """Return all that Slack is sent of an answered message, whatever it takes."""
    drawn = [draw(Reply(cards, turn=1), KEY, rich, decision="✓ Done · Bob") for rich in (True, False)]
    return str(drawn)


def on_teams(cards: tuple[Card, ...]) -> str:
    """Return all that Teams is sent of it."""
    return json.dumps(draw_message(Shape(Reply(cards, turn=1), KEY, BOB), None)[0], ensure_ascii=False)


def on_the_page(cards: tuple[Card, ...]) -> str:
    """Return what the page draws above the line that says how it was answered."""
    return str(conclude_reply(Reply(cards, turn=1)))


@pytest.mark.parametrize("name", CARDS)
def test_only_the_outcome_is_left(name: str) -> None:
    """No warning, nobody who is waited for and no question stands there any more."""
    for drawn in (on_slack(CARDS[name]), on_teams(CARDS[name]), on_the_page(CARDS[name])):
        assert [] == [word for word in ("WARNING", "ASKED", "ana@example.com approve", "Waiting for") if word in drawn]
    for drawn in (on_slack(CARDS[name]), on_teams(CARDS[name])):
        assert "✓ Done" in drawn
        assert ("KEPT" in str(CARDS[name])) == ("KEPT" in drawn)
