"""`icc-bot api` as its administrator sees it: the real program, asked over HTTP."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from bot.__main__ import main
from tests.support.shop import write_connections

ROOT = Path(__file__).parents[3]


def command(folder: Path, *argv: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "api", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "default", **environment},
    )


@contextmanager
def started(folder: Path, *argv: str, **environment: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Run the program until the end of the block; gives it with its URL."""
    with command(folder, "--port", "0", *argv, **environment) as process:
        try:
            assert process.stdout
            line = process.stdout.readline()
            found = re.search(r"at work on (http://\S+)/v1", line)
            assert found, line + (process.stderr.read() if process.stderr else "")
            yield process, found[1]
        finally:
            process.kill()


Say = Callable[..., tuple[int, str]]


@pytest.fixture(name="say")
def _say(capsys: pytest.CaptureFixture[str]) -> Iterator[Say]:
    """Run a command that ends by itself, in this process; gives its status and what it printed."""
    mask = os.umask(0o077)

    def say(*argv: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["api", *argv])
        said = capsys.readouterr()
        return int(str(ended.value.code)), said.out + said.err

    yield say
    os.umask(mask)


@pytest.fixture(name="token")
def _token(say: Say) -> Callable[..., str]:
    """Make a token of Ana's and return it."""

    def token(name: str = "nightly", *argv: str) -> str:
        status, said = say("--new-token", "--name", name, "--user", "ana@example.com", *argv)
        assert 0 == status
        return said

    return token


def test_it_serves_on_this_machine_only(tmp_path: Path, token: Callable[..., str]) -> None:
    """It says where, answers clients with a token, and ends on the signal to stop."""
    write_connections(tmp_path, ["shop"])
    secret = token().splitlines()[0]
    with started(tmp_path) as (process, url):
        assert url.startswith("http://127.0.0.1:")
        assert 401 == httpx.get(f"{url}/v1/connections").status_code
        answer = httpx.get(f"{url}/v1/connections", headers={"Authorization": f"Bearer {secret}"})
        assert ["shop"] == [each["name"] for each in answer.json()["connections"]]
        process.send_signal(signal.SIGTERM)
        out, errors = process.communicate(timeout=300)

    said = "Stopping: what runs is ended; what is to be written or sent is at the next start.\n"
    assert (0, said, "") == (process.returncode, out, errors)
    log = tmp_path / "home" / "log" / "icc-bot.log"
    assert secret not in (log.read_text() if log.exists() else "")


def test_tokens_are_listed_and_revoked(say: Say, token: Callable[..., str]) -> None:
    """Neither tokens nor hashes are listed."""
    token("a")
    token("b", "--scopes", "email,read")

    assert (0, "a ana@example.com read\nb ana@example.com read,email\n") == say("--tokens")
    assert (0, "a is revoked.\n") == say("--revoke", "a")
    assert (0, "b ana@example.com read,email\n") == say("--tokens")
    status, why = say("--revoke", "a")
    assert (1, True) == (status, why.endswith("has no token a.\n"))


def test_without_a_token_it_does_not_start(say: Say) -> None:
    """Nobody could use it; the sentence says how one is made."""
    status, why = say()

    assert 2 == status
    assert "icc-bot api --new-token --name NAME --user ana@example.com" in why


@pytest.mark.parametrize(
    ("argv", "status", "words"),
    [
        (("--name", "a"), 2, "A token needs a name and a person"),
        (("--name", "a", "--user", "ana@example.com", "--scopes", "root"), 1, 'There is no scope "root"'),
        (("--name", "a", "--user", "ana"), 1, '"ana" is no e-mail address'),
        (("--name", "a b", "--user", "ana@example.com"), 1, "A token's name is made of"),
    ],
)
def test_tokens_that_are_none(say: Say, argv: tuple[str, ...], status: int, words: str) -> None:
    """The sentence says what is wrong, and none is made."""
    found, why = say("--new-token", *argv)

    assert (status, True) == (found, words in why)
    assert (0, "") == say("--tokens")
