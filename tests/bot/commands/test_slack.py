"""`icc-bot slack` as its administrator sees it: the real program against the stand-in for Slack."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from threading import Event

import pytest
from slack_sdk.oauth.installation_store import Installation

from adapters.slack.access import cipher, new_key
from adapters.slack.installations import Installations
from adapters.slack.scopes import OPTIONAL_SCOPES, SCOPES
from tests.platforms.ollama import Answer, Ollama
from tests.platforms.slack.stand_in import Slack
from tests.support.in_process import run_here
from tests.support.kept_bytes import words_kept
from tests.support.shop import write_connections

ROOT = Path(__file__).parents[3]
KEPT = ("icc-bot.log", "audit.jsonl")
SQL = "SELECT name FROM regions ORDER BY name"


def environment(folder: Path, slack: Slack, **changes: str) -> dict[str, str]:
    given = {
        "PYTHONPATH": str(ROOT),
        "ICC_BOT_HOME": str(folder / "home"),
        "SLACK_API_URL": slack.url,
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_APP_TOKEN": slack.app_token,
        "SLACK_SIGNING_SECRET": slack.signing_secret,
        "OLLAMA_BASE_URL": "http://127.0.0.1:9",
        "PYTHONWARNINGS": "default",
    }
    # What is empty is as good as not set, and so it must be for Bolt too, which reads these by itself.
    empty = {"SLACK_CLIENT_ID": "", "SLACK_CLIENT_SECRET": ""}
    return {**os.environ, **empty, **given, **changes}


def from_outside(folder: Path, slack: Slack, *argv: str, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *argv],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
        env=environment(folder, slack, **changes),
    )


def command(folder: Path, slack: Slack, *argv: str, **changes: str) -> subprocess.CompletedProcess[str]:
    return run_here(folder, environment(folder, slack, **changes), *argv)


class Program:
    """The running program; `out` is what it printed, once it has ended."""

    def __init__(self, process: "subprocess.Popen[str]", folder: Path) -> None:
        self.process, self.folder, self.out, self.errors = process, folder, "", ""

    def ready(self) -> None:
        """Return when it says that it is at work."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.out += line
            if "at work in Slack" in line:
                return
        raise AssertionError(f"{self.out}\n{self.process.stderr and self.process.stderr.read()}")

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Have it stop, and return its exit status."""
        self.process.send_signal(how)
        out, self.errors = self.process.communicate(timeout=300)
        self.out += out
        return self.process.returncode

    @property
    def log(self) -> str:
        """The text of its log."""
        path = self.folder / "home/log/icc-bot.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""


@contextmanager
def started(folder: Path, slack: Slack, *argv: str, **changes: str) -> Iterator[Program]:
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "slack", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment(folder, slack, **changes),
    )
    with process:
        program = Program(process, folder)
        try:
            program.ready()
            yield program
        finally:
            process.kill()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def fetch(url: str, **headers: str) -> tuple[int, str, list[str]]:
    """Return the status, the body and the cookies of a page."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=20) as answer:
            return answer.status, answer.read().decode(), answer.headers.get_all("Set-Cookie") or []
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), []


@pytest.fixture
def slack() -> Slack:
    made = Slack()
    made.scopes |= {*SCOPES, *OPTIONAL_SCOPES}
    return made


@pytest.mark.thorough
def test_what_is_missing_is_said_at_once(tmp_path: Path, slack: Slack) -> None:
    """Without tokens the program does not start, names the two of the five steps first, and its status is 2."""
    write_connections(tmp_path, ["shop"])
    with slack:
        done = from_outside(tmp_path, slack, "slack", SLACK_BOT_TOKEN="", SLACK_APP_TOKEN="", SLACK_SIGNING_SECRET="")

    assert done.returncode == 2
    said = done.stderr.splitlines()
    neither = "- Slack: neither SLACK_BOT_TOKEN nor SLACK_APP_TOKEN is set; the five steps in docs/slack.md bring both."
    assert said[1] == neither
    assert said[2].startswith("- Slack bot token: SLACK_BOT_TOKEN is not set; it begins with xoxb-")
    assert said[3].startswith("- Slack app token: SLACK_APP_TOKEN is not set; it begins with xapp-")
    assert 4 == len(said)
    assert "SLACK_SIGNING_SECRET" not in done.stderr


def test_the_check(tmp_path: Path, slack: Slack) -> None:
    """`--check` prints each finding and ends with 0; with a wrong token it ends with 1, and the token is not shown."""
    write_connections(tmp_path, ["shop"])
    with slack, Ollama() as ollama:
        good = from_outside(tmp_path, slack, "slack", "--check", OLLAMA_BASE_URL=ollama.url)
        bad = command(
            tmp_path, slack, "slack", "--check", SLACK_BOT_TOKEN="xoxb-very-s3cret", OLLAMA_BASE_URL=ollama.url
        )

    assert (good.returncode, good.stderr) == (0, "")
    assert "ok       Slack bot token: askdata answers in the workspace Acme." in good.stdout
    assert bad.returncode == 1
    assert "FAILED   Slack bot token: Slack does not take it (invalid_auth)" in bad.stdout
    assert "s3cret" not in bad.stdout + bad.stderr


