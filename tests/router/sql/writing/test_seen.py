"""Rows that are deleted are those that a person was told of; where others came or went, nothing is written."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from router.sql.writing.order import Mode, Refusal, ResultField, WriteOrder
from router.sql.writing.target import Target
from tests.router.sql.writing.places import Place, batches

NUMBER = ResultField("n", "integer")
DELETING = pytest.mark.parametrize("mode", ["truncate", "drop"])


def order(place: Place, mode: Mode, seen: int) -> WriteOrder:
    return WriteOrder("job-1", place.schema, "t", mode, (NUMBER,), seen)


def require_asked_again(place: Place, open: Callable[[], AbstractContextManager[Target]], mode: Mode) -> None:
    """Have a row come in between: it stays, and once it was seen, all are replaced."""
    place.run("CREATE TABLE t (n integer); INSERT INTO t VALUES (1), (2)")
    with open() as target, pytest.raises(Refusal, match=r"other rows than .*: 2 now, 1 then\. Nothing was written"):
        target.write(order(place, mode, 1), batches([(7,)]), lambda rows: None)
    assert [(1,), (2,)] == place.content()
    with open() as target:
        assert 1 == target.write(order(place, mode, 2), batches([(7,)]), lambda rows: None)
    assert [(7,)] == place.content()


@DELETING
def test_rows_that_came_in_between(place: Place, mode: Mode) -> None:
    """They are not deleted unseen."""
    require_asked_again(place, place.open, mode)


@DELETING
def test_what_nobody_was_told(place: Place, mode: Mode) -> None:
    """A program that names the table deletes whatever is in it."""
    place.run("CREATE TABLE t (n integer); INSERT INTO t VALUES (1), (2)")
    assert 1 == place.write([(7,)], NUMBER, mode=mode)
    assert [(7,)] == place.content()
