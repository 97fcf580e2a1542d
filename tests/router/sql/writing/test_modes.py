"""What becomes of a table in each of the four modes, in each kind of database."""

from collections.abc import Iterator

import pytest

from router.sql.writing.names import quoted
from router.sql.writing.order import Mode, Refusal, ResultField, WriteOrder
from tests.router.sql.writing.places import Place, Row, batches

NUMBER, NAME = ResultField("n", "integer"), ResultField("name", "text")
THREE = [(1, "one"), (2, None), (3, "three")]


def test_create(place: Place) -> None:
    """A new table holds the rows, and the log the job."""
    assert place.write(THREE, NUMBER, NAME) == 3
    assert place.content() == THREE
    assert place.log() == [("job-1", "t", 3)]


def test_no_rows(place: Place) -> None:
    """A result without rows makes a table without rows."""
    assert place.write([], NUMBER, NAME) == 0
    assert place.content() == []
    assert place.log() == [("job-1", "t", 0)]


def test_create_what_is_there(place: Place) -> None:
    """A table that is there is left as it is."""
    place.write(THREE, NUMBER, NAME)
    with pytest.raises(Refusal, match=r'There is a table or view "t" already\. Nothing was written\.'):
        place.write([(9, "nine")], NUMBER, NAME, job="job-2")
    assert place.content() == THREE
    assert place.log() == [("job-1", "t", 3)]


def test_create_where_a_view_is(place: Place) -> None:
    """The name of a view is taken too."""
    place.run("CREATE VIEW t AS SELECT 1 AS n")
    with pytest.raises(Refusal, match="already"):
        place.write(THREE, NUMBER, NAME)


def test_append(place: Place) -> None:
    """More rows come to those that are there; columns that are not named stay empty or get their default."""
    place.run("CREATE TABLE t (n integer, extra integer, name varchar(10), kind varchar(5) DEFAULT 'new')")
    place.run("INSERT INTO t VALUES (0, 7, 'zero', 'old')")
    assert place.write([("one", 1), ("two", 2)], NAME, NUMBER, mode="append") == 2
    assert place.content() == [(0, 7, "zero", "old"), (1, None, "one", "new"), (2, None, "two", "new")]


@pytest.mark.parametrize("mode", ["append", "truncate"])
def test_into_nothing(place: Place, mode: Mode) -> None:
    """Rows cannot be added to a table that is not there, and none is made."""
    with pytest.raises(Refusal, match=r'There is no table "t".*Nothing was written'):
        place.write(THREE, NUMBER, NAME, mode=mode)
    with place.open() as target:
        assert target.table(place.schema, "t") is None


@pytest.mark.parametrize("mode", ["append", "truncate", "drop"])
def test_into_a_view(place: Place, mode: Mode) -> None:
    """A view is neither written nor replaced."""
    place.run("CREATE TABLE u (n integer); CREATE VIEW t AS SELECT n FROM u")
    with pytest.raises(Refusal, match=r'"t".* is a view'):
        place.write([(1,)], NUMBER, mode=mode)


def test_truncate(place: Place) -> None:
    """The old rows go, the table stays as it is, and keys of old rows may come again."""
    place.run("CREATE TABLE t (n integer PRIMARY KEY, name varchar(10)); INSERT INTO t VALUES (1, 'old'), (9, 'old')")
    assert place.write(THREE, NUMBER, NAME, mode="truncate") == 3
    assert place.content() == THREE
    with pytest.raises(Refusal):  # the key is still there
        place.write([(1, "again")], NUMBER, NAME, mode="append", job="job-2")


def test_drop(place: Place) -> None:
    """A table of another form takes the place of the old one."""
    place.run("CREATE TABLE t (a varchar(10), b varchar(10)); INSERT INTO t VALUES ('x', 'y')")
    assert place.write(THREE, NUMBER, NAME, mode="drop") == 3
    assert place.content() == THREE


