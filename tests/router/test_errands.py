"""What a sentence typed under a result asks to do with it."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from router.intents.errands import errand_of

SENTENCES: dict[str, list[str]] = tomllib.loads((Path(__file__).parent / "errands.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", SENTENCES["write"])
def test_asks_to_write(text: str) -> None:
    """The sentence asks to write the result to a table."""
    assert "write" == errand_of(text)


@pytest.mark.parametrize("text", SENTENCES["email"])
def test_asks_to_email(text: str) -> None:
    """The sentence asks to e-mail the result."""
    assert "email" == errand_of(text)


@pytest.mark.parametrize("text", SENTENCES["neither"])
def test_asks_for_neither(text: str) -> None:
    """The sentence is a question, SQL, or a button's word, though it may share words with an errand."""
    assert errand_of(text) is None


@pytest.mark.parametrize("change", [str.upper, str.title, lambda text: f"  {text}\n", lambda text: f"please {text}"])
@pytest.mark.parametrize("text", ["write it to backup.customers", "mail this to ana@example.com as excel"])
def test_case_blanks_and_politeness(text: str, change: Callable[[str], str]) -> None:
    """Capital letters, blanks and a please change nothing."""
    assert errand_of(text) == errand_of(change(text))
    assert errand_of(text) is not None
