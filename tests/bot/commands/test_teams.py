"""`icc-bot teams` as its administrator sees it: the real program against the stand-in for Teams."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.platforms.ollama import Ollama
from tests.platforms.teams.stand_in import Teams
from tests.support.in_process import run_here
from tests.support.shop import write_connections
from tests.support.teams_bot import environment

ROOT = Path(__file__).parents[3]
SQL = "SELECT name FROM regions ORDER BY name"
NOTHING: Mapping[str, str] = {}
UNSET = dict.fromkeys(
    ("MicrosoftAppId", "MicrosoftAppType", "MicrosoftAppTenantId", "MicrosoftAppPassword", "TEAMS_PUBLIC_URL"), ""
)


def command(given: dict[str, str], folder: Path, *argv: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "teams", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "default", **given},
    )


def done(given: dict[str, str], folder: Path, *argv: str) -> tuple[int, str, str]:
    """Return the status of a command that ends by itself, and what it printed."""
    ended = run_here(folder, given, "teams", *argv)
    return ended.returncode, ended.stdout, ended.stderr


class Program:
    """The running program, at work on `port`; `out` is what it printed so far."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process, self.out, self.errors, self.port = process, "", "", 0
        assert process.stdout is not None
        for line in process.stdout:
            self.out += line
            if found := re.search(r"at work in Teams, on port (\d+)", line):
                self.port = int(found[1])
                return
        raise AssertionError(f"{self.out}\n{process.stderr and process.stderr.read()}")

    @property
    def url(self) -> str:
        """The address that takes activities."""
        return f"http://127.0.0.1:{self.port}/api/messages"

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Have it stop, and return its exit status."""
        self.process.send_signal(how)
        out, self.errors = self.process.communicate(timeout=300)
        self.out += out
        return self.process.returncode


@contextmanager
def started(given: dict[str, str], folder: Path, *argv: str) -> Iterator[Program]:
    with command(given, folder, *argv) as process:
        try:
            yield Program(process)
        finally:
            process.kill()


def posted(url: str, **headers: str) -> int:
    """Return the status that an activity without a token is answered with."""
    activity = {
        "type": "message",
        "channelId": "msteams",
        "serviceUrl": "http://127.0.0.1:9/",
        "conversation": {"id": "a:1", "conversationType": "personal"},
        "from": {"id": "29:1"},
        "recipient": {"id": "28:1"},
        "text": "help",
    }
    headers = {"Content-Type": "application/json", **headers}
    try:
        request = urllib.request.Request(url, json.dumps(activity).encode(), headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@contextmanager
def settings(
    folder: Path, changes: Mapping[str, str] = NOTHING, *, anonymous: bool = False
) -> Iterator[tuple[Teams, dict[str, str]]]:
    """Give a Teams and the environment of a program that talks in it."""
    write_connections(folder, ["shop"])
    with Teams(anonymous=anonymous) as teams, Ollama(script=lambda prompt: SQL) as model:
        yield teams, {**environment(folder, teams, model), **changes}


def talk(teams: Teams) -> None:
    """Ask, press Run and see the rows."""
    teams.say("alex", "Which regions are there?")
    teams.press(teams.wait_message("alex", "Run on", seconds=60), "Run")
    teams.wait_message("alex", "North", seconds=60)


def test_the_check(tmp_path: Path) -> None:
    """`--check` prints each finding and ends with 0; with a wrong secret it ends with 1, and does not show it."""
    with settings(tmp_path) as (_, given):
        status, out, errors = done(given, tmp_path, "--check")
        bad = done({**given, "MicrosoftAppPassword": "very-s3cret"}, tmp_path, "--check")

    assert (status, errors) == (0, "")
    assert "ok       Teams tenants: people of one tenant are answered." in out
    assert "ok       Teams token: Microsoft gives one for this app." in out
    assert "ok       Teams keys: what Teams sends can be told from what others send." in out
    assert "ok       model that writes SQL: qwen2.5-coder:7b on Ollama" in out
    assert "ok       port: port " in out
    assert bad[0] == 1
    assert "FAILED   Teams token: Microsoft gives none" in bad[1]
    assert "s3cret" not in bad[1] + bad[2]


def test_what_is_missing_is_said_at_once(tmp_path: Path) -> None:
    """Without an app the program does not start, says where each setting is found, and its status is 2."""
    with settings(tmp_path, UNSET) as (_, given):
        status, _, errors = done(given, tmp_path)

    assert status == 2
    assert "Teams app id: MicrosoftAppId is not set; it stands under Azure, your Azure Bot, Configuration" in errors
    assert "Teams app type: MicrosoftAppType is not set" in errors
    assert "Traceback" not in errors


@pytest.mark.thorough
def test_a_talk_and_the_end(tmp_path: Path) -> None:
    """The program talks in Teams, lets nobody in without a token, and SIGTERM ends it with 0."""
    with settings(tmp_path) as (teams, given), started(given, tmp_path) as program:
        teams.bot_url = program.url
        talk(teams)
        unproven = posted(program.url)
        status = program.end()

    assert (status, program.errors) == (0, "")
    assert "Stopping: what runs is ended" in program.out
    assert unproven == 401
    assert (teams.refused, teams.faults) == ([], [])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="tells where a process listens by /proc")
@pytest.mark.thorough
def test_a_talk_without_tokens(tmp_path: Path) -> None:
    """With `--local` nothing of Teams need be set; it talks without tokens, and listens to this machine alone."""
    with settings(tmp_path, UNSET, anonymous=True) as (teams, given), started(given, tmp_path, "--local") as program:
        teams.bot_url = program.url
        talk(teams)
        listening = addresses(program.port)
        tunnelled = posted(program.url, **{"X-Forwarded-For": "203.0.113.7"})
        renamed = posted(program.url, Host="bot.example.com")
        status = program.end(signal.SIGINT)

    assert (status, program.errors) == (0, "")
    assert listening == {"0100007F"}
    assert (tunnelled, renamed) == (403, 403)
    assert teams.tokens == []
    assert (teams.refused, teams.faults) == ([], [])


def addresses(port: int) -> set[str]:
    """Return the addresses at which this port is listened on, as the kernel writes them."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ends = [row[1].split(":") for row in rows if row[3] == "0A"]
    return {address for address, number in ends if int(number, 16) == port}
