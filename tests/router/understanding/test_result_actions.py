"""Sentences typed under a result that ask to write or to e-mail it."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from router.understanding.steps import step_of
from tests.support.rows import every_row

_FILE = Path(__file__).with_name("result_actions.toml")
SENTENCES: dict[str, list[str]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))


def action_of(text: str) -> str | None:
    """Return whether a sentence asks to write or to e-mail the result; None for anything else."""
    step = step_of(text)
    return step.step if step and step.step in ("write", "email") else None


@every_row("text", SENTENCES["write"])
def test_asks_to_write(text: str) -> None:
    """The sentence asks to write the result to a table."""
    assert "write" == action_of(text)


@every_row("text", SENTENCES["email"])
def test_asks_to_email(text: str) -> None:
    """The sentence asks to e-mail the result."""
    assert "email" == action_of(text)


@every_row("text", [*SENTENCES["neither"], *SENTENCES["asked"]])
def test_asks_for_neither(text: str) -> None:
    """The sentence is a question, SQL, or a button's word, or is not surely a wish; it may share words with one."""
    assert action_of(text) is None


@pytest.mark.parametrize("change", [str.upper, str.title, lambda text: f"  {text}\n", lambda text: f"please {text}"])
@pytest.mark.parametrize("text", ["write it to backup.customers", "mail this to ana@example.com as excel"])
def test_case_blanks_and_politeness(text: str, change: Callable[[str], str]) -> None:
    """Capital letters, blanks and a please change nothing."""
    assert action_of(text) == action_of(change(text))
    assert action_of(text) is not None
