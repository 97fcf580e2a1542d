"""What cannot be seen is written out wherever SQL is shown."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.rendering.plain_text import text_of_card
from adapters.rendering.text import remove_unseen, reveal
from adapters.slack.blocks import draw
from adapters.web.code import highlighted
from router.cards import Code, Field, Form, Reply
from tests.support.replies import KEY
from tests.support.rows import every_row

HIDDEN = (
    "\u00ad\u061c\u200b\u200f\u202e\u2028\u2029\u2062\u2067\ufeff\u034f\u115f\u1160\u3164\uffa0\u2800\ufe0f\x0b\x7f"
)
SPACES = "\u00a0\u1680\u2003\u200a\u202f\u205f\u3000"
BEYOND = "\ue000\U000e0041\U000e0100\U000f0000\ufdd0"
SQL = "SELECT 1 -- \u202eyrev\u00a0safe\u3164\n, 2"
READ = "SELECT 1 -- \\u202eyrev\\u00a0safe\\u3164\n, 2"


@every_row("character", HIDDEN + SPACES + BEYOND)
def test_what_is_hidden_is_written_out(character: str) -> None:
    """Each character that is invisible, a blank of another kind, or without a meaning is read as its number."""
    number = ord(character)
    written = f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
    assert f"a{written}b" == reveal(f"a{character}b")


def test_what_is_seen_stays() -> None:
    """Letters of every script, accents, signs, line ends and tabs are what they were."""
    seen = "SELECT\t'Zoë, Ångström, Łódź, 東京, עברית, العربية, हिन्दी, e\u0301, €, 🙂'\nFROM t"
    assert seen == reveal(seen)
    assert "a\nb" == reveal("a\r\nb")
    assert "a\\u000db" == reveal("a\rb")


@given(st.text())
def test_nothing_hidden_is_left(source: str) -> None:
    """Whatever the source is, no format, control or blank but the common ones is left in what is shown."""
    left = {unicodedata.category(character) for character in set(reveal(source)) - set("\n\t ")}
    assert set() == left & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
    assert remove_unseen(source).count("\u202e") == 0


@pytest.mark.parametrize("rich", [True, False])
def test_slack_shows_it(rich: bool) -> None:
    """A message of Slack has the SQL with what is hidden written out, however simple it is drawn."""
    drawn = draw(Reply((Code(SQL, "Shop", "sql"),)), KEY, rich)
    said = f"{drawn.text} {drawn.blocks}"
    assert "\\u202eyrev" in said.replace("\\\\", "\\")
    assert "\u202e" not in said
    assert "\u3164" not in said


def test_a_terminal_shows_it() -> None:
    """Plain text has the SQL of a card, and of a form, with what is hidden written out."""
    form = Form("Edit the SQL", (Field("sql", "SQL", "code", SQL),))
    assert READ.splitlines() == [line.strip() for line in text_of_card(Code(SQL)).splitlines()]
    assert READ.splitlines() == [line.strip() for line in text_of_card(form).splitlines()[-2:]]


def test_the_page_shows_it() -> None:
    """The page has the SQL with what is hidden written out."""
    page = highlighted(SQL, "sql")
    assert "\\u202eyrev\\u00a0safe\\u3164" in page
    assert "\u202e" not in page