def test_several_workspaces_must_be_named(tmp_path: Path, slack: Slack) -> None:
    """Without the list of workspaces that may install the app, the program does not start."""
    write_connections(tmp_path, ["shop"])
    changes = {
        "SLACK_BOT_TOKEN": "",
        "SLACK_CLIENT_ID": slack.client_id,
        "SLACK_CLIENT_SECRET": slack.client_secret,
        "SLACK_TOKEN_KEY": new_key(),
    }
    with slack:
        done = command(tmp_path, slack, "slack", **changes)

    assert done.returncode == 2
    assert "SLACK_TEAMS is not set: any workspace that installs the app could ask your databases." in done.stderr


@pytest.mark.parametrize("how", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.thorough)])
def test_it_answers_and_stops(tmp_path: Path, slack: Slack, how: signal.Signals) -> None:
    """Over a socket the program answers, and stops without a warning; no token is in its log or its files."""
    write_connections(tmp_path, ["shop"])
    with slack, Ollama() as ollama, started(tmp_path, slack, OLLAMA_BASE_URL=ollama.url) as program:
        slack.wait_socket(seconds=60)
        slack.dm("U1", SQL)
        shown = slack.wait_message(contains="Run", seconds=60)
        status = program.end(how)
    stored = words_kept(tmp_path / "home")

    assert "Run" in str(shown.blocks)
    assert (status, program.errors) == (0, "")
    assert "Listening" not in program.out
    assert "will be unused" not in program.log
    assert slack.faults == []
    assert [t for t in (slack.bot_token, slack.app_token, slack.signing_secret) if t.encode() in stored] == []


@pytest.mark.thorough
def test_it_stops_in_the_middle_of_a_question(tmp_path: Path, slack: Slack) -> None:
    """Told to stop while the model works, the program ends what runs, tells the person, and is gone soon."""
    write_connections(tmp_path, ["shop"])
    never = Event()
    with (
        slack,
        Ollama(script=lambda prompt: Answer("```sql\nSELECT", waits=never)) as ollama,
        started(tmp_path, slack, OLLAMA_BASE_URL=ollama.url) as program,
    ):
        slack.wait_socket(seconds=60)
        slack.dm("U1", "which regions are there?")
        slack.wait_message(contains="riting", seconds=60)
        status = program.end()
        never.set()

    assert (status, program.errors) == (0, "")


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["socket", "http"])
def test_slack_has_trouble_at_the_start(tmp_path: Path, slack: Slack, mode: str) -> None:
    """If Slack does not say whose the tokens are, the program starts, says so, and answers once Slack does."""
    write_connections(tmp_path, ["shop"])
    port = free_port()
    changes = {"SLACK_MODE": mode, "PORT": str(port)}
    slack.request_url = f"http://127.0.0.1:{port}/slack/events" if mode == "http" else ""
    slack.retries = (0.5,) * 60
    with slack, Ollama() as ollama:
        # The check asks once; the first of the further questions is refused for good, as far as Slack knows then.
        slack.fail("auth.test", "ratelimited")
        slack.fail("auth.test", "internal_error", times=3)
        slack.fail("apps.connections.open", "internal_error", times=2)
        with started(tmp_path, slack, OLLAMA_BASE_URL=ollama.url, **changes) as program:
            ill = fetch(f"http://127.0.0.1:{port}/health")[:2]
            slack.dm("U1", SQL)
            slack.wait_message(contains="Run", seconds=60)
            well = fetch(f"http://127.0.0.1:{port}/health")[0]
            status = program.end()

    assert "warning  Slack bot token: Slack answered ratelimited, so that it could not be looked at." in program.out
    assert (503, 200, 0) == (ill[0], well, status)
    assert (
        "SLACK_BOT_TOKEN: Slack does not say whose it is (internal_error). Nobody is answered before it does; "
        "I go on asking.\n"
    ) == program.errors


