"""A cell of megabytes, on every platform: its beginning, a sign that it goes on, and next to no time or memory."""

import time

import pytest

from adapters.rendering.plain_text import text_of
from adapters.rendering.speech import speak
from adapters.slack import blocks
from adapters.teams import cards
from adapters.web.cards import cells_for_page
from router.cards import Chart, Head, Reply, Series, Table
from router.jobs.mail.body import as_html, as_text
from tests.router.jobs.mail.test_body import REPORT
from tests.support.replies import KEY

LONG = "word " * 600_000
TABLE = Table((Head("n", "number"), Head("text"), Head(LONG)), (("1", LONG, LONG), ("2", "short", None)) * 5, 10)
CHART = Chart("Revenue", "bar", (LONG, f"{LONG}x", "short"), (Series("a", (1.0, 2.0, 3.0)), Series(LONG, (1.0,) * 3)))


@pytest.mark.parametrize("card", [TABLE, CHART], ids=["table", "chart"])
@pytest.mark.parametrize("platform", ["console", "slack", "slack text", "teams", "teams spoken"])
def test_a_cell_of_megabytes_is_cut_before_it_is_drawn(platform: str, card: Table | Chart) -> None:
    """What is sent stays a short message."""
    reply = Reply((card,), turn=1)
    started = time.process_time()
    match platform:
        case "console":
            sent = text_of(reply)
        case "teams":
            drawn = cards.draw(reply, KEY)
            sent = f"{drawn.text}{drawn.card}{drawn.summary}"
        case "teams spoken":
            sent = speak(reply)
        case _:
            message = blocks.draw(reply, KEY, rich=platform == "slack")
            sent = f"{message.text}{message.blocks}"
    took = time.process_time() - started
    assert len(sent) < 60_000
    if platform == "teams spoken":
        assert sent == ("10 rows." if card is TABLE else "Chart: Revenue")  # no cells: it is read on locked screens
    else:
        assert "…" in sent
    assert took < 2


def test_a_browser_gets_the_beginning() -> None:
    """The whole cell is in the file."""
    rows = cells_for_page(TABLE)
    assert max(len(cell or "") for row in rows for cell in row) == 400
    assert (rows[0][1] or "").endswith("…")
    assert rows[1][1:] == ["short", None]


def test_an_email_shows_the_beginning() -> None:
    """In both of its forms."""
    report = type(REPORT)("", TABLE, "", "", "", "", REPORT.read, "S-1")
    for text in (as_text(report), as_html(report)):
        assert len(text) < 30_000
        assert "…" in text
