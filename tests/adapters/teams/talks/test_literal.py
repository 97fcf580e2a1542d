"""Words that Teams would read as something else: wherever they come from, they are seen as they are."""

import html
import json
from typing import Any

import pytest

from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.teams.cards.filling import inputs_of
from tests.platforms.teams.cards.judge import parts_of
from tests.platforms.teams.looking import shown
from tests.platforms.teams.world import Message

HARD = pytest.mark.parametrize(
    "hard",
    [
        "[x](http://evil)",
        "<at>all</at>",
        "<b>bold</b><script>alert(1)</script>",
        "&amp; **a** _b_",
        "{{DATE(2026-01-01T00:00:00Z)}}",
    ],
    ids=["link", "mention", "html", "marks", "date"],
)
LONG = "x" * 10_000


def texts_in(message: Message) -> list[str]:
    """Return what the message shows as it is: texts that no client reads as Markdown, and source."""
    parts = [part for part in parts_of(message.card) if part.get("isVisible") is not False]
    return [str(part[name]) for part in parts for name in ("text", "codeSnippet") if name in part]


def demand_literal(message: Message, hard: str) -> None:
    """Fail if this is not seen as it is, or anybody is mentioned."""
    seen = "\n".join(texts_in(message)).replace("\u2060", "")
    assert hard.casefold() in seen.casefold()  # names are folded where they are compared
    assert "TextBlock" not in [part.get("type") for part in parts_of(message.card, fallbacks=True)]
    assert "mention" not in json.dumps(message.activity.get("entities", []))


def typed(site: TeamsSite, words: str) -> Message:
    """Ask as Teams tells of what was typed: as text with the marks of HTML written out."""
    return site.ask(html.escape(words, quote=False))


def quoted(name: str) -> str:
    """Return a name as SQL quotes it."""
    return '"' + name.replace('"', '""') + '"'


@HARD
def test_in_rows_and_their_heads(site: TeamsSite, hard: str) -> None:
    """Cells and the names of columns are shown as they are."""
    asked = typed(site, f"SELECT '{hard}' AS {quoted(hard)}")
    site.press(site.offered(asked, "Run"), "Run")
    table = site.offered(asked, "CSV")
    demand_literal(table, hard)
    assert [text.replace("\u2060", "") for text in texts_in(table)].count(hard) == 2


@HARD
def test_in_questions_and_sql(site: TeamsSite, hard: str) -> None:
    """A question is repeated as it was typed, also above its chart; so is what stands in the SQL."""
    site.model.enqueue(f"SELECT name, id * 7 AS weight FROM regions WHERE name <> '{hard}'")
    asked = typed(site, f"How many regions are called {hard}?")
    approval = site.offered(asked, "Run")
    demand_literal(approval, f"'{hard}'")
    site.press(approval, "Run")
    demand_literal(site.offered(asked, "Chart"), f"How many regions are called {hard}?")
    site.press(site.offered(asked, "Chart"), "Chart")
    demand_literal(site.shown(asked, "South 14"), f"How many regions are called {hard}?")


@HARD
def test_in_what_is_wrong(site: TeamsSite, hard: str) -> None:
    """What is wrong is told with the names that were written, above a field with what was typed."""
    sql = f"SELECT name FROM {quoted(hard)} -- {hard}"
    form = site.offered(typed(site, sql), "Check it")
    demand_literal(form, hard)
    assert form.card is not None
    assert [each["value"] for each in inputs_of(form.card)] == [sql]


def test_ten_thousand_characters(site: TeamsSite) -> None:
    """In heads, cells, comments, questions and what is wrong: all is answered, and nothing is larger than it may be."""
    _, table = site.ran(f"SELECT '{LONG}' AS {quoted(LONG)}")
    assert "xxx…" in shown(table)
    site.ran(f"SELECT name /* {LONG} */ FROM regions")
    site.offered(site.ask(f"SELECT name FROM {quoted(LONG)}"), "Check it")
    approval = site.offered(site.ask(f"ask: How much is {LONG}?"), "Run")
    assert LONG in shown(approval)


@pytest.mark.parametrize("letter", ["\U0001d518", '"', "\\", "م"], ids=["astral", "quote", "backslash", "arabic"])
def test_what_is_small_in_letters_and_large_in_bytes(site: TeamsSite, letter: str) -> None:
    """Letters that take four bytes, and those that are written as two in JSON, are counted as what they take."""
    columns = ", ".join(f"x.c AS c{n}" for n in range(6))
    sql = f"SELECT {columns} FROM numbers CROSS JOIN (SELECT '{letter * 500}' AS c) AS x"
    _, table = site.ran(sql)
    rows: list[Any] = next(part for part in parts_of(table.card) if part.get("type") == "Table")["rows"]
    assert len(rows) == 21
