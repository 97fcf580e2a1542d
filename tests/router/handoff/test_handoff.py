"""Handing a question to people: once, with no rows, through failures and kills."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.rendering.plain_text import text_of
from router.cards import Link, Table
from router.errors import AgentFailed, JobFailed
from router.llm.client import Llm
from router.notifier import Channel, Responders
from router.turn import Pressed
from tests.support.golden_talk import check_words
from tests.support.mail_servers import PostOffice
from tests.support.shop import build_shop
from tests.support.talk import KEY, Talk

HELP = Channel("test", "CHELP", "#data-help")
QUESTION = "how many customers are there?"
ROWS = "SELECT name FROM regions"


def model() -> Llm:
    raise AgentFailed("The model is out of order.")


@pytest.fixture(name="rights")
def _rights() -> str:
    return ""


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, rights: str, post: PostOffice) -> Iterator[Talk]:
    build_shop(tmp_path / "shop.sqlite")
    top, _, more = rights.partition("\n\n")
    block = f'{top}\n[connections.shop]\nid = 1\nlabel = "Shop"\nurl = "sqlite:///shop.sqlite"\n{more}'
    (tmp_path / "connections.toml").write_text(block)
    talk = Talk(tmp_path, model, mail_config=post.mail_config())
    talk.shared = True
    talk.services.humans.reach = Responders((HELP,))
    yield talk
    talk.close()


def posted(talk: Talk) -> list[str]:
    """Return what was said to people."""
    return [text_of(news.reply) for news in talk.notifier.news]


def test_no_rows_are_told(talk: Talk) -> None:
    """People see SQL that was run, where it belongs to, and nothing of what it found."""
    talk.say(ROWS)
    assert "North" in talk.press("yes")
    said = talk.say("ask a human: is there no West?")

    (news,) = talk.notifier.news
    assert "They were told your question with what became of it, and no rows." in said
    assert (KEY.platform, "CHELP", "") == (news.key.platform, news.key.channel, news.key.thread)
    assert "is there no West?" in text_of(news.reply)
    assert f"Shop:\n    {ROWS}" in text_of(news.reply)
    assert "North" not in repr(news)
    assert not any(isinstance(card, Table) for card in news.reply.cards)
    assert Link("Open the conversation", "https://chat.example/1") in news.reply.cards


def test_they_are_asked_once(talk: Talk) -> None:
    """However often it is pressed, typed, or delivered."""
    talk.say(QUESTION)
    turn = talk.memory.turn
    talk.send(Pressed("human", turn), event="press")
    talk.send(Pressed("human", turn), event="press")
    talk.press("human", turn)
    again = talk.say("talk to a person")

    assert "I asked the data team in #data-help about this already, at 09:00." in again
    assert len(posted(talk)) == 1


def test_in_a_direct_message(talk: Talk) -> None:
    """Nobody else can open it, so that people are told to write to the asker."""
    talk.shared = False
    talk.say(QUESTION)
    said = talk.press("human")

    assert "I asked the data team in #data-help; they write to you." in said
    assert "which nobody else sees: write to them." in posted(talk)[0]
    assert "https://" not in posted(talk)[0]


def test_an_email_where_the_channel_fails(talk: Talk, post: PostOffice) -> None:
    """It has the question, the SQL and what went wrong, its answers go to the asker, and it has no rows."""
    talk.services.humans.reach = Responders((HELP,), "help@example.com")
    talk.notifier.failure = JobFailed("not in channel")
    talk.say(ROWS)
    talk.press("yes")
    said = talk.say("ask a human")

    letter = post.read()
    plain, html = (part.get_content() for part in letter.iter_parts())
    assert "I asked the data team by e-mail; they write to you." in said
    assert (letter["To"], letter["Reply-To"]) == ("help@example.com", "Ana <ana@example.com>")
    assert letter["Subject"] == "Ana (ana@example.com) asks for help with a question on Shop"
    for body in (plain, html):
        assert ROWS in body
        assert "Open the conversation: https://chat.example/1" in body
        assert "North" not in body
        assert "No rows" not in body


LIMITED = (
    "Ana (ana@example.com) asks for help with a question on Shop.\n\nOpen the conversation: https://chat.example/1"
)


@pytest.mark.parametrize(
    "rights",
    [
        "\n\nprivate = true\n",
        '[channels]\nprivate = ["test:CHELP"]\n\n',
        '[channels]\nallowed = ["test:"]\n\n',
    ],
)
def test_what_a_channel_may_not_be_told(talk: Talk, post: PostOffice) -> None:
    """There, nothing is told but who asks; by e-mail, where there is an address, all of it."""
    talk.say(QUESTION)
    said = talk.press("human")
    talk.services.humans.reach = Responders((HELP,), "help@example.com")
    talk.say("which customers are there?")
    talk.press("human")

    assert "They were told that you ask for help with a question on Shop, and nothing of it." in said
    assert posted(talk) == [LIMITED]
    assert "which customers are there?" in str(post.read())


@pytest.mark.parametrize("rights", ['\n\nsensitivity = "Confidential"\n'])
def test_what_is_sensitive_is_labelled(talk: Talk) -> None:
    """As it is everywhere else."""
    talk.say(ROWS)
    talk.say("ask a human")

    assert [news.reply.sensitivity for news in talk.notifier.news] == ["Confidential"]


def test_nobody_is_asked_unasked(talk: Talk) -> None:
    """However often a question fails, in whatever words, the button is offered for it, and no more."""
    for said in (QUESTION, "again", "again", "how many customers?"):
        shown = talk.say(said)
        assert "Ask a human" in shown

    assert posted(talk) == []


def test_people_are_told_what_went_wrong_and_once(tmp_path: Path) -> None:
    """A person who asks twice is told that they were asked; a person who would ask is told what those people see."""
    check_words(
        tmp_path,
        """Help.
@humans channel
@channel
@model !500
> how many customers are there?
@press human
*What went wrong:*
> talk to a human
I asked the data team in #data-help about this already, at 09:00. I ask them once about a question.
> ask a human because I need it by noon
To have people look at this, type `human`: they are told your question and the SQL, and no rows.
""",
    )
