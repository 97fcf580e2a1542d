"""What is shown to whoever comes back to a talk: nothing twice, and what a killed process did not show."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, cast
from unittest.mock import create_autospec

from adapters.web.page_service import PageService

from adapters.chat.inbox import Inbox
from adapters.turns import Turns
from adapters.web.log import TalkLog
from adapters.web.talks import Talk, Talks, Viewer
from router.cards import Buttons, Form, Option, Reply, Table, Text
from router.jobs.cancellation import Stopping
from router.memory.draft import User
from router.storage.database import home_database
from router.turn import Filled, Incoming, Input, Opened, Pressed, Said

ME = User("os:me", "Me")
RESULT = Reply((Table((), (), total=0, result="r"), Buttons("", (Option("email@r", "E-mail"),), lasting=True)), turn=1)
FORM = Reply((Form("E-mail this result", ()),), turn=2)
CONFIRM = Reply((Buttons("Send this e-mail?", (Option("email", "Send"),)),), turn=3)
SENT = Reply((Text("✓ Sent to ana@example.com."),), beside=True, replace=True)
ASIDE = Reply((Text("You are welcome."),), beside=True)


class Mailing:
    """A core that e-mails a result, as the bot does; what is opened anew shows the result again."""

    def __init__(self) -> None:
        self.opened = 0

    def turn(self, incoming: Incoming, post: Callable[[Reply], None], stopping: Stopping) -> None:
        """Post what comes next."""
        match incoming.input:
            case Said("thanks"):
                post(ASIDE)
            case Said():
                post(RESULT)
            case Pressed("email@r"):
                post(FORM)
            case Filled():
                post(CONFIRM)
            case Pressed():
                post(SENT)
            case Opened():
                self.opened += 1
                post(Reply((*SENT.cards, *RESULT.cards), turn=4))


async def given(talks: Talks, talk: Talk, *inputs: Input) -> None:
    """Give the inputs, each once nothing is worked on any more."""
    for each in inputs:
        assert await talks.take(talk, each, "pressed", next(iter(talk.viewers)))
        await talk.resting.wait()


def test_who_comes_back_sees_nothing_twice(tmp_path: Path) -> None:
    """After an e-mail was sent the result stands; a killed process's press is made up for, once."""
    core = Mailing()

    async def play() -> None:
        log = TalkLog(database)
        talks, viewer = Talks(PageService(turns, log, Inbox(database, "web"))), create_autospec(Viewer, instance=True)
        talks.begin_hearing()
        thread = await talks.begin(ME, "regions")
        talk = talks.look(thread, ME, viewer)
        asked = Said("regions"), Pressed("email@r", 1), Filled({}, 2), Said("thanks")
        for last in (Pressed("email", 3), Said("send")):
            await given(talks, talk, *asked)
            question = log.question(thread)
            assert question
            assert question.reply == CONFIRM
            await given(talks, talk, last)
            shown = log.latest(thread, 100)
            await talks.catch_up(talk)
            await talk.resting.wait()
            assert (0, shown) == (core.opened, log.latest(thread, 100))

        await given(talks, talk, *asked)
        question = log.question(thread)
        assert question
        log.answer(question, "Send")  # and the process is killed before it shows what came of that
        for _ in range(2):
            await talks.catch_up(talk)
            await talk.resting.wait()
        assert 1 == core.opened

    with closing(home_database(tmp_path)) as database:
        turns = Turns(cast(Any, core))
        asyncio.run(play())
        turns.close()
