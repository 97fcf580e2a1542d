"""Pages of results as tables."""

import pytest
from hypothesis import given, settings

from adapters.slack.tables import draw_table, exact_number
from router.cards import Head, Table
from tests.platforms.slack.kit.payload import message_problems
from tests.support.hypothesis_examples import examples
from tests.support.replies import QUICK, tables

PEOPLE = Table(
    (Head("name"), Head("revenue", "number")),
    (("Barbara Liskov", "990.25"), ("<!channel>", "1e5"), ("", None), ("a\nb", "007")),
    4,
    seconds=0.1,
)


def cells(table: Table) -> list[list[dict[str, object]]]:
    """Return the rows of the table that is drawn."""
    rows: list[list[dict[str, object]]] = draw_table(table, 5_000).blocks[0]["rows"]
    return rows


def test_cells_are_literal_and_never_empty() -> None:
    """A number that a float holds is one; an empty cell is quoted, NULL slanted, a line break seen."""
    _, first, second, third, fourth = cells(PEOPLE)
    assert first == [
        {"type": "raw_text", "text": "Barbara Liskov"},
        {"type": "raw_number", "value": 990.25, "text": "990.25"},
    ]
    assert second == [{"type": "raw_text", "text": "<!channel>"}, {"type": "raw_text", "text": "1e5"}]
    assert third[0] == {"type": "raw_text", "text": "“”"}
    assert "'text': 'NULL', 'style': {'italic': True}" in str(third[1])
    assert fourth == [{"type": "raw_text", "text": "a ↵ b"}, {"type": "raw_text", "text": "007"}]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-12.50", -12.5),
        ("9007199254740991", 9007199254740991),
        ("9007199254740993", None),
        ("0.1234567890123456", None),
        ("007", None),
        ("1,000", None),
        ("1e5", None),
        ("", None),
        ("+1", None),
        ("١", None),
    ],
)
def test_only_what_a_float_holds_is_a_number(text: str, number: float | None) -> None:
    """Slack's clients count in floats; no digit may be lost there."""
    assert exact_number(text) == number


@settings(max_examples=examples(40), deadline=None, phases=QUICK)
@given(tables())
def test_slack_takes_every_table(table: Table) -> None:
    """Whatever the cells hold, the blocks are valid, and the rows are counted."""
    for first in (True, False):
        part = draw_table(table, 5_000, first)
        problems = message_problems(list(part.blocks))
        assert problems == ("", [])
        counts = f"{part.blocks[-1:]}"
        assert part.cut or f"{table.total:,} row" in counts or f"of {table.total:,}" in counts
