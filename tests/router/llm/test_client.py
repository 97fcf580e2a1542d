"""The language model seen from the project, over a real HTTP server."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from pydantic import BaseModel

from bot.models import ollama_server
from router.errors import AgentFailed, Stopped
from router.llm.call import ModelAnswer, ModelCall, Requester
from router.llm.client import Llm
from router.llm.prompt_log import PromptLog
from router.observing.metrics import MODEL_FAILURES
from tests.platforms.ollama import Answer, Ollama

MODEL = "qwen2.5-coder:7b"
ROOT = Path(__file__).parents[3]


def llm(server: Ollama, **options: Any) -> Llm:
    return Llm(
        ollama_server.chat(server.url, MODEL, 2048, options.get("timeout", 180.0)),
        f"{MODEL} on Ollama",
        context=ollama_server.ContextSteps(server.url, MODEL),
        remedies=ollama_server.remedies(server.url, MODEL),
        warm_fields={"num_predict": 1},
        **options,
    )


class Mail(BaseModel):
    to: str
    copies: int


def test_how_likely_each_token_was(server: Ollama) -> None:
    """The server is asked for it; one that does not know it says nothing."""
    asked = ModelCall("s", "u", Requester("ann"), "sql")
    server.enqueue(Answer("SELECT 1", logprobs=(-0.5, -1.25)), "SELECT 1")
    model = llm(server)

    assert model.answer(asked) == ModelAnswer("SELECT 1", (("SELECT", -0.5), (" 1", -1.25)))
    assert server.history[0]["logprobs"] is True
    assert model.answer(asked) == ModelAnswer("SELECT 1")


def test_the_server_gets_all_options(server: Ollama) -> None:
    """Temperature, sizes, the time to keep the model, and no thinking aloud are part of each request."""
    llm(server).answer(ModelCall("You write SQL.", "How many?", Requester("ann"), "sql"))

    body = server.history[0]
    assert [message["content"] for message in body["messages"]] == ["You write SQL.", "How many?"]
    assert body["options"] == {"num_ctx": 4096, "num_predict": 2048, "temperature": 0.1}
    assert (body["keep_alive"], body["think"], body["stream"]) == (3600, False, True)


def test_the_context_grows_and_never_shrinks(server: Ollama) -> None:
    """num_ctx follows the longest prompt so far: each change makes Ollama load the model again."""
    model = llm(server)
    for size in (10, 9000, 10):
        model.answer(ModelCall("s", "x" * size, Requester("ann"), "sql"))

    assert [body["options"]["num_ctx"] for body in server.history] == [4096, 8192, 8192]


def test_a_prompt_beyond_the_model_is_refused(server: Ollama) -> None:
    """What the model cannot hold is not sent, since Ollama would cut it without a word."""
    server.models = {MODEL: 4096}

    with pytest.raises(
        AgentFailed, match=r"The model can read 4,096 tokens at once, and this question .* Choose fewer"
    ):
        llm(server).answer(ModelCall("s", "x" * 9000, Requester("ann"), "sql"))
    assert server.history == []


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("<think>Hm, rows… </think>\n\nSELECT 1", "SELECT 1"),
        ("SELECT 2 <think>never closed", "SELECT 2"),
    ],
)
def test_thoughts_are_left_out(server: Ollama, said: str, answer: str) -> None:
    """What a model thinks aloud is not part of its answer."""
    server.enqueue(said)

    assert llm(server).answer(ModelCall("s", "u", Requester("ann"), "sql")).text == answer


def test_a_wrong_shape_is_told_to_the_model_once(server: Ollama) -> None:
    """The second prompt says what was wrong with the first answer."""
    server.enqueue('{"to": "ann@example.com", "copies": "many"}', 'Sorry: ```{"to": "bob@example.com", "copies": 1}```')

    assert llm(server).fill(Mail, ModelCall("s", "u", Requester("ann"), "mail")) == Mail(to="bob@example.com", copies=1)
    assert "copies: Input should be a valid integer" in server.prompts[1]


def test_a_shape_that_stays_wrong(server: Ollama) -> None:
    """After two wrong answers the person is asked for other words."""
    server.enqueue("no", "never")

    with pytest.raises(AgentFailed, match=f"{MODEL} on Ollama gave an answer that does not fit: .* other words"):
        llm(server).fill(Mail, ModelCall("s", "u", Requester("ann"), "mail"))
    assert len(server.history) == 2


def test_stop_while_the_first_word_is_awaited(server: Ollama) -> None:
    """Stop does not wait for a server that says nothing; the abandoned stream hangs up at its first word."""
    stop, go_on = Event(), Event()
    server.script = lambda prompt: stop.set() or Answer("too late " * 5000, waits=go_on)  # type: ignore[func-returns-value]

    with pytest.raises(Stopped):
        llm(server).answer(ModelCall("s", "u", Requester("ann", stopped=stop.is_set), "sql"))
    go_on.set()
    assert server.hung_up.wait(60)


def test_stop_between_two_words(server: Ollama) -> None:
    """Stop ends an answer that never would."""
    server.enqueue(Answer("word " * 100_000, pace=0.01))
    looks = iter([False, False, False])

    with pytest.raises(Stopped):
        llm(server).answer(ModelCall("s", "u", Requester("ann", stopped=lambda: next(looks, True)), "sql"))
    assert server.hung_up.wait(60)


def test_an_answer_that_takes_too_long(server: Ollama) -> None:
    """The time-out counts the whole answer, not the time between two words."""
    server.enqueue(Answer("word " * 100_000, pace=0.01))

    with pytest.raises(AgentFailed, match=r"did not answer within 1 seconds\. Your question is kept"):
        llm(server, timeout=0.6).answer(ModelCall("s", "u", Requester("ann"), "sql"))


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (
            Answer("model 'x' not found", status=404),
            "The server does not have .* Run `ollama pull qwen2.5-coder:7b` on",
        ),
        (Answer("model requires more system memory (9 GiB)", status=500), "ran out of memory. Choose a smaller model"),
        (Answer("unauthorized", status=401), "refused the API key"),
        (Answer("strange", status=500), r"answered with an error: strange \(status code: 500\)"),
        (Answer("at http://ann:secret@db/ it broke", status=500), r"http://\*\*\*@db/"),
        (Answer("SELECT 1", error="cuda error: out of memory"), "ran out of memory"),
        (Answer(""), "gave an empty answer"),
    ],
)
def test_what_a_server_may_answer_instead(server: Ollama, answer: Answer, sentence: str) -> None:
    """Every failure of the server is a sentence with a remedy."""
    server.enqueue(answer)

    with pytest.raises(AgentFailed, match=sentence):
        llm(server).answer(ModelCall("s", "u", Requester("ann"), "sql"))


def test_no_server_at_all() -> None:
    """The sentence names the address without its password, and how to start the server."""
    with Ollama() as gone:
        url = gone.url.replace("//", "//ann:secret@")
    model = Llm(
        ollama_server.chat(url, MODEL, 2048, 5.0), "qwen", remedies=ollama_server.remedies(url, MODEL), timeout=1.0
    )

    with pytest.raises(AgentFailed) as caught:
        model.answer(ModelCall("s", "u", Requester("ann"), "sql"))
    assert str(caught.value) == (
        f"qwen cannot be reached. Start Ollama at {gone.url.removeprefix('http://')} with `ollama serve`, "
        "or set OLLAMA_BASE_URL; then ask again."
    )


def test_a_waiting_person_knows_their_place(server: Ollama) -> None:
    """Behind one lane, the second in line is told so, and told again when they are next."""
    go_on, first_asked = Event(), Event()
    server.script = lambda prompt: first_asked.set() or Answer("ok", waits=go_on)  # type: ignore[func-returns-value]
    model = llm(server, lanes=1)
    told: list[str] = []
    second = Event()

    def tell(text: str) -> None:
        told.append(text)
        second.set()

    threads = [Thread(target=lambda: model.answer(ModelCall("s", "1", Requester("ann"), "sql")))]
    threads[0].start()
    assert first_asked.wait(60)
    waiting = Event()
    threads.append(
        Thread(
            target=lambda: model.answer(ModelCall("s", "2", Requester("bob", progress=lambda t: waiting.set()), "sql"))
        )
    )
    threads[1].start()
    assert waiting.wait(60)
    threads.append(Thread(target=lambda: model.answer(ModelCall("s", "3", Requester("cat", progress=tell), "sql"))))
    threads[2].start()
    assert second.wait(60)
    go_on.set()
    for thread in threads:
        thread.join(20)

    assert told[0] == "Waiting for the model: you are number 2 in line…"
    assert server.prompts == ["1", "2", "3"]


def test_stop_while_waiting_in_line(server: Ollama) -> None:
    """A person who stops waiting gives up their place, and nothing was asked for them."""
    go_on, first_asked = Event(), Event()
    server.script = lambda prompt: first_asked.set() or Answer("ok", waits=go_on)  # type: ignore[func-returns-value]
    model = llm(server, lanes=1)
    first = Thread(target=lambda: model.answer(ModelCall("s", "1", Requester("ann"), "sql")))
    first.start()
    assert first_asked.wait(60)

    with pytest.raises(Stopped):
        model.answer(ModelCall("s", "2", Requester("bob", stopped=lambda: True), "sql"))
    go_on.set()
    first.join(20)
    assert server.prompts == ["1"]


def test_warming_gives_way(server: Ollama) -> None:
    """A question goes before the warming that runs already; afterwards the warming begins again."""
    begun, warmed = Event(), Event()

    def script(prompt: str) -> Answer:
        if prompt != "":
            return Answer("SELECT 1")
        if begun.is_set():
            warmed.set()
            return Answer("x", reason="length")
        begun.set()
        return Answer("x " * 100_000, pace=0.01)

    server.script = script
    before = MODEL_FAILURES.read().get(("warm",), 0)
    model = llm(server, lanes=1)
    model.warm("s")
    assert begun.wait(60)

    assert model.answer(ModelCall("s", "question", Requester("ann"), "sql")).text == "SELECT 1"
    assert warmed.wait(60)
    assert server.prompts == ["", "question", ""]
    # Only what the server had begun is counted: while the question is answered, the warming gives way again and again.
    assert MODEL_FAILURES.read()["warm",] - before == 1
    assert server.history[0]["options"]["num_predict"] == 1


def test_the_prompt_log(server: Ollama, tmp_path: Path) -> None:
    """Each exchange is a file that only its owner reads, without credentials."""
    server.enqueue("SELECT 1", "SELECT 2")
    model = llm(server, log=PromptLog(tmp_path))
    model.answer(ModelCall("You write SQL.", "from postgresql://ann:secret@db/sales", Requester("ann"), "sql"))
    model.answer(ModelCall("s", "u", Requester("ann"), "repair"))

    first, second = sorted(tmp_path.glob("session_*/*.txt"))
    assert (first.name, second.name) == ("0001_sql.txt", "0002_repair.txt")
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    text = first.read_text()
    assert "postgresql://***@db/sales" in text
    assert "secret" not in text
    assert f"model: {MODEL} on Ollama" in text
    assert "11 tokens read, 2 written" in text
    assert "SELECT 1" in text


def test_nothing_is_traced(server: Ollama) -> None:
    """Whatever the environment says, LangChain sends no prompt to a tracing service."""
    program = f"""
from bot.models import ollama_server
from router.llm.call import ModelCall, Requester
from router.llm.client import Llm
model = Llm(ollama_server.chat({server.url!r}, {MODEL!r}, 9, 9.0), "qwen")
print(model.answer(ModelCall("s", "u", Requester("a"), "sql")).text)
"""
    with Ollama() as tracing:
        wanted = {
            "LANGSMITH_TRACING": "true",
            "LANGCHAIN_TRACING_V2": "true",
            "LANGSMITH_API_KEY": "key",
            "LANGSMITH_ENDPOINT": tracing.url,
        }
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, **wanted},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.stdout.strip() == "SELECT 1", done.stderr
        assert tracing.requests == []
