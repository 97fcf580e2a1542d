"""The command line as a person at a terminal sees it; if the process itself matters, it is the real program."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.platforms.ollama import Ollama
from tests.support.in_process import run_here
from tests.support.shop import write_connections

ROOT = Path(__file__).parent.parent.parent
SQL = "SELECT name FROM regions ORDER BY name"

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(name="command")
def _command(tmp_path: Path) -> Command:
    def run(*argv: str, said: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return run_here(tmp_path, {"ICC_BOT_HOME": str(tmp_path / "home"), **environment}, *argv, said=said)

    return run


@pytest.fixture(name="program")
def _program(tmp_path: Path) -> Command:
    def run(*argv: str, said: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "bot", *argv],
            input=said,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), "ICC_BOT_HOME": str(tmp_path / "home"), **environment},
        )

    return run


def test_help_lists_what_most_people_need(program: Command) -> None:
    """`--help` lists twelve commands with a sentence each, and names all others below."""
    shown = program("--help").stdout
    listed = re.findall(r"^    ([a-z]+) ", shown, re.MULTILINE)
    known = re.findall(r"'([a-z]+)'", program("no-command").stderr.partition("choose from")[2])

    assert 12 == len(listed)
    assert set() == set(known) - set(re.findall(r"[a-z]+", shown.partition("commands:")[2]))


def test_a_talk_is_piped_in(program: Command, tmp_path: Path) -> None:
    """A piped talk prints SQL and rows and ends with status 0; the model is the one at OLLAMA_BASE_URL."""
    write_connections(tmp_path, ["shop"])
    with Ollama(script=lambda prompt: f"```sql\n{SQL}\n```") as server:
        done = program("console", said="which regions are there?\nrun\ndone\n", OLLAMA_BASE_URL=server.url)

    assert (done.returncode, done.stderr) == (0, "")
    assert "SELECT" in done.stdout
    assert "name\n------\nNorth\nSouth\n(2 rows" in done.stdout


def test_a_talk_goes_on_by_its_name(command: Command, program: Command, tmp_path: Path) -> None:
    """A talk with a name goes on where it was when the program is started again."""
    write_connections(tmp_path, ["shop"])
    with Ollama() as server:
        command("console", "--thread", "mine", said=f"{SQL}\n", OLLAMA_BASE_URL=server.url)
        done = program("console", "--thread", "mine", said="run\ndone\n", OLLAMA_BASE_URL=server.url)

    assert done.returncode == 0
    assert "(2 rows" in done.stdout


def test_no_model_is_one_sentence(command: Command, tmp_path: Path) -> None:
    """A model that cannot be reached is said in the talk, with what to do, and the question is kept."""
    write_connections(tmp_path, ["shop"])
    done = command(
        "console",
        said="which regions are there?\n",
        SQL_MODEL_NAME="llama9",
        OLLAMA_BASE_URL="http://127.0.0.1:9",
        SQL_MODEL_TIMEOUT="1",
    )

    assert done.returncode == 0
    assert "llama9 on Ollama cannot be reached." in done.stdout
    assert "Your question was: which regions are there?" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_wrong_settings_are_all_named(program: Command) -> None:
    """Every wrong setting is named at once, without a trace, and the status is 2."""
    done = program("console", PORT="high", ICC_BOT_RESULT_DAYS="-1")

    assert done.returncode == 2
    assert "- PORT must be a number from 0 to 65535.\n" in done.stderr
    assert "ICC_BOT_RESULT_DAYS: " in done.stderr
    assert "Traceback" not in done.stderr


def test_wrong_connections_are_all_named(command: Command, tmp_path: Path) -> None:
    """Every mistake in connections.toml is named with its line, and the status is 2."""
    (tmp_path / "connections.toml").write_text('[connections.a]\nurl = "nosuch://x"\ntimeout = "long"\n')
    done = command("console")

    assert done.returncode == 2
    assert done.stderr.count("connections.toml, line ") == 3


def test_the_doctor_fails_what_does_not_answer(command: Command, tmp_path: Path) -> None:
    """A database that is away is a failure without its password, and the status is 1."""
    (tmp_path / "connections.toml").write_text('[connections.far]\nid = 1\nurl = "env:FAR"\n')
    with Ollama() as server:
        done = command("doctor", OLLAMA_BASE_URL=server.url, FAR="postgresql://me:s3cret@127.0.0.1:9/x")

    assert done.returncode == 1
    assert "FAILED   connection far: " in done.stdout
    assert "s3cret" not in done.stdout + done.stderr


def test_the_doctor_asks_the_model_that_is_named(command: Command, tmp_path: Path) -> None:
    """A model that is named but that its server does not have is a failure, with the command that brings it."""
    write_connections(tmp_path, ["shop"])
    with Ollama() as server:
        done = command("doctor", OLLAMA_BASE_URL=server.url, SQL_MODEL_NAME="nomodel")

    assert done.returncode == 1
    assert "Ollama does not have it; run: ollama pull nomodel." in done.stdout
