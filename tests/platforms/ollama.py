"""A stand-in for an Ollama server: real HTTP on loopback, scripted answers, and a history of what was asked.

For talks by hand: `python -m tests.platforms.ollama --port 11434 --answers FILE`. The file holds blocks that
are divided by lines of `---`; a block that begins with `? words` answers prompts that hold all of these words.
"""

import argparse
import json
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any, Self


@dataclass(frozen=True)
class Answer:
    """An answer to one question: in pieces of a word, after `waits` is set, `pace` seconds apart.

    With a `status` other than 200, `text` is the error, with `headers` and, as OpenAI has it, `error` as its code. With
    `breaks_off`, the connection ends in the middle; with `error`, the stream ends in an error, as Ollama does it when
    it fails late. `logprobs` are told with the words, where there are some.
    """

    text: str
    status: int = 200
    waits: Event | None = None
    pace: float = 0.0
    breaks_off: bool = False
    error: str = ""
    reason: str = "stop"
    headers: Mapping[str, str] = field(default_factory=dict)
    logprobs: tuple[float, ...] = ()


Script = Callable[[str], str | Answer]


@dataclass
class Ollama:
    """The server; `models` maps the names it has to their context lengths, None switches the list off (404)."""

    models: dict[str, int] | None = field(default_factory=lambda: {"qwen2.5-coder:7b": 32768})
    script: Script = lambda prompt: "SELECT 1"
    port: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    """The path of every request, of whatever kind."""
    hung_up: Event = field(default_factory=Event)
    """Set when a client went away in the middle of an answer."""

    def __post_init__(self) -> None:
        self._answers: deque[str | Answer] = deque()
        self._ending = Event()

    @property
    def left(self) -> tuple[str | Answer, ...]:
        """The answers that nobody has asked for."""
        return tuple(self._answers)

    def enqueue(self, *answers: str | Answer) -> None:
        """Give these answers to the next questions, before the script is asked."""
        self._answers.extend(answers)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def prompts(self) -> list[str]:
        """The last message of every question so far."""
        return [_asked(body) for body in self.history]

    def __enter__(self) -> Self:
        self._http = Http(("127.0.0.1", self.port), Handler)
        self._http.ollama = self
        self.port = self._http.server_address[1]
        Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._http.shutdown()
        self._http.server_close()

    def answer(self, body: dict[str, Any]) -> Answer:
        """Take the next answer; who wants one token only warms the model up, and takes none off the queue."""
        self.history.append(body)
        warms = body.get("options", {}).get("num_predict") == 1
        chosen = self._answers.popleft() if self._answers and not warms else self.script(_asked(body))
        return chosen if isinstance(chosen, Answer) else Answer(chosen)

    def lines(self, model: str, answer: Answer) -> Iterator[dict[str, Any]]:
        """Yield what a stream says, line by line; it is a generator, so that it can be slow."""
        while answer.waits is not None and not answer.waits.wait(0.02) and not self._ending.is_set():
            pass
        words = answer.text.split(" ")
        for number, word in enumerate(words):
            time.sleep(answer.pace)
            content = word if number == 0 else f" {word}"
            told = [{"token": content, "logprob": each} for each in answer.logprobs[number : number + 1]]
            message = {"role": "assistant", "content": content}
            yield {"model": model, "message": message, "done": False, **({"logprobs": told} if told else {})}
            if answer.breaks_off:
                return
        if answer.error:
            yield {"error": answer.error}
            return
        yield {
            "model": model,
            "message": {"role": "assistant", "content": ""},
            "done": True,
            "done_reason": answer.reason,
            "prompt_eval_count": 11,
            "eval_count": len(words),
        }


def _asked(body: dict[str, Any]) -> str:
    """Return the last message of a question; an empty one has no content at all."""
    return str(body["messages"][-1].get("content", ""))


