"""BASE_URL as an administrator meets it: the real API in a process of its own, killed and started again."""

import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import httpx
import pytest

from adapters.api.auth import ApiTokens, new_token, person_of, scopes_of
from adapters.rendering.plain_text import text_of
from bot.__main__ import main
from bot.checks.doctor import findings
from bot.commands.guard import scope_of
from bot.wiring.bot import Bot, build_bot
from router.cards import Reply
from router.errors import SettingsError
from router.memory.draft import User
from router.memory.thread import Memory, ThreadKey
from router.turn import Incoming, Input, Pressed, Said
from tests.bot.commands.test_api import started
from tests.support.bot_settings import settings_of
from tests.support.kept_bytes import words_kept
from tests.support.shop import write_connections

ANA = User("test:ana", "Ana", "ana@example.com")
KEY = ThreadKey("test", "", "", "1")
SLOW = "SELECT count(*) FROM numbers a, numbers b, numbers c, numbers d, numbers e, numbers f WHERE a.n + b.n <> c.n"
SCOPES = "read,write,email,act_for"


@pytest.fixture(name="there")
def _there(tmp_path: Path) -> Path:
    """The folder of the API's process, with its databases."""
    folder = tmp_path / "there"
    folder.mkdir()
    write_connections(folder, ["shop", "backup"])
    return folder


def token(there: Path, scopes: str = SCOPES, name: str = "bot") -> str:
    """Return a new token of the API."""
    secret, made = new_token(name, person_of("bot@example.com"), scopes_of(scopes))
    ApiTokens(there / "home" / "api-tokens").add(made)
    return secret


def environment(there: Path) -> dict[str, str]:
    return {"ICC_BOT_HOME": str(there / "home")}


class Talk:
    """One thread of a bot."""

    def __init__(self, bot: Bot) -> None:
        self.bot, self.replies = bot, list[Reply]()

    def send(self, given: Input) -> str:
        shown: list[Reply] = []
        self.bot.router.turn(Incoming(KEY, ANA, given), shown.append)
        self.replies += shown
        return text_of(shown[-1])

    def say(self, text: str) -> str:
        return self.send(Said(text))

    def press(self, answer: str) -> str:
        return self.send(Pressed(answer, (self.bot.router.memory(KEY) or Memory()).turn))


def until(found: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


def at_work(there: Path, kind: str) -> Callable[[], bool]:
    """Return what tells whether the API's ledger has a job of this kind at work."""

    def looked() -> bool:
        with closing(sqlite3.connect(there / "home" / "icc-bot.sqlite")) as file:
            states = file.execute("SELECT state FROM jobs WHERE kind = ?", (kind,)).fetchall()
        return ("RUNNING",) in states

    return looked


@pytest.mark.thorough
def test_an_api_that_is_killed(there: Path, tmp_path: Path) -> None:
    """Its reading is not repeated unasked, its writing is there once; the talk goes on as if nothing had been."""
    secret = token(there)
    with started(there, **environment(there)) as (process, url):
        given = {"BASE_URL": url, "API_TOKEN": secret, "ICC_BOT_HOME": str(tmp_path / "here")}
        with build_bot(settings_of(given)) as bot:
            talk = Talk(bot)
            talk.say(SLOW)
            talk.press("menu:shop")
            reading = Thread(target=talk.press, args=("yes",))
            reading.start()
            until(at_work(there, "read_sql"))
            process.send_signal(signal.SIGKILL)
            process.wait()
            port = httpx.URL(url).port
            with started(there, "--port", str(port), **environment(there)) as (second, _):
                reading.join(60)
                interrupted = text_of(talk.replies[-1])
                talk.say("SELECT name FROM regions ORDER BY name")
                rows = talk.press("yes")
                talk.press("write")
                talk.say("new table copies")
                lock = sqlite3.connect(there / "backup.sqlite", isolation_level=None)
                lock.execute("BEGIN EXCLUSIVE")
                writing = Thread(target=talk.press, args=("write",))
                writing.start()
                until(at_work(there, "write_data"))
                time.sleep(1)  # the API's word that it took the job has to be back before the kill
                second.send_signal(signal.SIGKILL)
                second.wait()
                lock.close()
            with started(there, "--port", str(port), **environment(there)):
                writing.join(60)
                written = text_of(talk.replies[-1])

    assert "It was interrupted, and not repeated." in interrupted
    assert ("North" in rows, "`main.copies` in Backup with 2 rows." in written) == (True, True)
    with closing(sqlite3.connect(there / "backup.sqlite")) as file:
        assert [("North",), ("South",)] == file.execute("SELECT name FROM copies ORDER BY name").fetchall()
    here = {path.name for path in (tmp_path / "here").iterdir()}
    assert "results" not in here
    assert secret.encode() not in words_kept(tmp_path / "here")


@pytest.fixture(name="say")
def _say(capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[..., tuple[int, str]]]:
    """Run a command in this process; gives its status and what it printed."""
    mask = os.umask(0o077)

    def say(*argv: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(argv))
        said = capsys.readouterr()
        return int(str(ended.value.code)), said.out + said.err

    yield say
    os.umask(mask)


def test_what_another_process_does(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, say: Callable[..., tuple[int, str]]
) -> None:
    """The doctor looks at it, the guard asks it for tables, and what has to be run there says so."""
    secret = token(there, "read,act_for")
    with started(there, **environment(there)) as (_, url):
        for name, value in {"BASE_URL": f"{url}/v1", "API_TOKEN": secret}.items():
            monkeypatch.setenv(name, value)
        given = {"BASE_URL": url, "API_TOKEN": secret, "ICC_BOT_HOME": str(tmp_path / "here")}
        found = [f"{finding.grade}: {finding.sentence}" for finding in findings(settings_of(given))]
        dialect, scope = scope_of(settings_of(given), "shop")
        jobs, api = say("jobs"), say("api")
        weak = settings_of({**given, "API_TOKEN": token(there, "read,write", "weak")})
        with pytest.raises(SettingsError, match="lacks the scope act_for"), build_bot(weak):
            pass

    said = "\n".join(found)
    assert f"ok: {url} answers, version" in said
    assert "token bot: act_for, read." in said
    assert "warning: the token lacks the scope write, so that nobody can write." in said
    assert "the jobs API has shop, backup; icc-bot doctor there looks at their databases." in said
    assert ("sqlite", True) == (dialect, ("main", "regions") in scope.tables)
    assert (
        1,
        f"icc-bot: BASE_URL is set, so that jobs are done by the jobs API at {url}. Run icc-bot jobs there.\n",
    ) == jobs
    assert (2, True) == (api[0], "the jobs API runs there" in api[1])
