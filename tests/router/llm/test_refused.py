"""A model's server that refuses: it is waited for, by the real clients over real HTTP, and nobody hammers it."""

import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock, Thread
from typing import Any

import pytest
from pydantic import SecretStr

from bot.models import ollama_server, providers
from router.errors import AgentAway, Stopped
from router.llm.call import ModelCall, Requester
from router.llm.client import Llm, Patience
from router.llm.fair_queue import FairQueue
from router.observing.metrics import MODELS_AWAY
from tests.platforms.ollama import Answer, Ollama

MODEL = "qwen2.5-coder:7b"
QUICK = Patience(first=0.2, longest=0.4, away=4.0)
BUSY = Answer("server busy, please try again", status=503)


def llm(url: str, queue: FairQueue | None = None, timeout: float = 30.0) -> Llm:
    chat = ollama_server.chat(url, MODEL, 2048, timeout)
    remedies = ollama_server.remedies(url, MODEL)
    return Llm(chat, "qwen", lanes=queue, timeout=timeout, remedies=remedies, patience=QUICK)


def openai(url: str) -> Llm:
    chat = providers.chat(providers.PROVIDERS["openai"], MODEL, f"{url}/v1", SecretStr("key"), 2048, 30.0)
    return Llm(chat, "qwen", patience=QUICK)


def ask(model: Llm, person: str = "ann", **requester: Any) -> str:
    return model.answer(ModelCall("s", person, Requester(person, **requester), "sql")).text


@pytest.mark.parametrize("status", [408, 429, 503])
def test_a_busy_server_is_asked_again(server: Ollama, status: int) -> None:
    """What is refused twice is answered in the end; the person sees when it is tried again."""
    busy = Answer("slow down", status=status)
    server.enqueue(busy, busy, "SELECT 1")
    told: list[str] = []

    assert ask(llm(server.url), progress=told.append) == "SELECT 1"
    again = "The model is busy; I try again in 1 second…", "Asking the model again…"
    assert told == [*again, *again]
    assert len(server.history) == 3


@pytest.mark.parametrize("kind", ["ollama", "openai"])
def test_retry_after_is_honoured(server: Ollama, kind: str) -> None:
    """The server is not asked before the time that it says, and only once after it, whichever client asks."""
    server.enqueue(Answer("rate limit", status=429, headers={"Retry-After": "2"}), "SELECT 1")
    told: list[str] = []
    model = llm(server.url) if kind == "ollama" else openai(server.url)
    began = time.monotonic()

    assert ask(model, progress=told.append)
    assert 2.0 <= time.monotonic() - began < 10.0
    assert told[0] in [f"The model is busy; I try again in {seconds} seconds…" for seconds in (2, 3)]
    assert len(server.history) == 2


def test_a_used_up_quota_is_not_waited_for(server: Ollama) -> None:
    """A 429 that no waiting mends is told as what it is."""
    server.enqueue(Answer("You exceeded your current quota.", status=429, error="insufficient_quota"))

    with pytest.raises(AgentAway, match="its quota is used up"):
        ask(openai(server.url))
    assert len(server.history) == 1


def test_an_answer_that_broke_off_is_asked_for_again(server: Ollama) -> None:
    """A server that went away in the middle of an answer is waited for: nobody has seen anything of that."""
    server.enqueue(Answer("SELECT 1", breaks_off=True), "SELECT 2")

    assert ask(llm(server.url)) == "SELECT 2"
    assert len(server.history) == 2


def test_a_server_that_comes_back() -> None:
    """A server that is started again is waited for, and the person knows it."""
    with Ollama() as gone:
        port = gone.port
    told: list[str] = []
    answers: list[str] = []
    asking = Thread(target=lambda: answers.append(ask(llm(gone.url), progress=told.append)))
    asking.start()
    time.sleep(1.0)
    with Ollama(port=port) as back:
        asking.join(20)
        assert len(back.history) == 1

    assert answers == ["SELECT 1"]
    assert told[0] == "The model cannot be reached; I try again in 1 second…"


