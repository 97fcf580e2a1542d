"""The embedded model itself, with its real weights: `uv run --extra demo pytest -m model`."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.demo.embedded import EmbeddedChat
from bot.demo.engine import Engine, Loader
from router.errors import AgentFailed, Stopped
from router.llm.call import ModelCall, Requester
from router.llm.client import Llm

pytestmark = pytest.mark.model

CACHE = Path(tempfile.gettempdir()) / "icc-bot-test-model"
ROOT = Path(__file__).parents[3]
TABLES = "You write SQL.\n" + "\n".join(f"CREATE TABLE t{n} (id integer, name text, amount real);" for n in range(20))
LONG = "Write a very long poem about every table."


@pytest.fixture(scope="module")
def loader() -> Iterator[Loader]:
    shared = Loader(CACHE)
    yield shared
    shared.close()


@pytest.fixture
def llm(loader: Loader) -> Llm:
    return Llm(EmbeddedChat(loader=loader), "embedded", lanes=1, timeout=600, warm_fields={"max_tokens": 1})


def engine_of(loader: Loader) -> Engine:
    return next(state for state in loader.engine() if isinstance(state, Engine))


def question(text: str) -> dict[str, object]:
    messages = [{"role": "system", "content": TABLES}, {"role": "user", "content": text}]
    return {"messages": messages, "stream": True, "stream_options": {"include_usage": True}, "max_tokens": 40}


def gone(pid: int) -> bool:
    """Wait until a process has ended; false after a long time."""
    for _ in range(600):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.1)
    return False


def test_it_writes_sql(llm: Llm) -> None:
    """A simple question becomes the SQL for it; loading is told on the way if it has to be done."""
    answer = llm.answer(ModelCall(TABLES, "How many rows has t3? Only SQL.", Requester("ann"), "sql", 0.0))

    assert "count(*) from t3" in answer.text.lower()
    assert "".join(token for token, _ in answer.tokens).strip() == answer.text
    assert all(logarithm <= 0 for _, logarithm in answer.tokens)


def test_the_beginning_of_a_prompt_is_read_once(loader: Loader) -> None:
    """A second question about the same tables finds them read."""
    engine = engine_of(loader)
    for text in ("Count t1.", "Count t2."):
        pieces = [piece for piece in engine.ask(question(text)) if piece]
    usage = pieces[-1]["usage"]

    assert usage["prompt_tokens"] - usage["prompt_tokens_details"]["cached_tokens"] < 20


def test_stop_ends_the_work(loader: Loader, llm: Llm) -> None:
    """After Stop the model is free for the next question at once."""
    looks = iter([False] * 10)
    with pytest.raises(Stopped):
        llm.answer(ModelCall(TABLES, LONG, Requester("ann", stopped=lambda: next(looks, True)), "sql"))

    assert llm.answer(ModelCall(TABLES, "Say yes.", Requester("bob"), "sql")).text != ""


def test_too_long_a_prompt(llm: Llm) -> None:
    """A text that does not fit is refused in a sentence, not cut."""
    with pytest.raises(
        AgentFailed, match=r"can read 8,192 tokens at once, and this question .* needs about 2\d,\d\d\d"
    ):
        llm.answer(ModelCall(TABLES, "x " * 20000, Requester("ann"), "sql"))


def test_a_killed_model_comes_back(loader: Loader, llm: Llm) -> None:
    """After the system killed the process, the person reads why, and the next question loads the model again."""
    engine = engine_of(loader)
    answer = engine.ask(question(LONG))
    next(answer)
    os.kill(engine.pid, signal.SIGKILL)
    with pytest.raises(AgentFailed, match="The embedded model broke off; memory may be short"):
        list(answer)

    assert llm.answer(ModelCall("s", "Say yes.", Requester("ann"), "sql")).text != ""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_nobody_can_connect(loader: Loader) -> None:
    """The process has no TCP port, and its socket has no name any more."""
    pid = engine_of(loader).pid
    links = [os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir()]
    mine = {link.removeprefix("socket:[").rstrip("]") for link in links if link.startswith("socket:")}
    ports = {
        line.split()[9] for name in ("tcp", "tcp6") for line in Path(f"/proc/{pid}/net/{name}").read_text().splitlines()
    }
    names = [
        line.split()[7:] for line in Path(f"/proc/{pid}/net/unix").read_text().splitlines() if line.split()[6] in mine
    ]

    assert mine & ports == set()
    assert [name for name in names if name and Path(name[0]).exists()] == []


PROGRAM = f"""
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from bot.demo.embedded import EmbeddedChat
from bot.demo.engine import Engine, Loader
from router.llm.call import ModelCall, Requester
from router.llm.client import Llm
from router.errors import Stopped

loader = Loader(Path({str(CACHE)!r}))
if sys.argv[1] != "loading":
    print(next(state for state in loader.engine() if isinstance(state, Engine)).pid, flush=True)
    llm = Llm(EmbeddedChat(loader=loader), "embedded", lanes=1, timeout=600)
    pool = ThreadPoolExecutor(1)
if sys.argv[1] == "loading":
    loader.start()
    print(0, flush=True)
elif sys.argv[1] == "answering":
    begun = pool.submit(llm.answer, ModelCall("s", {LONG!r}, Requester("ann"), "sql"))
    print("answering", flush=True)
else:
    begun = pool.submit(llm.answer, ModelCall("s", {LONG!r}, Requester("ann"), "sql"))
    print("answering", flush=True)
    begun.result()
"""


def run(how: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", PROGRAM, how]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("how", ["loading", "answering"])
def test_the_bot_ends_at_any_moment(how: str) -> None:
    """A program that ends while the model is loaded or answers ends well, quietly, and takes the model with it."""
    with run(how) as process:
        out, errors = process.communicate(timeout=300)

    assert (process.returncode, errors) == (0, "")
    assert gone(int(out.split()[0])) or how == "loading"


def test_a_killed_bot_takes_the_model_with_it() -> None:
    """Even a bot that is killed leaves no process behind."""
    with run("waiting") as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.kill()
        process.communicate(timeout=60)

    assert gone(pid)
