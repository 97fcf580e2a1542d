"""What is read out of an activity, whatever is in it."""

import json

import pytest

from adapters.chat.inbox import Inbox
from adapters.chat.shown_messages import ShownMessages
from adapters.teams.controls import asked_in
from adapters.teams.inbound import heard_message, menu_in
from adapters.teams.server import activity_of
from router.storage.database import Database
from router.turn import Said
from tests.adapters.teams.fake_microsoft import activity


def words_of(text: str, **changes: object) -> str:
    """Return what the bot reads in a message."""
    given = heard_message(activity_of(json.dumps(activity(text=text) | changes).encode())).input
    assert isinstance(given, Said)
    return given.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('tell <at>Alex Wilber</at> &amp; <at id="1">Kim</at>', "tell @Alex Wilber & @Kim"),
        ("a &lt;at&gt;b&lt;/at&gt;", "a <at>b</at>"),
        ("<at>a <at>b</at>", "<at>a @b"),
        ("a < b", "a < b"),
    ],
)
def test_mentions_of_people(text: str, words: str) -> None:
    """Whom a message names is read as @ and the name; what was typed stays."""
    assert words == words_of(text)


@pytest.mark.parametrize("unit", ["<at>", "<at", "<at ", "</at>", "<at>a"])
def test_a_message_made_of_marks(unit: str) -> None:
    """However many marks there are without their end, each is looked at once."""
    text = unit * (900_000 // len(unit))
    assert text.startswith(words_of(text))


def test_a_message_made_of_mentions() -> None:
    """However many names of the bot are told, a few are looked for."""
    given = activity(text="&" * 100_000)
    bot = given["recipient"]
    mentions = [{"type": "mention", "mentioned": bot, "text": f"<at>{n}</at>"} for n in range(9_000)]
    assert "&" * 100_000 == words_of(given["text"], entities=mentions)


def test_half_characters(database: Database) -> None:
    """Half a character, which JSON can hold, is a question mark wherever it stands, and can be kept."""
    given = activity(
        text="how many \ud83d?", value={"a\udc00": ["\ud83d"], "v": "press", "k": "a/b/c/\ud83d", "t": 1, "c": 0}
    )
    read = activity_of(json.dumps(given).encode())
    assert ("how many ??", ["?"]) == (read["text"], read["value"]["a?"])
    inbox, shown = Inbox(database, "teams"), ShownMessages(database, "teams")
    assert inbox.take(heard_message(read))
    assert shown.question(asked_in(read["value"])[1].key) is None
    assert menu_in("1:0:a/b/c/?", read, shown) is None


REPLY = '<blockquote itemscope itemtype="http://schema.skype.com/Reply" itemid="17"><strong>Bob</strong>{}</blockquote>'


def html_of(content: str) -> dict[str, object]:
    """Return the HTML that a client sends beside the text."""
    return {"contentType": "text/html", "content": content}


@pytest.mark.parametrize(
    ("text", "attachments"),
    [
        ('<quoted messageId="17"/>revenue by region?', []),
        ('<quoted messageId="17"/><quoted messageId="18"/> revenue by region?', []),
        ("<quoted  messageId='17' ></quoted>\nrevenue by region?", []),
        ('revenue by <quoted messageId="17"/>region?', []),
        ('<attachment id="17"></attachment>revenue by region?', []),
        (REPLY.format("<p itemprop='preview'>SELECT 1</p>") + "<p>revenue by region?</p>", []),
        ("Bob\nSELECT 1\nrevenue by region?", [html_of(REPLY.format("SELECT 1") + "<p>revenue by region?</p>")]),
        ("revenue by region?\n\nSELECT 1", [html_of("<p>revenue by region?</p><blockquote>SELECT 1</blockquote>")]),
    ],
)
def test_what_is_quoted_is_no_part_of_the_words(text: str, attachments: list[object]) -> None:
    """In whatever form Teams tells of a quote, only what was typed beside it is read."""
    assert words_of(text, attachments=attachments).split() == ["revenue", "by", "region?"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("select a from t\nwhere a<quoted and b>3", "select a from t\nwhere a<quoted and b>3"),
        ('<quoted messageId="17"/>select a\nfrom t', "select a\nfrom t"),
        (REPLY.format("x") + "<div>select a<br>from t<br>where a &lt; 5</div>", "select a\nfrom t\nwhere a < 5"),
        (f"{REPLY.format('x')}<p><at>Bot</at>&nbsp;hello</p>", "hello"),
        ("<blockquote>hello</blockquote>", "<blockquote>hello</blockquote>"),
    ],
)
def test_the_words_beside_a_quote(text: str, words: str) -> None:
    """They keep their lines, and a mention of the bot is none of them."""
    bot = activity()["recipient"]
    mention = {"type": "mention", "mentioned": bot, "text": "<at>Bot</at>"}
    assert words_of(text, entities=[mention]) == words


def test_a_quote_in_html_keeps_the_mention_out() -> None:
    """The name of the bot, which HTML has as a span, is taken off as it is in the text."""
    bot = activity()["recipient"]
    span = '<span itemtype="http://schema.skype.com/Mention" itemscope="" itemid="0">Bot</span>&nbsp;'
    mention = {"type": "mention", "mentioned": bot, "text": "<at>Bot</at>"}
    content = html_of(f"{REPLY.format('SELECT 1')}<p>{span}hello there</p>")
    assert words_of("Bob SELECT 1 <at>Bot</at> hello there", entities=[mention], attachments=[content]) == "hello there"


@pytest.mark.parametrize(
    "unit", ["<blockquote>", '<quoted messageId="', "<blockquote itemid='", "<quoted messageId='1'/>"]
)
def test_a_message_made_of_quotes(unit: str) -> None:
    """However many there are without their end, each is looked at once."""
    words_of(unit * (900_000 // len(unit)))
