"""Results that are large, wide, or hard to show."""

import csv
import io
import json
from typing import Any

import pytest

from tests.adapters.slack.talks.site import COLUMNS, NASTY, ROWS, SlackSite, table_in
from tests.platforms.slack.world import File, Message

HTTP = pytest.mark.parametrize("shared_site", ["http"], indirect=True)


def asked(site: SlackSite, sql: str) -> Message:
    """Run this SQL, and return the result."""
    root = site.slack.dm("ULARS", sql)
    site.slack.press(site.slack.wait_message("ULARS", "Run on", thread=root), "Run", user="ULARS")
    table = site.slack.wait_message("ULARS", "CSV", thread=root)
    site.idle(root, turns=2)
    return table


def rows_of(message: Message) -> list[list[str]]:
    """Return the cells of the message's table as they are shown, without the head."""
    return [[_shown(cell) for cell in row] for row in table_in(message)[1:]]


def _shown(cell: dict[str, Any]) -> str:
    """Return a cell's text, without what keeps the direction of its letters to itself."""
    if cell["type"] == "rich_text":
        return str(cell["elements"][0]["elements"][0]["text"])
    return str(cell["text"]).strip("\u2068\u2069")


def turn_page(site: SlackSite, table: Message, first: int) -> None:
    """Press Next, and return once the page begins with this id."""
    site.slack.press(table, "Next", user="ULARS")
    site.slack.wait(lambda: rows_of(table)[0][0] == str(first))


def file_of(site: SlackSite, table: Message) -> File:
    """Choose CSV below a table, and return the file."""
    before = len(site.slack.files)
    site.download(table, "CSV", user="ULARS")
    file = site.slack.wait(lambda: site.slack.files[before:])[0]
    assert table.thread is not None
    assert file.thread == table.thread
    return file


@pytest.mark.thorough
@HTTP
def test_forty_columns_and_five_thousand_rows(site: SlackSite) -> None:
    """Next goes through a wide result without leaving a row out, and CSV has all of it."""
    table = asked(site, "SELECT * FROM measurements ORDER BY id")
    seen: list[list[str]] = []
    for page in range(5):
        if page:
            turn_page(site, table, len(seen) + 1)
            site.idle(table, turns=2 + page)
        seen += rows_of(table)
    assert seen == [[str(row), *(str(row * 100 + n) for n in range(1, 20))] for row in range(1, len(seen) + 1)]
    assert len(seen) == 500
    lines = list(csv.reader(io.StringIO(file_of(site, table).content.decode("utf-8-sig"))))
    assert len(lines) == ROWS + 1
    assert {len(line) for line in lines} == {COLUMNS}
    assert lines[-1][-1] == str(ROWS * 100 + COLUMNS - 1)


def test_cells_that_are_hard_to_show(site: SlackSite) -> None:
    """What would ping, break or overflow a message is shown as text, every row of it; CSV has it whole."""
    table = asked(site, "SELECT * FROM oddities ORDER BY id")
    seen: list[list[str]] = []
    turns = 2
    while True:
        seen += rows_of(table)
        if "Next" not in json.dumps(table.blocks):
            break
        turns += 1
        turn_page(site, table, len(seen) + 1)
        site.idle(table, turns=turns)
    assert [row[0] for row in seen] == [str(n) for n in range(1, 121)]
    assert {len(row) for row in seen} == {12}
    assert {cell for row in seen for cell in row} >= {"<!channel>", "98765432109876543210", "مرحبا بالعالم", "NULL"}
    said = json.dumps([[m.text, *m.edits] for m in site.slack.messages("ULARS", table.thread) if m.bot_id])
    assert "<!channel" not in said.replace('"raw_text", "text": "<!channel>"', "")
    assert "<@U1>" not in said.replace('"raw_text", "text": "<@U1>', "")
    lines = list(csv.reader(io.StringIO(file_of(site, table).content.decode("utf-8-sig"))))
    assert len(lines) == 121
    assert "x" * 10_000 in lines[1]
    assert any("98765432109876543210" in cell for cell in lines[1])
    assert len({cell for line in lines[1:] for cell in line[1:]}) >= len(NASTY) - 1
