"""The rows of a cursor in PostgreSQL, a FETCH at a time: however wide they are, those at hand weigh little.

The rows of a FETCH come in chunks, each of which the driver holds twice for a moment: many narrow rows are in one, and
of wide rows one alone. If narrow rows are followed by wide ones, no more than CHUNK_ROWS wide ones are held.
"""

import math
import os
import socket as socket_module
import struct
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import islice
from socket import AF_INET, AF_INET6, IPPROTO_TCP, socket
from typing import Any, cast

import psycopg
from psycopg import capabilities
from psycopg.abc import PQGen
from psycopg.adapt import Buffer, Loader

from router.errors import JobFailed
from router.sql.databases.row_weight import BATCH_BYTES, LONG_ROW_BYTES, Row, sampled_weight
from router.sql.databases.session import Kind
from router.sql.value_kinds import READERS, Reader

TCP_INFO = getattr(socket_module, "TCP_INFO", 0)
"""Linux alone has it."""

BYTES_RECEIVED, BYTES_RECEIVED_AT = struct.Struct("Q"), 128
"""In what Linux tells of a connection."""

RECEIVED_MAX_BYTES = 2**18
"""So many wait to be read: the driver reads on as long as there are any, without a look at how many came."""

# Values as plain Python ones.

POSTGRES_KINDS: dict[int, Kind] = {
    16: "bool",
    17: "blob",
    **dict.fromkeys((20, 21, 23, 26, 700, 701, 1700), "number"),  # int8 int2 int4 oid float4 float8 numeric
    **dict.fromkeys((1082, 1083, 1114, 1184, 1266), "date"),  # date time timestamp timestamptz timetz
}


def kind_of(oid: int) -> Kind:
    """Return the kind of a column by the number of its type."""
    return POSTGRES_KINDS.get(oid, "text")


def register_readers(connection: psycopg.Connection[Any]) -> None:
    """Let the connection read values as the table of value kinds says."""
    for name, read in READERS["postgres"].items():
        connection.adapters.register_loader(str(name), loader_of(read))


def loader_of(read: Reader) -> type[Loader]:
    """Return a loader that makes values of PostgreSQL's own text."""

    class KindLoader(Loader):
        def load(self, data: Buffer) -> Any:
            return read(str(data, "utf-8"))

    return KindLoader


FIRST_FETCH_ROWS = 10
"""Rows of the first FETCH, of which nobody knows how wide they are: they come one by one."""

CHUNK_ROWS = 16

ROW_MAX_BYTES = 32 * 2**20
"""Of one row that comes alone, which the driver holds some three times."""

CHUNK_MAX_BYTES = 128 * 2**20
"""Of the rows of a chunk: if wide rows follow narrow ones, up to CHUNK_ROWS of them come together."""


class WatchedConnection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that is closed while an answer comes that lasts beyond `until`, or has more than `answer_max` bytes.

    The driver itself makes room for a whole row, be it a gigabyte, as soon as its length has come.
    """

    until = math.inf
    """By the clock of `time.monotonic`."""

    answer_max = 0
    """0: an answer of any size is waited for."""

    def wait(self, gen: PQGen[Any], *given: Any, **named: Any) -> Any:
        """Wait for what the driver's generator does."""
        return super().wait(self._watched(gen), *given, **named)

    def _watched(self, gen: PQGen[Any]) -> Generator[Any, Any, Any]:
        try:
            waits_for = next(gen)  # which ends here if the answer has come already
            with socket(fileno=os.dup(self.fileno())) as line:
                before = received_bytes(line)
                while True:
                    waits_for = gen.send((yield waits_for))
                    if time.monotonic() > self.until:
                        self.close()
                        raise psycopg.OperationalError("no answer in time")
                    if self.answer_max and received_bytes(line) - before > self.answer_max:
                        self.close()
                        raise JobFailed(
                            f"A row of the result has more than {ROW_MAX_BYTES // 2**20} MB, which is more than can be "
                            "kept. Nothing was changed. Leave out its largest column, or take a part of it."
                        )
        except StopIteration as end:
            return end.value


class Fetching:
    """One cursor that is being read; used by one thread, and by nothing else on its connection meanwhile."""

    def __init__(self, connection: WatchedConnection, cursor: str, batch: int) -> None:
        self._connection, self._name, self._batch = connection, cursor, batch
        self._weighed = self._row_bytes = 0
        self._lists = self._read()

    def next(self) -> list[Row]:
        """Return the next rows: at most `batch`, and about BATCH_BYTES; none at the end. Raises psycopg.Error."""
        return next(self._lists, [])

    def end(self) -> None:
        """Have the server abandon a FETCH whose rows are on their way still, and let go of what came."""
        self._lists.close()

    def _read(self) -> Generator[list[Row], None, None]:
        """Give the rows in lists that weigh little."""
        count, chunk = min(FIRST_FETCH_ROWS, self._batch), 1
        while True:
            rows: list[Row] = []
            for rows in self._fetched(count, chunk):
                yield rows
            if not rows:
                return
            is_wide = self._row_bytes > LONG_ROW_BYTES or not capabilities.has_stream_chunked()
            count, chunk = self._batch, 1 if is_wide else CHUNK_ROWS

    def _fetched(self, count: int, chunk: int) -> Iterator[list[Row]]:
        """Give the rows of one FETCH; of each chunk one row is weighed, each time at another place."""
        self._connection.answer_max = ROW_MAX_BYTES if chunk == 1 else CHUNK_MAX_BYTES
        asked = f'FETCH FORWARD {count} FROM "{self._name}"'.encode()
        cursor = psycopg.Cursor(self._connection)
        try:
            with closing(cast(Generator[Row, None, None], cursor.stream(asked, size=chunk))) as found:
                rows: list[Row] = []
                held = 0
                while some := list(islice(found, chunk)):
                    rows += some
                    self._weighed += 1
                    held += sampled_weight(some, self._weighed)
                    self._row_bytes = held // len(rows)
                    if held >= BATCH_BYTES:
                        yield rows
                        rows, held = [], 0
                if rows:
                    yield rows
        finally:
            self._connection.answer_max = 0


def received_bytes(line: socket) -> int:
    """Return how many bytes have come to a socket since it was opened, 0 if the system does not say."""
    if not TCP_INFO or line.family not in (AF_INET, AF_INET6):
        return 0
    told = line.getsockopt(IPPROTO_TCP, TCP_INFO, BYTES_RECEIVED.size + BYTES_RECEIVED_AT)
    return int(BYTES_RECEIVED.unpack_from(told, BYTES_RECEIVED_AT)[0]) if len(told) > BYTES_RECEIVED_AT else 0
