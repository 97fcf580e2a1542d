"""Differences as rows of a table."""

from router.memory.comparing import ComparedPair
from router.sql.comparing.difference_rows import Layout
from router.sql.comparing.plan import ComparePlan, Difference

PLAN = ComparePlan(
    ("id", "name", "pay"), ("no", "name", "pay"), (ComparedPair(1, 1), ComparedPair(0, 0), ComparedPair(2, 2)), (1,)
)


def test_differences_as_rows() -> None:
    """A row has its status, its key once, both values of all else, and the names of what differs."""
    rows = Layout(PLAN, "Prod", "Lake").rows(
        [
            Difference("changed", ("a", 1, 5), ("b", 1, 7), (0, 2)),
            Difference("only_left", ("a", 2, None), None),
            Difference("only_right", None, ("c", 3, 9)),
            Difference("identical", ("d", 4, 1), ("d", 4, 1)),
        ],
    )

    assert ["status", "id / no", "name (Prod)", "name (Lake)", "pay (Prod)", "pay (Lake)", "differing"] == [
        column.name for column in Layout(PLAN, "Prod", "Lake").columns()
    ]
    assert [
        ("changed", 1, "a", "b", 5, 7, "name, pay"),
        ("only in Prod", 2, "a", None, None, None, "whole row"),
        ("only in Lake", 3, None, "c", None, 9, "whole row"),
        ("identical", 4, "d", "d", 1, 1, "nothing"),
    ] == rows


def test_without_a_key_every_column_is_there_twice() -> None:
    """Where whole rows are compared, the values of both sides stand beside one another."""
    plan = ComparePlan(("a",), ("a",), (ComparedPair(0, 0),))

    layout = Layout(plan, "Prod", "Lake")

    assert [("only in Lake", None, 4, "whole row")] == layout.rows([Difference("only_right", None, (4,))])
    assert ["status", "a (Prod)", "a (Lake)", "differing"] == [column.name for column in layout.columns()]
