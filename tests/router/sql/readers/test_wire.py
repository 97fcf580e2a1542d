"""Messages between the bot and its children."""

import marshal
import os
import pickle
import subprocess
import sys
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
import pytz

from router.sql.readers import wire
from router.sql.row_codec import MARSHALLED, PICKLED
from router.sql.value_kinds import ExactTime, Interval, JsonText

VALUES: list[Any] = [
    None,
    True,
    2**100,
    -0.0,
    float("inf"),
    "Zoë \ud800",
    b"\x00\xff",
    [1, {"a": (2, None)}],
    date(2026, 1, 31),
    datetime.fromisoformat("2026-01-31T12:30:01.000005"),
    datetime(2026, 1, 31, tzinfo=UTC),
    pytz.timezone("Europe/Vienna").fromutc(datetime.fromisoformat("2026-07-01")),
    datetime(2026, 1, 31, tzinfo=pytz.UTC),
    time(1, 2, 3, tzinfo=timezone(timedelta(hours=1))),
    Interval(14, -1, 3),
    ExactTime("date", "infinity"),
    JsonText("null"),
    Decimal("-1.2300"),
    UUID(int=5),
]


def sent(data: bytes) -> Any:
    """Return a message as the other end reads it."""
    form, length = wire.head_of(data[: wire.HEAD.size])
    body = memoryview(data)[wire.HEAD.size :]
    assert len(body) == length
    return wire.unpacked(form, body)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_arrives_as_it_was(value: Any) -> None:
    """Whatever a database may hold, in its own type."""
    found = sent(wire.packed([(value,)]))
    assert [(value,)] == found
    assert type(value) is type(found[0][0])


def test_rows_arrive_in_order() -> None:
    """However they were packed, and with a word on whether there are more."""
    parts = [wire.packed([(1, "a"), (2, "b")]), wire.packed([(Decimal(3), None)])]
    assert ([(1, "a"), (2, "b"), (Decimal(3), None)], True) == sent(wire.packed_rows(parts, True))
    assert ([], False) == sent(wire.packed_rows([], False))


class Harmful:
    """What runs a command where it is believed."""

    def __reduce__(self) -> Any:
        return os.system, ("true",)


@pytest.mark.parametrize(
    ("form", "body"),
    [
        (PICKLED, pickle.dumps(Harmful())),
        (PICKLED, pickle.dumps(subprocess.Popen)),
        (PICKLED, pickle.dumps(sys.exit)),
        (PICKLED, b"cbuiltins\neval\n(S'1'\ntR."),
        (PICKLED, b"no pickle"),
        (MARSHALLED, b"\xff\x00"),
        (MARSHALLED, marshal.dumps([1, 2])[:-2]),
        (wire.ROWS, b"m\xff\xff\xff\xff"),
        (wire.ROWS, b""),
    ],
)
def test_what_is_no_plain_value_is_not_made(form: bytes, body: bytes) -> None:
    """Nothing runs, and one kind of error tells of it."""
    with pytest.raises(wire.UnreadableMessage):
        wire.unpacked(form, memoryview(body))


@pytest.mark.parametrize("head", [b"m\xff\xff\xff\xff", b"x\x00\x00\x00\x01"])
def test_a_wrong_head_is_not_believed(head: bytes) -> None:
    """Neither a length that would take the memory, nor an unknown form."""
    with pytest.raises(wire.UnreadableMessage):
        wire.head_of(head)


def test_a_child_imports_what_it_needs() -> None:
    """It starts at once, and holds no more of the bot than it must."""
    for kind, engine in (("sqlite", "sqlite3"), ("duckdb", "duckdb")):
        program = f"import router.sql.readers.child, router.sql.readers.{kind}, sys; print(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        loaded = set(done.stdout.split())
        assert engine in loaded
        assert not loaded & {"sqlalchemy", "sqlglot", "nicegui", "langchain_core", "pydantic", "aiohttp"}