def test_drop_nothing(place: Place) -> None:
    """Where no table is, a new one is made all the same."""
    assert place.write(THREE, NUMBER, NAME, mode="drop") == 3
    assert place.content() == THREE


@pytest.mark.parametrize("mode", ["create", "append", "truncate", "drop"])
def test_the_same_job_twice(place: Place, mode: Mode) -> None:
    """A job that was written before writes nothing and tells its rows, whatever happened to the table since."""
    if mode in ("append", "truncate"):
        place.run("CREATE TABLE t (n integer, name varchar(10))")
    assert place.write(THREE, NUMBER, NAME, mode=mode) == 3
    place.run("DELETE FROM t WHERE n = 1")
    assert place.write(THREE, NUMBER, NAME, mode=mode) == 3
    assert place.content() == THREE[1:]
    assert place.log() == [("job-1", "t", 3)]


@pytest.mark.parametrize("mode", ["create", "append", "truncate", "drop"])
def test_rows_that_break_off(place: Place, mode: Mode) -> None:
    """Where the rows cannot be read to the end, nothing is written; the next try writes all."""
    if mode != "create":
        place.run("CREATE TABLE t (n integer, name varchar(10)); INSERT INTO t VALUES (0, 'old')")
    before = place.content() if mode != "create" else []

    def torn() -> Iterator[Row]:
        yield from THREE
        raise RuntimeError("the source is gone")

    with pytest.raises(RuntimeError):
        place.write(torn(), NUMBER, NAME, mode=mode)
    with place.open() as target:
        there = target.table(place.schema, "t")
    assert (there is None) == (mode == "create")
    if mode != "create":
        assert place.content() == before
    assert place.write(THREE, NUMBER, NAME, mode=mode) == 3
    assert place.content()[-3:] == THREE
    assert place.log() == [("job-1", "t", 3)]


def test_progress(place: Place) -> None:
    """The number of rows so far is told after each batch."""
    told: list[int] = []

    with place.open() as target:
        target.write(WriteOrder("job-1", place.schema, "t", "create", (NUMBER, NAME)), batches(THREE), told.append)
    assert told == [2, 3]


def test_what_lies_in_a_table(place: Place) -> None:
    """A table is described by its columns, with what they take, and its rows."""
    place.run(
        "CREATE TABLE t (n integer PRIMARY KEY, name varchar(10) NOT NULL, amount decimal(10, 2), "
        "kind varchar(5) NOT NULL DEFAULT 'new'); INSERT INTO t VALUES (1, 'a', 2, 'x'), (2, 'b', 3, 'y')"
    )
    with place.open() as target:
        there = target.table(place.schema, "t")
    assert there is not None
    assert (there.schema, there.name, there.rows, there.more, there.view) == (place.schema, "t", 2, False, False)
    assert [(c.field.name, c.field.kind) for c in there.columns] == [
        ("n", "integer"),
        ("name", "text"),
        ("amount", "decimal"),
        ("kind", "text"),
    ]
    assert [c.nullable for c in there.columns] == [False, False, True, False]
    assert [c.filled for c in there.columns] == [place.name == "sqlite", False, False, True]


def test_schemas(place: Place) -> None:
    """The schemas that can be written are told, and a table may go into any of them."""
    if place.name == "sqlite":
        with place.open() as target:
            assert target.schemas() == ("main",)
        return
    other = f'{place.schema} %s "b' if place.name == "mysql" else 'a "b'
    place.run(f"CREATE SCHEMA {quoted(other)}")
    with place.open() as target:
        assert target.schemas() == tuple(sorted([other, place.schema]))
        order = WriteOrder("job-1", other, "t", "create", (NUMBER, NAME))
        assert target.write(order, iter([THREE]), lambda count: None) == 3
        assert target.written(other, "job-1") == 3
        assert target.written(place.schema, "job-1") is None
    assert place.rows(f"SELECT * FROM {quoted(other)}.t ORDER BY 1") == THREE