class Http(ThreadingHTTPServer):
    """The HTTP side of one stand-in."""

    daemon_threads = True
    request_queue_size = 128  # a flood of questions is not refused
    ollama: Ollama

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that was killed in the middle of its question."""
        if not isinstance(sys.exception(), OSError | ValueError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """Answers as Ollama does."""

    server: Http
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.ollama.requests.append(self.path)
        if self.path == "/api/version":
            self._json(200, {"version": "0.13.0"})
        elif self.path == "/api/tags" and self.server.ollama.models is not None:
            self._json(200, {"models": [{"name": name, "model": name} for name in self.server.ollama.models]})
        else:
            self._json(404, {"error": "not found"})

    def do_POST(self) -> None:
        self.server.ollama.requests.append(self.path)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = self.server.ollama.models is None or body.get("model") in self.server.ollama.models
        if not known:
            self._json(404, {"error": f"model '{body.get('model')}' not found"})
        elif self.path == "/api/show" and self.server.ollama.models is not None:
            self._json(200, {"model_info": {"qwen2.context_length": self.server.ollama.models[body["model"]]}})
        elif self.path in ("/api/chat", "/v1/chat/completions"):
            self._chat(body)
        elif self.path == "/api/embed":
            self._json(200, {"model": body["model"], "embeddings": [counted(text) for text in body["input"]]})
        elif self.path == "/v1/embeddings":
            made = [{"index": n, "embedding": counted(text)} for n, text in enumerate(body["input"])]
            self._json(200, {"object": "list", "model": body["model"], "data": made})
        else:
            self._json(404, {"error": "not found"})

    def _chat(self, body: dict[str, Any]) -> None:
        answer = self.server.ollama.answer(body)
        openai = self.path.startswith("/v1/")
        if answer.status != 200:
            error = {"message": answer.text, "code": answer.error or None} if openai else answer.text
            self._json(answer.status, {"error": error}, answer.headers)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if openai else "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")  # a client that keeps it open would have to be closed by each test
        self.end_headers()
        try:
            for line in self.server.ollama.lines(body["model"], answer):
                self._chunk(_event(line) if openai else json.dumps(line).encode() + b"\n")
            if answer.breaks_off:
                self.close_connection = True
            else:
                self._chunk(b"")
        except OSError:
            self.server.ollama.hung_up.set()
            self.close_connection = True

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _json(self, status: int, value: object, headers: Mapping[str, str] | None = None) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        for name, told in (headers or {}).items():
            self.send_header(name, told)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _event(line: Mapping[str, Any]) -> bytes:
    """Return a line of Ollama's stream as OpenAI, vLLM and llama-server have it."""
    ended = line.get("done_reason")
    choice = {"index": 0, "delta": {"content": line["message"]["content"]}, "finish_reason": ended}
    told = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": line["model"], "choices": [choice]}
    return b"data: " + json.dumps(told).encode() + b"\n\n" + (b"data: [DONE]\n\n" if ended else b"")


def counted(text: str) -> list[float]:
    """Return a vector: how often each letter is in the text."""
    return [float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"]


def script_of(text: str) -> Script:
    """Read a file of answers (see the top)."""
    blocks = [block.strip() for block in f"\n{text}\n".split("\n---\n")]

    def answer(prompt: str) -> str:
        for block in blocks:
            first, _, rest = block.partition("\n")
            if not first.startswith("?"):
                return block
            if all(word.lower() in prompt.lower() for word in first[1:].split()):
                return rest.strip()
        return "SELECT 1"

    return answer


def main() -> None:
    """Serve until Ctrl-C."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=11434)
    options.add_argument("--answers", type=Path)
    options.add_argument("--model", action="append", default=[])
    given = options.parse_args()
    models = dict.fromkeys(given.model or ["qwen2.5-coder:7b", "qwen3:8b"], 32768)
    script = script_of(given.answers.read_text()) if given.answers else lambda prompt: "SELECT 1"
    with Ollama(models, script, given.port) as server:
        print(f"An Ollama stand-in answers at {server.url}; Ctrl-C ends it.", flush=True)
        try:
            Event().wait()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
