"""`icc-bot guard`: answers on standard output, an exit status for scripts."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.in_process import run_here
from tests.support.shop import write_connections


@dataclass(frozen=True, slots=True)
class Judged:
    """What a run of the command printed, and its exit status."""

    status: int
    answers: list[dict[str, Any]]
    errors: str

    @property
    def allowed(self) -> list[bool]:
        """Whether each statement may run."""
        return [answer["allowed"] for answer in self.answers]


Guard = Callable[..., Judged]


@pytest.fixture(name="guard")
def _guard(tmp_path: Path) -> Guard:
    def run(arguments: str, text: str = "") -> Judged:
        if "--connection" in arguments:
            write_connections(tmp_path, ["shop"])
        done = run_here(tmp_path, {"ICC_BOT_HOME": str(tmp_path)}, "guard", *arguments.split(), said=text)
        return Judged(done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr)

    return run


@pytest.mark.parametrize(
    ("dialect", "text", "status", "reason", "sql"),
    [
        ("postgres", "select 1 -- x\n,\n2;\n", 0, "This only reads.", "SELECT 1, 2"),
        (
            "sqlite",
            "DELETE FROM t",
            1,
            "Only reading is possible here: the statement would change data (DELETE).",
            "",
        ),
        *((name, "SELECT 1 AS x", 0, "This only reads.", "SELECT 1 AS x") for name in ("SQLServer", "mariadb", "pg")),
    ],
)
def test_one_text_is_judged(guard: Guard, dialect: str, text: str, status: int, reason: str, sql: str) -> None:
    """The whole input is one text; its dialect may be called as people do; the reason is the guard's sentence."""
    judged = guard(f"--dialect {dialect}", text)
    assert (status, [{"allowed": not status, "reason": reason, "sql": sql}]) == (judged.status, judged.answers)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("", "name the --dialect or the --connection"),
        ("--dialect klingon", "the dialect 'klingon' is not known; choose one of duckdb, mysql, oracle, postgres"),
        ("--connection nowhere", "There is no connection nowhere"),
        ("--connection shop --dialect oracle", "the connection shop speaks sqlite, not oracle"),
        ("--no-such-option", "unrecognized arguments"),
    ],
)
def test_wrong_usage_is_answered_with_2(arguments: str, problem: str, guard: Guard) -> None:
    """A wrong use is said on standard error, and nothing on standard output."""
    judged = guard(arguments, "SELECT 1")
    assert (2, []) == (judged.status, judged.answers)
    assert problem in judged.errors


def test_lines_are_answered_in_order(guard: Guard) -> None:
    """Each line gets its answer, whatever is wrong with it; one refusal makes the status 1."""
    lines = [
        '{"dialect": "postgres", "sql": "SELECT 1"}',
        '{"dialect": "mariadb", "sql": "SELECT SLEEP(1)"}',
        '{"dialect": "klingon", "sql": "SELECT 1"}',
        '{"dialect": 5, "sql": "SELECT 1"}',
        '{"sql": "SELECT 1"}',
        '{"dialect": "postgres"}',
        '{"dialect": "postgres", "sql": 5}',
        "[1]",
        "no JSON",
        "[" * 20_000,
        '{"dialect": "sqlite", "sql": "SELECT 2"}',
        "\udcff",  # a byte that is no UTF-8
    ]
    judged = guard("--jsonl", "\n".join(lines))
    assert (1, [True, *[False] * 9, True, False]) == (judged.status, judged.allowed)
    assert all(answer["reason"] for answer in judged.answers)
