"""Two values that differ are written so that one sees by what."""

from datetime import date
from typing import Any

import pytest

from router.sql.comparing.plan import Difference
from router.sql.comparing.report import shown
from router.sql.comparing.told_values import told_apart


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("Zoé", "Zoe\u0301", (r"'Zo\xe9'", r"'Zoe\u0301'")),
        ("a\tb", "a b", (r"a\tb", "a␣b")),
        ("a b", "a\u00a0b", ("a␣b", r"a\xa0b")),
        ("open", "open ", ("open", "open␣")),
        ("one  two", "one two", ("one␣␣two", "one␣two")),
        ("a\u200bb", "ab", (r"a\u200bb", "ab")),
        ("a\r\nb", "a\nb", (r"a\r\nb", r"a\nb")),
        ("\x01", "", (r"\x01", "")),
        ("\u041cax", "Max", (r"'\u041cax'", "'Max'")),
        ("Zoé", "Zoe", ("Zoé", "Zoe")),
        ("a b", "c d", ("a b", "c d")),
        (None, "", (None, "(empty text)")),
        ("NULL", None, ("“NULL”", None)),
        (None, "x", (None, "x")),
    ],
)
def test_what_cannot_be_seen_is_escaped(left: str | None, right: str | None, expected: tuple[str | None, ...]) -> None:
    """Blanks, accents of their own, letters of other alphabets and the like are seen where nothing else differs."""
    assert expected == told_apart(left, right)
    assert expected[::-1] == told_apart(right, left)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("x" * 300 + "a", "x" * 300 + "b", ("…" + "x" * 40 + "a", "…" + "x" * 40 + "b")),
        (b"\x01", b"\x02", ("0x01", "0x02")),
        (b"\x01", b"\x01\x02", ("0x01", "0x0102")),
        (date(2026, 1, 31), "2026-01-31", ("2026-01-31 (date)", "2026-01-31 (str)")),
    ],
)
def test_values_that_differ_are_not_written_alike(left: Any, right: Any, expected: tuple[str, str]) -> None:
    """Long texts begin shortly before what differs, bytes are written out, and types are said."""
    found = shown(Difference("changed", (1, left), (1, right), (1,)))

    assert (("1", expected[0]), ("1", expected[1])) == (found.left, found.right)
