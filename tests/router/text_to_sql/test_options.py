"""Steps that can be left out of the way from a question to SQL."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from router.errors import SettingsError
from router.text_to_sql.question import DEFAULT_OPTIONS, Options, read_options

PAGE = Path(__file__).parents[3] / "docs" / "sql-quality.md"


def test_every_option_is_documented_and_can_be_set() -> None:
    """The page names each with its values, the shipped one among them; `way` is the measurement's own."""
    rows = re.findall(r"^\| `(\w+)` \| (`[`\w, ]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    named = {name: re.findall(r"`(\w+)`", values) for name, values in rows if name != "way"}
    assert set(named) == {field.name for field in fields(Options)}
    for name, values in named.items():
        read = [getattr(read_options({name: value}), name) for value in values]
        assert len(set(read)) == len(values)
        assert getattr(DEFAULT_OPTIONS, name) in read


def test_every_wrong_option_is_told_at_once() -> None:
    """With what there is instead."""
    with pytest.raises(SettingsError) as caught:
        read_options({"tries": "0", "candidates": "5", "repair": "on"})
    told = caught.value.problems
    assert told[0] == 'tries is one of 1, 2, 3, not "0".'
    assert told[1].startswith('There is no option "candidates"; there are repair, ')
    assert len(told) == 2
