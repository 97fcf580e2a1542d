"""Who ends what, with the real core and a real database that works for minutes."""

import asyncio
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from adapters.rendering.plain_text import text_of
from adapters.turns import NotBegun, Turns
from router.cards import Reply
from router.jobs.cancellation import SHUT_DOWN
from router.memory.stage import Stage
from router.memory.thread import ThreadKey
from router.turn import Incoming, Pressed, Said
from tests.platforms.ollama import Answer, Ollama
from tests.support.talk import ANA, BOB, KEY, Talk, llm_at

ENDLESS = "SELECT COUNT(*) AS n FROM numbers a, numbers b, numbers c, numbers d, numbers e, numbers f, numbers g"
OTHER = ThreadKey("test", "", "", "2")


@pytest.fixture(name="talk")
def _talk(tmp_path: Path) -> Iterator[Talk]:
    """Return a talk that waits for Bob to approve an endless query of Ana's."""
    with Ollama() as server:
        talk = Talk(tmp_path, partial(llm_at, server.url))
        talk.change("shop", approvers=frozenset({"bob@example.com"}))
        talk.say(ENDLESS)
        yield talk
        talk.close()


def started(talk: Talk) -> list[str]:
    """Return the threads whose queries were started."""
    lines = (talk.folder / "audit.jsonl").read_text().splitlines()
    return [entry["thread"] for entry in map(json.loads, lines) if entry["event"] == "started"]


async def test_the_end_of_the_process_ends_what_an_approver_began(talk: Talk) -> None:
    """A query that Bob started in Ana's talk is cancelled in the database, and the talk says why."""
    turns, shown = Turns(talk.router), list[Reply]()

    async def deliver(reply: Reply) -> None:
        shown.append(reply)

    press = asyncio.create_task(turns.handle(Incoming(KEY, BOB, Pressed("yes", talk.memory.turn)), deliver))
    while not started(talk):
        await asyncio.sleep(0.001)
    turns.drain()
    turns.end_all()
    async with asyncio.timeout(20):
        await press

    assert text_of(shown[-1]).startswith(SHUT_DOWN)
    assert talk.stage == Stage.CONFIRM_USER_SQL
    turns.close()


async def test_sql_that_was_being_written_is_written_by_the_next_process(tmp_path: Path) -> None:
    """However often a process ends meanwhile, nobody is told to ask again."""
    said, go_on = Incoming(KEY, ANA, Said("Which regions are there?"), "e1"), Event()
    shown = list[Reply]()

    async def deliver(reply: Reply) -> None:
        shown.append(reply)

    with Ollama(script=lambda prompt: Answer("SELECT name FROM regions", waits=go_on)) as server:
        talk = Talk(tmp_path, partial(llm_at, server.url))
        for number in (1, 2):
            turns = Turns(talk.router)
            asked = asyncio.create_task(turns.handle(said, deliver))
            while len(server.history) < number:
                await asyncio.sleep(0.01)
            turns.drain()
            turns.end_all()
            with pytest.raises(NotBegun):
                await asyncio.wait_for(asked, 20)
            turns.close()
        assert [] == [reply for reply in shown if not reply.working]
        go_on.set()
        turns = Turns(talk.router)
        await turns.handle(said, deliver)
        assert "SELECT name FROM regions" in text_of(shown[-1])
        assert talk.stage == Stage.CONFIRM_GENERATED_SQL
        turns.close()
        talk.close()


async def test_the_owner_stops_a_press_that_waits(talk: Talk) -> None:
    """With every worker taken, Ana's Stop reaches what Bob pressed in her talk; it is never run."""
    turns, shown = Turns(talk.router, workers=1), list[Reply]()

    async def deliver(reply: Reply) -> None:
        shown.append(reply)

    async def ignore(reply: Reply) -> None:
        pass

    asked = talk.memory.turn
    await turns.handle(Incoming(OTHER, ANA, Said(ENDLESS)), ignore)
    approved = talk.router.memory(OTHER)
    assert approved is not None
    first = asyncio.create_task(turns.handle(Incoming(OTHER, BOB, Pressed("yes", approved.turn)), ignore))
    while not started(talk):
        await asyncio.sleep(0.001)
    second = asyncio.create_task(turns.handle(Incoming(KEY, BOB, Pressed("yes", asked)), deliver))
    await asyncio.sleep(0)
    await turns.handle(Incoming(KEY, ANA, Said("stop")), deliver)
    await turns.stop(Incoming(OTHER, BOB, Said("stop")))
    async with asyncio.timeout(20):
        await asyncio.gather(first, second)

    assert text_of(shown[0]) == "Stopping…"
    assert text_of(shown[-1]).startswith("Stopped, as you asked.")
    assert started(talk) == [str(OTHER)]
    turns.close()
