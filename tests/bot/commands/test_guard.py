"""`icc-bot guard`: answers on standard output, an exit status for scripts."""

import io
import json
import sys
from typing import Any

import pytest

from bot.commands.guard import run
from router.errors import BotError
from router.sql.dialect import Name
from router.sql.scope import Scope


def scope_of(name: str) -> tuple[Name, Scope]:
    """Know one connection, "shop"."""
    if name != "shop":
        raise BotError(f"There is no connection {name}.")
    return "sqlite", Scope.of("main", [("main", "orders")])


def ask(monkeypatch: pytest.MonkeyPatch, arguments: str, text: str | bytes = "") -> int:
    """Run the command with a text on its standard input."""
    raw = text.encode() if isinstance(text, str) else text
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
    return run(arguments.split(), scope_of)


def answers(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Return the answers that were printed."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_what_only_reads_is_answered_with_0(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole input is one text."""
    assert ask(monkeypatch, "--dialect postgres", "select 1 -- x\n,\n2;\n") == 0
    assert answers(capsys) == [{"allowed": True, "reason": "This only reads.", "sql": "SELECT 1, 2"}]


def test_what_changes_data_is_answered_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reason is the guard's sentence."""
    assert ask(monkeypatch, "--dialect sqlite", "DELETE FROM t") == 1
    reason = "Only reading is possible here: the statement would change data (DELETE)."
    assert answers(capsys) == [{"allowed": False, "reason": reason, "sql": ""}]


@pytest.mark.parametrize("name", ["postgresql", "mssql", "SQLServer", "mariadb", "Oracle", "sqlite3"])
def test_people_may_call_dialects_as_they_do(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Common names of the databases are understood."""
    assert ask(monkeypatch, f"--dialect {name}", "SELECT 1 AS x") == 0
    assert answers(capsys)[0]["sql"] == "SELECT 1 AS x"


def test_a_connection_limits_the_tables(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With a connection, its dialect is known and only its tables may be read."""
    assert ask(monkeypatch, "--connection shop", "SELECT id FROM orders") == 0
    assert ask(monkeypatch, "--connection shop", "SELECT id FROM salaries") == 1
    assert [answer["allowed"] for answer in answers(capsys)] == [True, False]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("", "name the --dialect or the --connection"),
        ("--dialect klingon", "the dialect 'klingon' is not known; choose one of duckdb, mysql, oracle, postgres"),
        ("--connection nowhere", "There is no connection nowhere."),
        ("--connection shop --dialect oracle", "the connection shop speaks sqlite, not oracle"),
        ("--no-such-option", "unrecognized arguments"),
    ],
)
def test_wrong_usage_is_answered_with_2(
    arguments: str, problem: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong use is said on standard error, and nothing on standard output."""
    assert ask(monkeypatch, arguments, "SELECT 1") == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert problem in printed.err


def test_help_is_no_mistake(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """--help prints the options and ends with 0."""
    assert ask(monkeypatch, "--help") == 0
    assert "--jsonl" in capsys.readouterr().out


def test_lines_are_answered_in_order(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
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
    ]
    assert ask(monkeypatch, "--jsonl", "\n".join(lines).encode() + b"\n\xff\n") == 1
    given = answers(capsys)
    assert [answer["allowed"] for answer in given] == [True, *[False] * 9, True, False]
    assert all(answer["reason"] for answer in given)


def test_lines_that_may_all_run_are_answered_with_0(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Empty lines are passed over, and --dialect is for the lines that name none."""
    assert ask(monkeypatch, "--jsonl --dialect duckdb", '{"sql": "FROM t"}\n\n{"sql": "SELECT 1"}\n') == 0
    assert [answer["sql"] for answer in answers(capsys)] == ["SELECT * FROM t", "SELECT 1"]


def test_lines_keep_to_the_connection(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A line may not leave the connection by naming another dialect."""
    lines = '{"sql": "SELECT * FROM orders"}\n{"dialect": "oracle", "sql": "SELECT 1 FROM dual"}\n'
    assert ask(monkeypatch, "--jsonl --connection shop", lines) == 1
    assert [answer["allowed"] for answer in answers(capsys)] == [True, False]
