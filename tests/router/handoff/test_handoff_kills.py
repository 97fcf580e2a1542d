"""Handing a question to people through kills: they are asked once, and what nobody knows is said."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.rendering.plain_text import text_of
from router.engine import Router
from router.errors import PutOff, Unsure
from router.handoff.handoff import id_of
from router.memory.thread import Handoff
from router.notifier import Responders
from router.turn import Pressed
from tests.router.handoff.test_handoff import HELP, QUESTION, model, posted
from tests.support.mail_servers import PostOffice
from tests.support.talk import KEY, Talk


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, post: PostOffice) -> Iterator[Talk]:
    talk = Talk(tmp_path, model, mail_config=post.mail_config())
    talk.shared = True
    talk.services.humans.reach = Responders((HELP,))
    yield talk
    talk.close()


def started_anew(talk: Talk) -> None:
    """Have another process go on with the talk."""
    talk.router = Router(talk.store, talk.services)
    talk.notifier.failure = None


def test_nobody_knows_whether_it_arrived(talk: Talk) -> None:
    """They are not asked twice, and that is said."""
    talk.say(QUESTION)
    talk.notifier.failure = Unsure("lost")
    first = talk.press("human")
    talk.notifier.failure = None
    second = talk.say("ask a human")

    for said in (first, second):
        assert "it may have reached them, or not, and I do not ask twice." in said
    assert posted(talk) == []


@pytest.mark.parametrize(
    ("seen", "said", "asked"),
    [
        (True, "I asked the data team in #data-help about this, before I was stopped.", 0),
        (None, "it may have reached them, or not", 0),
        (False, "I asked the data team in #data-help; they answer you here.", 1),
    ],
)
def test_a_kill_while_they_are_asked(talk: Talk, seen: bool | None, said: str, asked: int) -> None:
    """The next process finds out whether they were, and asks them where they surely were not."""
    talk.say(QUESTION)
    talk.notifier.failure = KeyboardInterrupt()
    press = Pressed("human", talk.memory.turn)
    with pytest.raises(KeyboardInterrupt):
        talk.send(press, event="press")
    started_anew(talk)
    talk.notifier.seen = seen
    shown = talk.send(press, event="press")
    talk.say("ask a human")

    assert said in text_of(shown[-1])
    assert len(posted(talk)) == asked


@pytest.mark.parametrize(
    ("kept", "step", "said", "letters"),
    [
        ("sending", "", "I asked the data team by e-mail about this, before I was stopped.", 1),
        ("sending", "END", "it may have reached them, or not", 1),
        ("nothing", "", "I was stopped before I could ask the data team.", 0),
    ],
)
def test_a_kill_while_they_are_written_to(
    talk: Talk, post: PostOffice, kept: str, step: str, said: str, letters: int
) -> None:
    """The ledger knows what became of the e-mail."""
    talk.services.humans.reach = Responders(email="help@example.com")
    talk.say(QUESTION)
    post.be(step, "")
    if kept == "sending":
        talk.press("human")
    memory = talk.memory
    id = id_of(KEY, QUESTION)
    memory.struggle = memory.struggle.noting(Handoff(id, QUESTION, "email", "by e-mail", talk.clock()))
    talk.store.save(KEY, memory)
    post.be("", "")

    assert said in talk.open()
    assert len(post.letters) == letters


def test_an_end_before_they_are_asked(talk: Talk) -> None:
    """Where the process surely did not ask them, the next one does."""
    talk.say(QUESTION)
    talk.notifier.failure = PutOff()
    press = Pressed("human", talk.memory.turn)
    with pytest.raises(PutOff):
        talk.send(press, event="press")
    started_anew(talk)
    talk.send(press, event="press")

    assert len(posted(talk)) == 1
