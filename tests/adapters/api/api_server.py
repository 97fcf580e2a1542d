"""The jobs API as programs meet it: the real server on loopback, over small real databases and a real mail server."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from adapters.api.auth import new_token, person_of, scopes_of
from bot.commands.api import at_work
from bot.commands.api_tokens import tokens_of
from bot.models.ollama_server import load_certificates
from bot.settings.environment import Settings
from bot.wiring.bot import Bot, build_bot
from tests.support.bot_settings import settings_of
from tests.support.bot_thread import served_in_a_thread
from tests.support.mail_servers import SENDER, PostOffice, post_office
from tests.support.shop import write_connections

SHOP, BACKUP, GUARDED, SECRETS = 1, 4, 8, 9
"""Numbers of the connections."""

SHUT = """
[connections.guarded]
id = 8
url = "sqlite:///shop.sqlite"
write_url = "sqlite:///backup.sqlite"
approvers = ["bob@example.com"]
writers = ["*"]

[connections.secrets]
id = 9
url = "sqlite:///shop.sqlite"
readers = ["eve@example.com"]
private = true
"""
"""A database where Bob alone may approve, and one that Eve alone may read."""

ALL = "read,write,email"
REGIONS = "SELECT name FROM regions ORDER BY name"
OVER = ("done", "failed", "cancelled", "unsure")
Json = dict[str, Any]


@dataclass
class ApiServer:
    """A running API, its bot, and a token for each person."""

    folder: Path
    settings: Settings
    post: PostOffice
    bot: Bot
    url: str = ""
    clients: list[httpx.Client] = field(default_factory=list)

    def secret(self, person: str, scopes: str = ALL, name: str = "") -> str:
        """Return a new token of a person."""
        tokens = tokens_of(self.settings)
        secret, token = new_token(name or f"t{len(tokens.all())}", person_of(person), scopes_of(scopes))
        tokens.add(token)
        return secret

    def client(self, person: str = "ana@example.com", scopes: str = ALL) -> "Program":
        """Return a program with a new token of a person."""
        return Program(self._client({"Authorization": f"Bearer {self.secret(person, scopes)}"}))

    def stranger(self, **headers: str) -> "Program":
        """Return a program without a token, or with these headers."""
        return Program(self._client(headers))

    def _client(self, headers: dict[str, str]) -> httpx.Client:
        client = httpx.Client(
            base_url=self.url, headers=headers, timeout=60, verify=load_certificates(environment=False)
        )
        self.clients.append(client)
        return client

    def trail(self) -> str:
        """Return the audit trail."""
        return (self.settings.home / "audit.jsonl").read_text(encoding="utf-8")


@dataclass
class Program:
    """Something that uses the API."""

    http: httpx.Client

    def get(self, path: str, **query: Any) -> tuple[int, Json]:
        """Return status and answer."""
        return read(self.http.get(path, params=query))

    def post(self, path: str, body: Any = None, key: str = "") -> tuple[int, Json]:
        """Return status and answer."""
        return read(self.http.post(path, json=body, headers={"Idempotency-Key": key} if key else {}))

    def ask(self, kind: str, body: Json, key: str = "") -> tuple[int, Json]:
        """Ask for a job of a kind, and return status and answer."""
        return self.post("/v1/jobs", {"kind": kind, **body}, key)

    def done(self, asked: tuple[int, Json]) -> Json:
        """Wait for the end of a job that was just asked for, and return it."""
        status, job = asked
        assert 202 == status, job
        while job["state"] not in OVER:
            time.sleep(0.01)
            _, job = self.get(f"/v1/jobs/{job['id']}")
        return job

    def reading(self, sql: str = REGIONS, connection: int = SHOP) -> str:
        """Have a query run, and return the job's number once it is done."""
        job = self.done(self.ask("read", {"connection": connection, "sql": sql}))
        assert "done" == job["state"], job
        return str(job["id"])

    def rows(self, job: str, **query: int) -> Json:
        """Return a page of a job's rows."""
        status, page = self.get(f"/v1/jobs/{job}/rows", **query)
        assert 200 == status, page
        return page


def read(answer: httpx.Response) -> tuple[int, Json]:
    """Return status and JSON; whatever is refused is a problem with a sentence."""
    if answer.status_code >= 400:
        assert "application/problem+json" == answer.headers["Content-Type"].split(";")[0]
        assert answer.status_code == answer.json()["status"]
        assert answer.json()["detail"]
        assert "Traceback" not in answer.text
    found: Json = answer.json()
    return answer.status_code, found


@contextmanager
def api_server(folder: Path, extra: str = "", **environment: str) -> Iterator[ApiServer]:
    """Serve the API until the end of the block."""
    connections = write_connections(folder, ["shop", "backup"], extra)
    with connections.open("a") as file:
        file.write(SHUT)
    with ExitStack() as stack:
        post = stack.enter_context(post_office())
        given = {
            "ICC_BOT_HOME": str(folder / "home"),
            "ICC_BOT_CONNECTIONS": str(connections),
            "SMTP_URL": f"smtp://localhost:{post.port}?starttls=no",
            "EMAIL_FROM": SENDER,
        }
        settings = settings_of({**given, **environment})
        bot = stack.enter_context(build_bot(settings))
        served = ApiServer(folder, settings, post, bot)
        port = stack.enter_context(served_in_a_thread(lambda: at_work(bot, settings, "127.0.0.1", 0)))
        served.url = f"http://127.0.0.1:{port}"
        yield served
        for client in served.clients:
            client.close()
