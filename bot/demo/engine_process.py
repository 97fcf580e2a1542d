"""The program of the process that runs the embedded model; it reads and writes a line of JSON a message.

A process of its own: loading holds Python's lock for seconds, llama.cpp takes over Ctrl-C, prints, and aborts if it
sees no way out. Here none of that reaches the bot, and the cores are left to other programs.

    in   {"model": path, "threads": 2, "context": 8192}     once
         {"id": 7, "ask": {...}}   {"cancel": 7}            the end of input ends the process
    out  {"ready": true}  or  {"failed": reason}            once
         {"id": 7, "piece": {...}} …  {"id": 7, "end": true}
"""

import json
import os
import secrets
import signal
import sys
from contextlib import suppress
from pathlib import Path
from queue import Queue
from threading import Lock, Thread
from typing import Any, TextIO

SOCKET = "model.sock"
BATCH_TOKENS = 128
"""Tokens of a prompt that are read between two looks at the Stop button: about two seconds on two slow cores."""


def main() -> None:
    """Serve until the input ends."""
    out = _own_output()
    _step_back()
    ModelServer(out, json.loads(sys.stdin.readline())).run()


class ModelServer:
    """llama.cpp with one question at a time."""

    def __init__(self, out: TextIO, settings: dict[str, Any]) -> None:
        self._out = out
        self._writing = Lock()
        self._questions: Queue[dict[str, Any]] = Queue()
        self._cancelled: set[int] = set()
        Thread(target=self._read, daemon=True).start()
        try:
            self._model = _load(settings)
        except (ImportError, RuntimeError) as error:
            self._say(failed=str(error))
            raise
        self._say(ready=True)

    def run(self) -> None:
        """Answer one question after the other."""
        while True:
            question = self._questions.get()
            number = question["id"]

            def took(piece: dict[str, Any], number: int = number) -> bool:
                self._say(id=number, piece=piece)
                return number in self._cancelled

            if number not in self._cancelled:
                self._model.handle_chat_completions(question["ask"], took)
            self._cancelled.discard(number)
            self._say(id=number, end=True)

    def _read(self) -> None:
        for line in sys.stdin:
            message = json.loads(line)
            if "cancel" in message:
                self._cancelled.add(message["cancel"])
            else:
                self._questions.put(message)
        os._exit(0)  # the bot is gone

    def _say(self, **message: Any) -> None:
        with self._writing:
            self._out.write(json.dumps(message) + "\n")
            self._out.flush()


def _load(settings: dict[str, Any]) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = settings["model"]
    params.n_ctx = settings["context"]
    params.n_parallel = 1
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = settings["threads"]
        cpu.poll = 0  # threads that wait busily slow other programs down, and one another
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.no_extra_bufts = True  # a second copy of the weights makes nothing faster here, and takes 0.6 GB
    params.cache_ram_mib = 256  # prompts of other connections, about 9,000 tokens; the default is 8 GB
    params.verbosity = -1
    params.ui = False
    params.endpoint_slots = False
    # The library always listens. Nobody can connect: the socket is in a folder of this user's, and removed below.
    params.hostnames = [SOCKET] if sys.platform != "win32" else ["127.0.0.1"]
    params.api_keys = [secrets.token_urlsafe(32)]
    params.cors_origins = "https://localhost.invalid"
    params.cors_credentials = False
    server = xllamacpp.Server(params)
    Path(SOCKET).unlink(missing_ok=True)
    return server


def _own_output() -> TextIO:
    """Return the way to the bot, and let whatever else is printed vanish."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    return out


def _step_back() -> None:
    """Let other programs have the cores first, and be the one to go when memory runs out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    with suppress(OSError):  # Linux only
        Path("/proc/self/oom_score_adj").write_text("800")


if __name__ == "__main__":
    main()
