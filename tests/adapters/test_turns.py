"""The async edge: one turn at a time a thread, repeats dropped, turns that outlive their listener."""

import asyncio
from collections.abc import Callable
from threading import Event
from typing import cast

import pytest

from adapters.rendering.plain_text import text_of
from adapters.turns import Deliver, Turns
from router.cards import Reply, Text
from router.engine import Router
from router.jobs.cancellation import Stopping
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.turn import Incoming, Pressed, Said

KEY = ThreadKey("test", "", "", "1")
OTHER = ThreadKey("test", "", "", "2")
ANA = User("test:ana")


class Slow:
    """A core whose turns wait until they are let go."""

    def __init__(self) -> None:
        self.let_go = Event()
        self.taken: list[str] = []
        self.stopped: dict[str, bool] = {}

    def turn(self, incoming: Incoming, post: Callable[[Reply], None], stopping: Stopping) -> None:
        if isinstance(incoming.input, Pressed):
            self.taken.append(incoming.input.answer)
            post(Reply((Text("pressed"),)))
            return
        assert isinstance(incoming.input, Said)
        self.taken.append(incoming.input.text)
        post(Reply((Text("working"),), working=True))
        for _ in range(5000):
            if self.let_go.wait(0.001) or stopping.asked.is_set():
                break
        self.stopped[incoming.input.text] = stopping.asked.is_set()
        post(Reply((Text(f"answer to {incoming.input.text}"),)))

    def busy(self, incoming: Incoming, first: Incoming) -> Reply:
        return Reply((Text("busy"),))

    def require_stop(self, incoming: Incoming, first: Incoming) -> None:
        pass


@pytest.fixture(name="slow")
def _slow() -> Slow:
    return Slow()


@pytest.fixture(name="turns")
def _turns(slow: Slow) -> Turns:
    return Turns(cast(Router, slow))


def said(text: str, key: ThreadKey = KEY, event: str = "") -> Incoming:
    return Incoming(key, ANA, Said(text), event)


def listener() -> tuple[list[str], Deliver]:
    """Return a list of what was shown, and the function that a platform would show it with."""
    shown: list[str] = []

    async def deliver(reply: Reply) -> None:
        shown.append(text_of(reply))

    return shown, deliver


async def begun(turns: Turns, incoming: Incoming, shown: list[str], deliver: Deliver) -> asyncio.Task[None]:
    """Return the work on an input, once something of it is shown."""
    work = asyncio.create_task(turns.handle(incoming, deliver))
    while not shown:
        await asyncio.sleep(0.001)
    return work


async def test_a_second_message_is_told_to_wait(slow: Slow, turns: Turns) -> None:
    """While one message is worked on, the next is told so; another thread is not held up."""
    shown, deliver = listener()
    first = await begun(turns, said("one"), shown, deliver)
    await turns.handle(said("two"), deliver)
    other = asyncio.create_task(turns.handle(said("three", OTHER), deliver))
    while len(slow.taken) < 2:
        await asyncio.sleep(0.001)
    slow.let_go.set()
    await asyncio.gather(first, other)

    assert shown[:2] == ["working", "busy"]
    assert slow.taken == ["one", "three"]
    turns.close()


async def test_a_press_on_what_is_shown_before_the_end(slow: Slow, turns: Turns) -> None:
    """It waits a moment for the end of the turn that shows it, and is told to wait where that takes longer."""
    shown, deliver = listener()
    first = await begun(turns, said("one"), shown, deliver)
    await turns.handle(Incoming(KEY, ANA, Pressed("early", 0)), deliver)
    press = asyncio.create_task(turns.handle(Incoming(KEY, ANA, Pressed("save", 0)), deliver))
    await asyncio.sleep(0.05)
    slow.let_go.set()
    await asyncio.gather(first, press)

    assert shown == ["working", "busy", "answer to one", "pressed"]
    assert slow.taken == ["one", "save"]
    turns.close()


async def test_stop_gets_through(slow: Slow, turns: Turns) -> None:
    """Stop, pressed or typed, reaches the running turn instead of being told to wait."""
    shown, deliver = listener()
    first = await begun(turns, said("one"), shown, deliver)
    await turns.handle(Incoming(KEY, ANA, Pressed("stop", 0)), deliver)
    await first

    assert shown == ["working", "Stopping…", "answer to one"]
    turns.close()


async def test_a_turn_outlives_its_listener(slow: Slow, turns: Turns) -> None:
    """When the platform stops waiting, the turn still comes to its end and is delivered."""
    shown, deliver = listener()
    first = await begun(turns, said("one"), shown, deliver)
    first.cancel()
    slow.let_go.set()
    while len(shown) < 2:
        await asyncio.sleep(0.001)

    assert shown == ["working", "answer to one"]
    turns.close()


async def test_replies_keep_their_order(slow: Slow, turns: Turns) -> None:
    """Where a platform is slow, the next turn begins only when the last one's replies are all delivered."""
    shown: list[str] = []

    async def deliver(reply: Reply) -> None:
        await asyncio.sleep(0.05)
        shown.append(cast(Text, reply.cards[0]).body)

    slow.let_go.set()
    first = asyncio.create_task(turns.handle(said("one"), deliver))
    while "one" not in slow.stopped:
        await asyncio.sleep(0.001)
    await turns.handle(said("two"), deliver)
    await first

    assert shown == ["working", "answer to one", "working", "answer to two"]
    turns.close()


async def test_a_stop_reaches_a_turn_that_waits_for_a_worker(slow: Slow) -> None:
    """With every worker taken, a turn that is stopped while it waits knows it when its time comes."""
    turns = Turns(cast(Router, slow), workers=1)
    _shown, deliver = listener()
    first = asyncio.create_task(turns.handle(said("one"), deliver))
    while not slow.taken:
        await asyncio.sleep(0.001)
    second = asyncio.create_task(turns.handle(said("two", OTHER), deliver))
    await asyncio.sleep(0)
    await turns.handle(Incoming(OTHER, ANA, Pressed("stop", 0)), deliver)
    slow.let_go.set()
    await asyncio.gather(first, second)

    assert slow.stopped == {"one": False, "two": True}
    turns.close()


class Pondering(Slow):
    """A core that reads its memory slowly before it says who may do what."""

    def __init__(self) -> None:
        super().__init__()
        self.held_up = False
        self.asked, self.may_go_on = Event(), Event()

    def busy(self, incoming: Incoming, first: Incoming) -> Reply:
        self._ponder()
        return super().busy(incoming, first)

    def require_stop(self, incoming: Incoming, first: Incoming) -> None:
        self._ponder()

    def _ponder(self) -> None:
        self.asked.set()
        self.held_up = not self.may_go_on.wait(5)


@pytest.mark.parametrize(("text", "told"), [("two", "busy"), ("stop", "Stopping…")])
async def test_a_second_message_holds_up_nobody(text: str, told: str) -> None:
    """While the core looks up what a second message is told, the loop goes on with other things."""
    core = Pondering()
    turns = Turns(cast(Router, core))
    shown, deliver = listener()
    first = await begun(turns, said("one"), shown, deliver)
    second = asyncio.create_task(turns.handle(said(text), deliver))
    while not core.asked.is_set():
        await asyncio.sleep(0.001)
    core.may_go_on.set()
    await second
    core.let_go.set()
    await first

    assert (shown[1], core.held_up) == (told, False)
    turns.close()