def test_many_people_while_a_server_is_away(caplog: pytest.LogCaptureFixture) -> None:
    """All are answered once it is back; meanwhile those with a lane try now and then, and the others know their place.

    A person who presses Stop is let go at once.
    """
    with Ollama() as gone:
        port = gone.port
    people = [f"person{number}" for number in range(30)]
    model, told, away = llm(gone.url, FairQueue(4)), dict[str, list[str]](), MODELS_AWAY.read()
    stop = Event()
    with ThreadPoolExecutor(31) as pool, caplog.at_level(logging.INFO, "router.llm.client"):
        asked = [pool.submit(ask, model, each, progress=told.setdefault(each, []).append) for each in people]
        stopped = pool.submit(ask, model, "zoe", stopped=stop.is_set)
        time.sleep(1.5)
        assert MODELS_AWAY.read() == away + 4
        stop.set()
        with pytest.raises(Stopped):
            stopped.result(2)
        tries = sum("it is asked again" in line.getMessage() for line in caplog.records)
        with Ollama(port=port) as back:
            assert [each.result(30) for each in asked] == ["SELECT 1"] * 30
            assert sorted(back.prompts) == sorted(people)

    assert tries <= 4 * (1 + 1.5 / QUICK.first)
    places = {line for lines in told.values() for line in lines if "in line" in line}
    assert {f"Waiting for the model: you are number {place} in line…" for place in (2, 26)} <= places
    assert MODELS_AWAY.read() == away


def test_a_server_that_stays_away(caplog: pytest.LogCaptureFixture) -> None:
    """It is waited for shortly; the next asker is told at once."""
    with Ollama() as gone:
        pass
    model = llm(gone.url)
    began = time.monotonic()

    with caplog.at_level(logging.INFO, "router.llm.client"), pytest.raises(AgentAway, match="qwen cannot be reached"):
        ask(model)
    waited = time.monotonic() - began
    assert QUICK.away - QUICK.longest * 1.25 <= waited < QUICK.away + 3
    with pytest.raises(AgentAway):
        ask(model)
    assert time.monotonic() - began - waited < 2.0
    tries = sum("it is asked again" in line.getMessage() for line in caplog.records)
    assert 3 <= tries <= QUICK.away / QUICK.first


def test_stop_while_a_busy_server_is_waited_for(server: Ollama) -> None:
    """Stop ends the waiting at once, and the place is free: nobody waits behind a ghost."""
    server.enqueue(Answer("rate limit", status=429, headers={"Retry-After": "20"}))
    queue = FairQueue(1)
    stop = Event()
    began = time.monotonic()

    with pytest.raises(Stopped):
        ask(llm(server.url, queue), progress=lambda text: stop.set(), stopped=stop.is_set)
    assert time.monotonic() - began < 3.0
    assert not queue.busy


class Crowded(Ollama):
    """A server that answers `room` questions at once, and refuses all others."""

    room = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.now, self.most, self.refused, self.lock = 0, 0, 0, Lock()

    def answer(self, body: dict[str, Any]) -> Answer:
        with self.lock:
            self.history.append(body)
            if self.now >= self.room:
                self.refused += 1
                return BUSY
            self.now += 1
        return Answer("SELECT 1", pace=0.1)

    def lines(self, model: str, answer: Answer) -> Iterator[dict[str, Any]]:
        yield from super().lines(model, answer)
        with self.lock:
            self.now -= 1


def test_many_people_on_two_replicas_and_a_small_server() -> None:
    """Everybody is answered, and nobody hammers the server."""
    with Crowded() as crowded:
        replicas = [llm(crowded.url, None, 60.0) for _ in range(2)]
        with ThreadPoolExecutor(8) as people:
            asked = [people.submit(ask, replicas[number % 2], f"person{number}") for number in range(8)]
            answers = [each.result(60) for each in asked]

    assert answers == ["SELECT 1"] * 8
    assert crowded.refused < 100
