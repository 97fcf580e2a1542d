"""A talk that a person comes back to: nothing twice, and what a killed process did not show."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from unittest.mock import create_autospec

from adapters.chat.surface import Heard
from adapters.turns import Turns
from adapters.web.log import key_of
from adapters.web.talks import Talk, Talks, Viewer
from bot.commands.web import at_work, page_talks
from router.cards import Buttons, Card, Form, Option, Reply, Table, Text
from router.jobs.cancellation import Stopping
from router.memory.draft import User
from router.storage.database import home_database
from router.turn import Filled, Incoming, Input, Opened, Pressed, Said
from tests.adapters.web.scripted_core import Scripted, bot_of

ME = User("os:me", "Me")
RESULT = Reply((Table((), (), total=0, result="r"), Buttons("", (Option("email@r", "E-mail"),), lasting=True)), turn=1)
FORM = Reply((Form("E-mail this result", ()),), turn=2)
CONFIRM = Reply((Buttons("Send this e-mail?", (Option("email", "Send"),)),), turn=3)
SENT = Reply((Text("✓ Sent to ana@example.com."),), beside=True, replace=True)
ASIDE = Reply((Text("You are welcome."),), beside=True)


class Mailing(Scripted):
    """A core that e-mails a result, as the bot does; what is opened again shows the question that stands."""

    def turn(self, incoming: Incoming, post: Callable[[Reply], None], stopping: Stopping) -> None:
        """Post what comes next."""
        self._owners[incoming.key] = incoming.user
        match incoming.input:
            case Said("thanks"):
                reply = ASIDE
            case Said() | Opened():
                reply = replace(RESULT, turn=self._turn.get(incoming.key, 0) + 1)
            case Pressed("email@r"):
                reply = FORM
            case Filled():
                reply = CONFIRM
            case Pressed():
                reply = SENT
        self._turn[incoming.key] = max(self._turn.get(incoming.key, 0), reply.turn)
        post(reply)


async def given(talks: Talks, talk: Talk, *inputs: Input) -> None:
    """Give the inputs, each once nothing is worked on any more."""
    for each in inputs:
        assert await talks.take(talk, each, next(iter(talk.viewers)))
        await talk.resting.wait()


def shown(talks: Talks, talk: Talk) -> list[tuple[Card, ...] | str]:
    """Return what stands in a talk."""
    return [entry.said or entry.reply.cards for entry in talks.log.latest(talk.thread, 100)]


def test_who_comes_back_sees_nothing_twice(tmp_path: Path) -> None:
    """After an e-mail was sent, that stands where its card was; a killed process's words are answered, once."""
    core = cast(Any, Mailing(tmp_path))

    async def play() -> None:
        bot = bot_of(core, database)
        talks, viewer = page_talks(bot, turns, None), create_autospec(Viewer, instance=True)
        talks.begin_hearing()
        talk = talks.look(await talks.begin(ME, "regions"), ME, viewer)
        await given(talks, talk, Said("regions"), Pressed("email@r", 1), Filled({}, 2), Said("thanks"))
        stands = ["regions", RESULT.cards, CONFIRM.cards, "thanks", ASIDE.cards]
        assert stands == shown(talks, talk)
        await given(talks, talk, Pressed("email", 3))
        stands[2] = SENT.cards
        assert stands == shown(talks, talk)
        await talks.catch_up(talk)
        await asyncio.wait_for(talk.resting.wait(), 20)

        # What an earlier process took, and did not come to work on.
        talks.service.inbox.take(Heard(key_of(talk.thread), ME, Said("regions"), "said 99", shared=False))
        await talks.catch_up(talk)
        assert talk.running
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(at_work(talks, bot))
            await asyncio.wait_for(talk.resting.wait(), 10)
            assert [*stands, RESULT.cards] == shown(talks, talk)
            await talks.catch_up(talk)
            assert not talk.running

    with closing(home_database(tmp_path)) as database:
        turns = Turns(core)
        asyncio.run(play())
        turns.close()
