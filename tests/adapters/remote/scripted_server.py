"""An HTTP server on loopback that answers what it is told to, one answer after the other, or hangs up."""

import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

HANG_UP = (0, "", b"")

Answer = tuple[int, str, bytes]
"""Status, type of content, content."""


def problem(status: int, detail: str, kind: str = "") -> Answer:
    """Return a refusal of the API's own."""
    return status, "application/problem+json", json.dumps({"detail": detail, "kind": kind}).encode()


def good(**answer: Any) -> Answer:
    """Return an answer."""
    return 200, "application/json", json.dumps(answer).encode()


@dataclass
class Moody:
    """The next answers, and the requests so far: method, path and headers."""

    answers: list[Answer] = field(default_factory=list)
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    more: dict[str, str] = field(default_factory=dict)
    """Further headers of answers."""
    port: int = 0

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def moody(*answers: Answer, certificate: Path | None = None, **more: str) -> Iterator[Moody]:
    """Serve until the end of the block, by TLS where there is a certificate; the last answer is repeated."""
    told = Moody(list(answers), more={name.replace("_", "-"): value for name, value in more.items()})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.asked.append((self.command, self.path, dict(self.headers)))
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, kind, content = told.answers.pop(0) if len(told.answers) > 1 else told.answers[0]
            if status:
                self.send_response(status)
                for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **told.more}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)
            self.close_connection = True

        do_POST = do_DELETE = do_GET

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.port = server.server_address[1]
    if certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever, args=(0.02,), name="moody", daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
