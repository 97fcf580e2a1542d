"""A handful of talks with the real embedded model on the sample company: `uv run --extra demo pytest -m model`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.evaluation.answers import read_answers

pytestmark = pytest.mark.model

ROOT = Path(__file__).parent.parent


@pytest.fixture(name="home", scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def console(home: Path, talk: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Pipe a talk into `icc-bot console`."""
    return icc_bot(home, "console", said=talk, **environment)


def icc_bot(home: Path, *command: str, said: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the program."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *command],
        input=said,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, "ICC_BOT_HOME": str(home), **environment},
    )


def rows_of(printed: str) -> int:
    """Return how many rows the tables of a talk have together."""
    lines = printed.splitlines()
    heads = [number for number, line in enumerate(lines) if line and set(line) <= {"-", " "}]
    return sum(next(n for n, line in enumerate(lines[head + 1 :]) if line.startswith("(")) for head in heads)


def test_the_first_talk(home: Path) -> None:
    """The talk of the README prints SQL and a table of five rows, and ends with status 0."""
    done = console(home, "Which five customers brought the most revenue?\nrun\ndone\n")

    assert done.returncode == 0, done.stderr
    assert "SELECT" in done.stdout
    assert rows_of(done.stdout) == 5
    assert "Radverleih Nordsee GmbH" in done.stdout


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("How many customers are there?", "customers"),
        ("How many support tickets are open, by priority?", "priority"),
        ("Which ten products have the highest price?", "price"),
        ("What is the average order value per channel?", "store"),
    ],
)
def test_a_question_is_answered(home: Path, question: str, word: str) -> None:
    """A plain question becomes SQL that runs and shows rows."""
    done = console(home, f"{question}\nrun\ndone\n")

    assert done.returncode == 0, done.stderr
    assert rows_of(done.stdout) >= 1
    assert word in done.stdout.lower()


RIGHT = 12
"""How many of the 24 questions that ship are answered rightly at least; a prompt that broke answers far fewer."""


def test_the_questions_that_ship(home: Path) -> None:
    """`icc-bot eval` asks them: most are answered rightly, nearly every query runs, and nothing is asked twice."""
    out = home / "answers.jsonl"
    done = icc_bot(home, "eval", "--out", str(out), SQL_MODEL_NAME="embedded", SQL_MODEL_TIMEOUT="600")

    assert done.returncode == 0, done.stderr
    answers = read_answers(out).given.values()
    assert len(answers) == 24
    assert sum(answer.right for answer in answers) >= RIGHT, done.stdout
    assert sum(answer.runs for answer in answers) >= 22, done.stdout
    written = out.read_bytes()
    again = icc_bot(home, "eval", "--out", str(out), SQL_MODEL_NAME="embedded", SQL_MODEL_TIMEOUT="600")
    assert (again.stdout, out.read_bytes()) == (done.stdout, written)
