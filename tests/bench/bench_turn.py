"""The bot's own time for a turn, beside a bare store, and the memory of the process that serves the page.

`uv run python -m tests.bench.bench_turn` prints medians in milliseconds and the resident memory in MB.
"""

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from sqlitedict import SqliteDict

from router.cards import Reply
from router.memory.thread import ThreadKey
from router.storage.threads import to_json
from router.turn import Incoming, Input, Pressed, Said
from tests.platforms.ollama import Ollama
from tests.support.talk import ANA, Talk, llm_at

TURNS = 300


def milliseconds(act: Callable[[int], object], times: int = TURNS) -> float:
    """Return the median time of one call."""
    taken = []
    for number in range(times):
        began = time.perf_counter()
        act(number)
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken)


def bare_store(folder: Path, text: str) -> float:
    """Return the time of one load and one blocking commit of a memory's size, without the bot."""
    store = SqliteDict(str(folder / "bare.sqlite"), encode=str, decode=str, journal_mode="WAL", outer_stack=False)

    def act(number: int) -> None:
        store.get(str(number))
        store[str(number)] = text
        store.commit(blocking=True)

    try:
        return milliseconds(act)
    finally:
        store.close()


def turns(talk: Talk) -> dict[str, float]:
    """Return the time of turns that need neither model nor database."""

    def sent(name: str, given: Input) -> float:
        def act(number: int) -> None:
            key = ThreadKey("bench", "", "", str(number))
            shown: list[Reply] = []
            talk.router.turn(Incoming(key, ANA, given, f"{name} {number}"), shown.append)
            assert len(shown) == 1

        return milliseconds(act)

    inputs = {"greeting": Said("hello"), "unclear answer": Said("hm"), "old button": Pressed("generate", 99)}
    return {name: sent(name, given) for name, given in {**inputs, "help": Said("help")}.items()}


def page_of_result(talk: Talk) -> float:
    """Return the time of turning a page of a stored result."""
    talk.say("SELECT a.n AS a, b.n AS b FROM numbers a, numbers b")
    talk.say("run")
    return milliseconds(lambda number: talk.say("next" if number % 2 == 0 else "previous"))


def resident(url: str) -> float:
    """Return the resident memory of `icc-bot web` in MB after it answered, with a model elsewhere."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "ICC_BOT_HOME": home, "OLLAMA_BASE_URL": url}
        command = [sys.executable, "-m", "bot", "web", "--no-browser", "--port", "8931"]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        try:
            for _ in range(300):
                time.sleep(0.1)
                with suppress(OSError):
                    urllib.request.urlopen("http://127.0.0.1:8931/", timeout=5).read()
                    break
            time.sleep(2)
            pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def main() -> None:
    with tempfile.TemporaryDirectory() as room, Ollama() as server:
        talk = Talk(Path(room), partial(llm_at, server.url))
        talk.say("hello")
        print(f"{'bare store: load and commit':32} {bare_store(Path(room), to_json(talk.memory)):8.2f} ms")
        for name, median in {**turns(talk), "next page of 2,500 rows": page_of_result(talk)}.items():
            print(f"{name:32} {median:8.2f} ms")
        talk.close()
        print(f"{'memory of icc-bot web':32} {resident(server.url):8.0f} MB")


if __name__ == "__main__":
    main()