@pytest.mark.thorough
def test_over_http(tmp_path: Path, slack: Slack) -> None:
    """Over HTTP the program answers at its port, tells its health, and refuses and logs what Slack did not sign."""
    write_connections(tmp_path, ["shop"])
    port = free_port()
    slack.request_url = f"http://127.0.0.1:{port}/slack/events"
    changes = {"SLACK_APP_TOKEN": "", "PORT": str(port)}
    with slack, Ollama() as ollama, started(tmp_path, slack, OLLAMA_BASE_URL=ollama.url, **changes) as program:
        health = fetch(f"http://127.0.0.1:{port}/health")[:2]
        verified = slack.verify_url()
        forged, _ = slack.post_raw('{"type": "event_callback"}', secret="another")
        old, _ = slack.post_raw('{"type": "event_callback"}', timestamp=1_700_000_000)
        slack.dm("U1", SQL)
        slack.wait_message(contains="Run", seconds=60)
        status = program.end()

    assert health == (200, '{"status": "ok", "mode": "http"}')
    assert (verified[0], "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P" in verified[1]) == (200, True)
    assert (forged, old) == (401, 401)
    assert program.log.count("was refused: it is not signed, or not as Slack would just now") == 2
    assert (status, program.errors) == (0, "")  # one that was right came before the forgeries


@pytest.mark.thorough
def test_several_workspaces(tmp_path: Path, slack: Slack) -> None:
    """Two workspaces install the app and talk with it; the one that takes it away leaves nothing behind."""
    write_connections(tmp_path, ["shop"])
    port = free_port()
    slack.team("T2", token="xoxb-T2-own", scopes=frozenset({*SCOPES, *OPTIONAL_SCOPES}))
    slack.user("U2", team="T2")
    slack.request_url = f"http://127.0.0.1:{port}/slack/events"
    changes = {
        "SLACK_APP_TOKEN": "",
        "SLACK_BOT_TOKEN": "",
        "PORT": str(port),
        "SLACK_CLIENT_ID": slack.client_id,
        "SLACK_CLIENT_SECRET": slack.client_secret,
        "SLACK_TOKEN_KEY": new_key(),
        "SLACK_TEAMS": "T1, T2",
        "SQL_MODEL_NAME": "qwen2.5-coder:7b",
    }
    with slack, Ollama() as ollama, started(tmp_path, slack, OLLAMA_BASE_URL=ollama.url, **changes) as program:
        installed = [install(f"http://127.0.0.1:{port}", slack.code(team)) for team in ("T1", "T2")]
        for user in ("U1", "U2"):
            slack.dm(user, SQL)
        for user in ("U1", "U2"):
            slack.wait_message(user, contains="Run", seconds=60)
        before = stored(tmp_path)
        slack.uninstall("T2")
        slack.wait(lambda: "team T2 took the app away" in program.log, 60)
        status = program.end()
    after = stored(tmp_path)

    assert installed == [200, 200]
    assert (status, [line for line in program.errors.splitlines() if "BasicAuth" not in line]) == (0, [])
    assert (b"xoxb" in before, b"U2" in before) == (False, True)
    assert "1 threads were deleted" in program.log
    assert (b"xoxb" in after, b'"slack:U2"' in after) == (False, False)
    assert [word for word in ("xoxb", "Traceback") if word in program.log] == []


def test_another_key_is_found_by_the_check(tmp_path: Path, slack: Slack) -> None:
    """With a key that does not open the stored tokens the check fails, and so does the start."""
    write_connections(tmp_path, ["shop"])
    store = Installations(f"sqlite:///{tmp_path}/i.sqlite", slack.client_id, cipher(new_key()), {"T1"})
    asyncio.run(
        store.async_save(Installation(user_id="U1", app_id="A1", team_id="T1", bot_token="xoxb-T1", bot_id="B1"))
    )
    store.close()
    changes = {
        "SLACK_BOT_TOKEN": "",
        "SLACK_CLIENT_ID": slack.client_id,
        "SLACK_CLIENT_SECRET": slack.client_secret,
        "SLACK_DATABASE_URL": f"sqlite:///{tmp_path}/i.sqlite",
        "SLACK_TEAMS": "T1",
    }
    with slack:
        checked = command(tmp_path, slack, "slack", "--check", SLACK_TOKEN_KEY=new_key(), **changes)
        start = command(tmp_path, slack, "slack", SLACK_TOKEN_KEY=new_key(), **changes)

    assert (checked.returncode, start.returncode) == (1, 2)
    assert "FAILED   Slack workspaces: SLACK_TOKEN_KEY: a stored token cannot be decrypted" in checked.stdout
    assert "a stored token cannot be decrypted" in start.stderr


def install(url: str, code: str) -> int:
    """Install the app as a browser does."""
    _, page, cookies = fetch(f"{url}/slack/install")
    jar = SimpleCookie(cookies[0])
    state = re.search(r"state=([\w-]+)", page)
    assert state is not None
    sent = "; ".join(f"{name}={morsel.value}" for name, morsel in jar.items())
    return fetch(f"{url}/slack/oauth_redirect?code={code}&state={state[1]}", Cookie=sent)[0]


def stored(folder: Path) -> bytes:
    """Return everything in the files of the home folder but what is meant to last: the log and the audit trail."""
    return words_kept(folder / "home", but=KEPT)
