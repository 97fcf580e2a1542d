"""Differences as rows of a table."""

from router.sql.comparing.difference import Difference
from router.sql.comparing.layout import laid_columns, laid_rows
from router.sql.comparing.plan import Pair, Plan

PLAN = Plan(("id", "name", "pay"), ("no", "name", "pay"), (Pair(1, 1), Pair(0, 0), Pair(2, 2)), (1,))


def test_differences_as_rows() -> None:
    """A row has its status, its key once, both values of all else, and the names of what differs."""
    rows = laid_rows(
        PLAN,
        [
            Difference("changed", ("a", 1, 5), ("b", 1, 7), (0, 2)),
            Difference("only_left", ("a", 2, None), None),
            Difference("only_right", None, ("c", 3, 9)),
        ],
    )

    assert ["status", "id / no", "name (left)", "name (right)", "pay (left)", "pay (right)", "differing"] == [
        column.name for column in laid_columns(PLAN)
    ]
    assert [
        ("changed", 1, "a", "b", 5, 7, "name, pay"),
        ("only_left", 2, "a", None, None, None, None),
        ("only_right", 3, None, "c", None, 9, None),
    ] == rows


def test_without_a_key_every_column_is_there_twice() -> None:
    """Where whole rows are compared, the values of both sides stand beside one another."""
    plan = Plan(("a",), ("a",), (Pair(0, 0),))

    assert [("only_right", None, 4, None)] == laid_rows(plan, [Difference("only_right", None, (4,))])
    assert ["status", "a (left)", "a (right)", "differing"] == [column.name for column in laid_columns(plan)]
