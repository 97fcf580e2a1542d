"""Charts in a talk: who sees them, what is kept of them, and how they are drawn again."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from adapters.rendering.card_json import reply_from_json, reply_json
from router.cards import Chart, Reply, Text
from tests.platforms.ollama import Ollama
from tests.support.talk import ANA, BOB, Talk, llm_at

QUERY = "SELECT status, SUM(total) AS revenue FROM orders GROUP BY status ORDER BY status"


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, server: Ollama) -> Iterator[Talk]:
    extra = '[channels]\nprivate = ["*"]\n'
    talk = Talk(tmp_path, partial(llm_at, server.url), extra=extra)
    yield talk
    talk.close()


def drawn(talk: Talk, query: str = QUERY) -> tuple[Reply, Chart]:
    """Run the query and draw it; returns the chart with the reply that it came in."""
    talk.say(query)
    talk.say("run")
    talk.press("chart")
    return next((reply, card) for reply in reversed(talk.replies) for card in reply.cards if isinstance(card, Chart))


def test_a_chart_is_kept_without_values_and_drawn_again_from_the_rows(talk: Talk) -> None:
    """What a platform keeps names the result alone; what is drawn from it is the same chart."""
    reply, chart = drawn(talk)
    kept = reply_json(reply)
    assert "cancelled" not in kept
    assert "1488" not in kept
    bare, *_ = reply_from_json(kept).cards
    assert isinstance(bare, Chart)

    assert bare == replace(chart, labels=(), series=())
    assert talk.router.history.redraw(ANA, bare) == chart
    pie = replace(bare, kind="pie")
    assert talk.router.history.redraw(ANA, pie) == replace(chart, kind="pie")


def test_a_chart_keeps_the_order_that_it_was_drawn_in(talk: Talk) -> None:
    """Rows that are sorted are drawn so, and drawn again so whatever order they are shown in since."""
    drawn(talk)
    talk.say("sort by revenue, largest first")
    talk.press("chart")
    reply = next(each for each in reversed(talk.replies) if any(isinstance(card, Chart) for card in each.cards))
    talk.say("reverse the order")
    bare, *_ = reply_from_json(reply_json(reply)).cards
    again = talk.router.history.redraw(ANA, bare)

    assert isinstance(again, Chart)
    assert (again, again.labels) == (reply.cards[0], ("paid", "open", "cancelled"))


def test_a_chart_of_the_past_needs_its_rows_and_todays_right(talk: Talk) -> None:
    """Who may not read the database any more reads a sentence, and so does everybody once the rows expired."""
    _, chart = drawn(talk)
    readers = frozenset({"bob@example.com"})
    talk.change("shop", readers=readers)
    refused = talk.router.history.redraw(ANA, chart)
    assert isinstance(refused, Text)
    assert refused.body.startswith('There is no connection "shop" that you may use (any more).')
    assert talk.router.history.redraw(BOB, chart) == chart

    talk.clock.now += timedelta(days=8)
    gone = Text("This result is gone: I keep rows for 7 days. Press Run to read it again.", "problem")
    assert talk.router.history.redraw(BOB, chart) == gone


@pytest.mark.parametrize(("number", "said"), [("9007199254740993", True), ("42", False)])
def test_what_excel_cannot_hold_is_said_with_the_file(talk: Talk, number: str, said: bool) -> None:
    """A file in which numbers are texts comes with a sentence about its notes."""
    talk.say(f"SELECT {number} AS n")
    talk.say("run")
    shown = talk.press("xlsx")
    assert said == ("its last sheet, Notes, says which" in shown), shown


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("just the csv", ".csv"),
        ("csv, not excel", ".csv"),
        ("kein csv, excel", ".xlsx"),
        ("draw a chart but not a pie", "█"),
        ("neither csv nor excel", "I did nothing yet"),
        ("I don't want a chart", "I did nothing yet"),
        ("json", "I did nothing yet"),
    ],
)
def test_only_what_was_asked_for_is_made(talk: Talk, text: str, made: str) -> None:
    """A format that a sentence denies is none that it asks for; where it names none, the buttons ask."""
    talk.say(QUERY)
    talk.say("run")
    assert made in talk.say(text)
