"""Docstrings say in plain words what a function does: a verb and the domain's noun come first."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("bot", "adapters", "router")

BEGINNINGS = re.compile(r"(Tells?|Do nothing|What(?:ever)?|Who(?:ever|m|se)?|Where|Whether|How|Which|When|Why)\b")
"""What a docstring does not begin with: "Return whether …" for a truth value, "Raise … unless …" for a check."""

ODD_WORDS = re.compile(r"\b(whoever|anew|shall)\b", re.IGNORECASE)


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_are_plain(room: str) -> None:
    """No docstring of a module, a class or a function begins with a riddle, and none has an old-fashioned word."""
    wrong = [
        f"{path.relative_to(ROOT)}: {text.splitlines()[0]}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for text in _docstrings(path)
        if BEGINNINGS.match(text) or ODD_WORDS.search(text)
    ]

    assert wrong == []


def _docstrings(path: Path) -> Iterator[str]:
    """Yield the docstrings of a source file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
