"""Text between people and Slack."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.rendering.text import strip_marks
from adapters.slack.mrkdwn import JOINER, escaped, fit, marked, read_typed


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("a &lt; 5 AND b &gt; 3 &amp;&amp; c", "a < 5 AND b > 3 && c"),
        ("&amp;lt;", "&lt;"),
        ("see <https://x.y/z|x.y/z>", "see x.y/z"),
        ("see <https://x.y/?a=1&amp;b=2>", "see https://x.y/?a=1&b=2"),
        ("SELECT <http://u.id|u.id> FROM u", "SELECT u.id FROM u"),
        ("<mailto:a@b.c|a@b.c> and <mailto:a@b.c>", "a@b.c and a@b.c"),
        ("<@U123> and <@U123|ana>", "@U123 and @ana"),
        ("in <#C123|general> and <#C123|>", "in #general and #C123"),
        ("<!here> <!channel|channel> <!everyone>", "@here @channel @everyone"),
        ("<!subteam^S1|@team> <!subteam^S1>", "@team @S1"),
        ("<!date^1731000000^{date}|Nov 7>", "Nov 7"),
        ("`WHERE a &lt; 1 AND m = '<mailto:a@b.c|a@b.c>'`", "`WHERE a < 1 AND m = 'a@b.c'`"),
        ("“typographic” ‘quotes’", "“typographic” ‘quotes’"),
        ("a <b> c", "a <b> c"),
    ],
)
def test_what_was_typed_is_read_without_slacks_marks(sent: str, meant: str) -> None:
    """A model and the SQL guard see what the person saw on typing."""
    assert read_typed(sent) == meant


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_slacks_escapes(text: str) -> None:
    """What Slack escapes on the way in is decoded once, and only once."""
    sent = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert read_typed(sent) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a < b & c", "a &lt; b &amp; c"),
        ("<!channel>", "&lt;!channel&gt;"),
        ("order_items, count(*)", "order_items, count(*)"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("12:30:45", "12:30:45"),
        ("a\x00b\x1b\u202ec\r\nd", "abc\nd"),
    ],
)
def test_harmless_text_is_only_escaped(text: str, shown: str) -> None:
    """Where Slack would read no mark, none is disturbed."""
    assert escaped(text) == shown


@pytest.mark.parametrize(
    "text",
    ["*bold*", "_it_", "~st~", "`code`", ":smile:", ":8ball:", "https://x.y", "@channel", "@here", "> quote", "  > q"],
)
def test_text_that_slack_would_read_is_kept_from_it(text: str) -> None:
    """A zero-width character stands where a mark would be read, and nothing else has changed."""
    shown = escaped(text)
    assert JOINER in shown
    assert text == read_typed(shown).replace(JOINER, "")


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("the *bold* one", "the *bold* one"),
        ("`a < b` and c", "`a &lt; b` and c"),
        ("`*not bold*`", "`*not bold*`"),
        ("count(*) and sum(*)", f"count({JOINER}*{JOINER}) and sum({JOINER}*{JOINER})"),
        ("*a_b* `c`", "*a_b* `c`"),
    ],
)
def test_the_two_marks_of_a_card_are_kept(body: str, shown: str) -> None:
    """`code` and *bold* reach Slack as they are; everything else is neutral."""
    assert marked(body) == shown


@given(st.text(alphabet="<>&!@#|`*_~:/ab \n", max_size=200))
def test_no_text_pings_or_links(text: str) -> None:
    """No angle bracket is left in mrkdwn, and no word after @ that pings."""
    for shown in (escaped(text), marked(text)):
        assert not re.search("[<>]", shown)
        assert not re.search(r"&(?!(amp|lt|gt);)", shown)


@given(st.text(alphabet="`*_~:> a\n", max_size=80))
def test_no_character_is_lost(text: str) -> None:
    """Without the zero-width characters, what is shown is what was given."""
    assert read_typed(escaped(text)).replace(JOINER, "") == text
    assert read_typed(marked(strip_marks(text))).replace(JOINER, "").replace("\u2060", "") == strip_marks(text)


@given(st.text(alphabet="&<>ab", max_size=60), st.integers(2, 40))
def test_a_cut_text_ends_in_no_half_escape(text: str, most: int) -> None:
    """However short, the cut text is whole mrkdwn."""
    shown = fit(text, most)
    assert len(shown) <= most
    assert not re.search(r"&(?!(amp|lt|gt);)", shown)


def test_a_channel_is_a_link_by_its_name() -> None:
    """Where the bot names one by its id; not in data, in code, or where it is none."""
    assert "rows in <#C0SALES01>, each time" == marked("rows in #C0SALES01, each time")
    assert ["#C0SALES01", "`#C0SALES01`", "#12 and #sales"] == [
        escaped("#C0SALES01"),
        marked("`#C0SALES01`"),
        marked("#12 and #sales"),
    ]
