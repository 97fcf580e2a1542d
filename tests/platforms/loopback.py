"""A stand-in's life: its thread and its loop, and how a test waits for what happens in it."""

import asyncio
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import aiohttp
from aiohttp import web

LANES = 64
"""The number of deliveries at the same time."""

GLANCE = 0.01
"""Seconds after which a condition is looked at again although nothing happened here."""

T = TypeVar("T")


class Loopback(ABC):
    """A server on loopback in a thread of its own, for `with`; `port` 0 takes any."""

    port: int
    faults: list[str]
    """Faults that the platform would only warn of, or not mention at all."""

    def __post_init__(self) -> None:
        self.lock = threading.Condition()
        self._tasks: set[asyncio.Task[None]] = set()

    @abstractmethod
    def _application(self) -> web.Application:
        """Return what is served."""

    @abstractmethod
    def _seen(self) -> str:
        """Return what happened last, for the message of a wait that failed."""

    @property
    def root(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="stand-in", daemon=True)
        self._thread.start()
        self.run(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    async def _open(self) -> None:
        self.lanes = asyncio.Semaphore(LANES)
        self.client = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        self._runner = web.AppRunner(self._application(), access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port, backlog=1024).start()
        self.port = self._runner.addresses[0][1]

    async def _close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._runner.cleanup()
        await self.client.close()

    def run(self, work: Coroutine[Any, Any, T], seconds: float = 60.0) -> T:
        """Run a coroutine in the loop of the stand-in and return what comes of it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(seconds)

    def changed(self) -> None:
        """Wake up everybody who waits for something."""
        with self.lock:
            self.lock.notify_all()

    def note(self, fault: str) -> None:
        """Remember something that would not be refused and that is wrong all the same."""
        with self.lock:
            self.faults.append(fault)

    def wait(self, condition: Callable[[], T], seconds: float = 60.0) -> T:
        """Return what the condition returns, as soon as that is true.

        It is asked whenever something happened here, and now and then for what happens elsewhere. Blocks: a test in
        whose loop the bot runs says `await stand_in.awaited.wait(...)`.
        """
        with self.lock:
            until = time.monotonic() + seconds
            while not (found := condition()):
                if time.monotonic() > until:
                    raise TimeoutError(f"it did not happen within {seconds} s; {self._seen()}")
                self.lock.wait(GLANCE)
            return found

    @property
    def awaited(self) -> "Awaited":
        """The same methods as coroutines: `await stand_in.awaited.wait_message(...)`."""
        return Awaited(self)


@dataclass(frozen=True, slots=True)
class Awaited:
    """Runs each method of the stand-in in a thread, so that the loop of the test goes on."""

    _of: Loopback

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        method = getattr(self._of, name)

        def run(*args: Any, **kwargs: Any) -> Coroutine[Any, Any, Any]:
            return asyncio.to_thread(method, *args, **kwargs)

        return run
