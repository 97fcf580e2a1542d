"""JSON that others wrote, nested beyond measure: no reader of it ends in a stack trace."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import BaseModel, ValidationError

from adapters.remote.client import _json
from adapters.teams.feedback import _comment
from bot.evaluation.answers import read_answers
from bot.evaluation.questions import read_lines
from router.errors import JobFailed, SettingsError
from router.knowledge.learned import read as read_learned
from router.language.outside_json import parse_json
from router.llm.call import read as read_answer
from router.storage.edited_files import parse_toml
from router.understanding.sentences import read_sentences
from tests.support.rows import every_row

DEEP = "[" * 100_000


class Shape(BaseModel):
    """What a model is asked for."""

    a: Any = None


def in_file(read: Callable[[Path], Any], folder: Path) -> Any:
    """Return what is read of a file with the deep text."""
    (folder / "deep").write_text(DEEP)
    return read(folder / "deep")


REFUSING: list[tuple[Callable[[Path], Any], type[Exception]]] = [
    (lambda folder: parse_json(DEEP), ValueError),
    (lambda folder: read_answer(Shape, '{"a": ' + DEEP + "}"), ValidationError),
    (lambda folder: _json(httpx.Response(200, text=DEEP)), JobFailed),
    (lambda folder: in_file(read_answers, folder), SettingsError),
    (lambda folder: list(in_file(read_lines, folder)), SettingsError),
    (lambda folder: read_learned(f"keys = {DEEP}"), JobFailed),
]


@every_row(("reading", "refusal"), REFUSING)
def test_deep_nesting_is_refused(tmp_path: Path, reading: Callable[[Path], Any], refusal: type[Exception]) -> None:
    """As what is no JSON, or no TOML, at all."""
    with pytest.raises(refusal):
        reading(tmp_path)


def test_deep_nesting_is_nothing_where_nothing_is_needed() -> None:
    """What Teams sends along, and files that may be wrong, are read as empty, with what is wrong."""
    assert "" == _comment({"value": {"actionValue": {"feedback": DEEP}}})
    assert ({}, "It is nested too deeply", 1) == parse_toml(f"a = {DEEP}")
    assert "is no TOML" in read_sentences("own.toml", f"a = {DEEP}").problems[0]
