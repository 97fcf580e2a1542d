"""Texts on one line, and texts that are made to fit."""

import pytest

from router.language.wording import one_line, truncate


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("two\nlines\t and blanks ", "two lines and blanks"),
        ("turned \u202eround\x00", "turned round"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_one_line(text: str, line: str) -> None:
    """Nothing stays that cannot be seen, but for what joins letters of some scripts."""
    assert line == one_line(text)


@pytest.mark.parametrize(
    ("text", "max_chars", "cut"),
    [("exactly", 7, "exactly"), ("longer text", 10, "longer te…"), ("longer text", 8, "longer…"), ("ab", 0, "…")],
)
def test_truncate(text: str, max_chars: int, cut: str) -> None:
    """What is cut ends in a mark that counts, and in no blank before it."""
    assert cut == truncate(text, max_chars)
