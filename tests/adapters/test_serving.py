"""Clients that keep a server waiting are let go; everybody else is served."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from adapters.serving import LOOPBACK, ClientLimits, body_of, listening_on
from tests.support.slow_client import GET, HASTE, POST, until_let_go


async def slow(request: web.Request) -> web.StreamResponse:
    """Answer bit by bit, for longer than anybody is waited for."""
    answer = web.StreamResponse()
    await answer.prepare(request)
    for _ in range(5):
        await asyncio.sleep(0.2)
        await answer.write(b"bit")
    return answer


async def quick(request: web.Request) -> web.Response:
    return web.Response(text="here")


async def taken(request: web.Request) -> web.Response:
    return web.Response(text=str(len(await body_of(request))))


@asynccontextmanager
async def serving(patience: ClientLimits = HASTE) -> AsyncIterator[int]:
    site = web.Application()
    site.router.add_get("/", quick)
    site.router.add_get("/slow", slow)
    site.router.add_post("/", taken)
    async with listening_on(site, 0, LOOPBACK, patience) as port:
        yield port


@pytest.mark.parametrize("sent", [(), (GET,), tuple(bytes([sign]) for sign in GET * 9), (b"\r\n",) * 90])
async def test_half_a_head(sent: tuple[bytes, ...]) -> None:
    """Who sends nothing, half a head, or a head sign by sign, is let go after the time for a head."""
    async with serving() as port:
        answer, took = await until_let_go(port, *sent)
    assert answer == b""
    assert 0.25 < took < 2


@pytest.mark.parametrize("head", [POST, POST.replace(b"POST", b"GET"), POST.replace(b"1.1", b"1.0")])
async def test_half_a_body(head: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """Who sends a body byte by byte is let go after the time for a body, whether anybody reads it or not; quietly."""
    async with serving() as port:
        answer, took = await until_let_go(port, head, *[b"x"] * 90)
    assert answer.startswith(b"HTTP/1") == head.startswith(b"GET")
    assert 0.3 < took < 2
    assert [] == caplog.records


async def test_idle() -> None:
    """After an answer, there is a time for the next request, and half a head does not lengthen it."""
    async with serving() as port:
        answers = [await until_let_go(port, GET + b"\r\n", *more) for more in ((), [b"GET"], [b"\r\n"] * 90)]
    for answer, took in answers:
        assert answer.endswith(b"here")
        assert 0.3 < took < 2


async def test_a_long_answer() -> None:
    """Who has asked may take its time to hear the answer."""
    async with serving() as port:
        answer, _ = await until_let_go(port, GET.replace(b"/ ", b"/slow ") + b"\r\n")
    assert answer.count(b"bit") == 5


async def test_requests_one_after_the_other() -> None:
    """A connection is kept over many requests, at once or slowly one by one."""
    async with serving() as port:
        together, _ = await until_let_go(port, (GET + b"\r\n") * 5)
        apart, _ = await until_let_go(port, *[GET + b"\r\n"] * 5, each=0.2)
        posted, _ = await until_let_go(port, POST, *[b"x" * 500] * 2, GET + b"\r\n")
    assert (together.count(b"here"), apart.count(b"here")) == (5, 5)
    assert posted.count(b"200 OK") == 2


async def test_a_crowd() -> None:
    """Of a crowd that keeps the server waiting the first have to go, and who speaks is answered at once."""
    async with serving(ClientLimits(clients=20)) as port:
        crowd = [await asyncio.open_connection(LOOPBACK, port) for _ in range(100)]
        for _, writer in crowd[::2]:
            writer.write(GET)
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
        writer.write(GET.replace(b"/ ", b"/slow ") + b"\r\n")
        more = [await asyncio.open_connection(LOOPBACK, port) for _ in range(100)]
        async with asyncio.timeout(5):
            heard = await reader.readuntil(b"\r\n0\r\n")
            gone = [await first.read(1) for first, _ in crowd]
        assert heard.count(b"bit") == 5
        assert gone == [b""] * 100
        for _, each in (*crowd, *more, (reader, writer)):
            each.close()


async def test_a_body_that_is_not_sent() -> None:
    """Who reads a body waits a while for it, and says that it did not come."""

    async def waiting(request: web.Request) -> web.Response:
        return web.Response(text=str(await body_of(request, seconds=0.2)))

    site = web.Application()
    site.router.add_post("/", waiting)
    async with listening_on(site, 0, LOOPBACK, ClientLimits(idle=0.2)) as port:
        answer, took = await until_let_go(port, POST)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert took < 2
