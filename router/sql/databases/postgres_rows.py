"""The rows of a cursor in PostgreSQL, a FETCH at a time: so many that they weigh little, however wide they are.

The rows of a FETCH come in chunks, each of which the driver holds twice for a moment. A thousand narrow rows are one
FETCH of chunks of CHUNK_ROWS; of wide rows there are few in a FETCH and one in a chunk. Where narrow rows are followed
by wide ones, a FETCH gives several batches, and no more than CHUNK_ROWS wide rows are held.
"""

import os
import socket as socket_module
import struct
from collections.abc import Iterator, Sequence
from socket import AF_INET, AF_INET6, IPPROTO_TCP, socket
from typing import Any

import psycopg
from psycopg import capabilities, generators
from psycopg.abc import PQGen
from psycopg.adapt import Buffer, Loader, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult
from psycopg.waiting import Wait

from router.errors import JobFailed
from router.sql.databases.row_weight import BATCH_BYTES, LONG_ROW_BYTES, Row, Scale
from router.sql.databases.session import Kind
from router.sql.value_kinds import READERS, Reader

try:
    import fcntl
    import termios
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]

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

FLAT_OIDS = frozenset((17, 18, 19, 25, 142, 705, 1042, 1043, 1560, 1562))
"""Types whose values come as texts or blobs: bytea char name text xml unknown bpchar varchar bit varbit."""

NUMERIC_OID = 1700


def kind_of(oid: int) -> Kind:
    """Return the kind of a column by the number of its type."""
    return POSTGRES_KINDS.get(oid, "text")


def scale_of(columns: Sequence[psycopg.Column]) -> Scale:
    """Return what weighs the rows of a query with these columns."""
    places: dict[str, list[int]] = {"flat": [], "long": [], "deep": []}
    for place, column in enumerate(columns):
        if column.type_code in FLAT_OIDS:
            places["flat"].append(place)
        elif column.type_code == NUMERIC_OID and column.precision is None:  # it may have a hundred thousand digits
            places["long"].append(place)
        elif column.type_code not in POSTGRES_KINDS:
            places["deep"].append(place)
    return Scale(len(columns), places["flat"], places["long"], places["deep"])


def register_readers(connection: psycopg.Connection[Any]) -> None:
    """Let the connection read values as the table of value kinds says."""
    for name, read in READERS["postgres"].items():
        connection.adapters.register_loader(str(name), loader_of(read))


def loader_of(read: Reader) -> type[Loader]:
    """Return a loader that makes values of PostgreSQL's own text."""

    class KindLoader(Loader):
        def load(self, data: Buffer) -> Any:
            return read(bytes(data).decode())

    return KindLoader


FIRST_FETCH_ROWS = 10
"""Rows of the first FETCH, of which nobody knows how wide they are."""

FETCH_GROWTH_MAX = 10
"""A FETCH has at most so many times the rows of the one before."""

CHUNK_ROWS = 16

WEIGHED_ONE_IN = 16
"""Of short rows, one in so many is weighed."""

ROW_MAX_BYTES = 32 * 2**20
"""Of one row that comes alone, which the driver holds some three times."""

CHUNK_MAX_BYTES = 128 * 2**20
"""Of the rows of a chunk: where wide rows follow narrow ones, up to CHUNK_ROWS of them come together."""

_ROWS = (ExecStatus.SINGLE_TUPLE, ExecStatus.TUPLES_CHUNK)


class Fetching:
    """One cursor that is being read; used by one thread, and by nothing else on its connection meanwhile."""

    def __init__(
        self, connection: psycopg.Connection[Any], cursor: psycopg.ServerCursor[Any], scale: Scale, batch: int
    ) -> None:
        self._connection, self._scale, self._batch = connection, scale, batch
        self._name = cursor.name
        self._values = Transformer.from_context(cursor)
        self._begun = False
        self._rows, self._chunk = min(FIRST_FETCH_ROWS, batch), 1
        self._probe = 0
        self._parts: Iterator[list[Row]] | None = None

    def next(self) -> list[Row]:
        """Return the next rows: at most `batch`, and about BATCH_BYTES; none at the end. Raises psycopg.Error."""
        if self._parts is None:
            self._parts = self._fetched()
        rows = next(self._parts, None)
        if rows is not None:
            return rows
        self._parts = self._fetched()
        return next(self._parts, [])

    def end(self) -> None:
        """Have the server abandon a FETCH whose rows are on their way still, and let go of what came."""
        self._parts = None
        if self._connection.pgconn.transaction_status == TransactionStatus.ACTIVE:
            try:
                self._connection.cancel_safe(timeout=5)
                self._drain()
            except psycopg.Error:  # to wait for all the rows might be to wait for long
                self._connection.close()

    def _fetched(self) -> Iterator[list[Row]]:
        """Ask for the next rows, and give them in lists that weigh little."""
        self._send()
        rows: list[Row] = []
        held = total = count = 0
        long = False
        while (chunk := self._received()) is not None:
            count += chunk.ntuples
            long = long or self._is_long(chunk)
            if not long:
                rows += self._values.load_rows(0, chunk.ntuples, tuple)
                continue
            for place in range(chunk.ntuples):
                row = self._values.load_rows(place, place + 1, tuple)
                rows += row
                total += (size := self._scale.of(row))
                held += size
                if held >= BATCH_BYTES:
                    yield rows
                    rows, held = [], 0
            self._values.set_pgresult(None, set_loaders=False)
            del chunk, row  # before the next chunk comes
        if count:
            self._learn(count, total or WEIGHED_ONE_IN * self._scale.of(rows[::WEIGHED_ONE_IN]))
        if rows:
            yield rows

    def _is_long(self, chunk: PGresult) -> bool:
        """Tell by one row of a chunk, each time by another one, whether its rows are to be weighed one by one.

        To weigh all rows would take a quarter of the time of reading narrow ones.
        """
        self._probe = (self._probe + 7) % chunk.ntuples
        return self._scale.is_long(self._values.load_row(self._probe, tuple), LONG_ROW_BYTES)

    def _learn(self, count: int, total: int) -> None:
        """Make the next FETCH as large as fits into a batch, if its rows are like those that came."""
        fitting = BATCH_BYTES * count // max(1, total)
        self._rows = max(1, min(self._batch, fitting, self._rows * FETCH_GROWTH_MAX))
        self._chunk = max(1, min(CHUNK_ROWS, fitting // 2))

    def _send(self) -> None:
        server = self._connection.pgconn
        server.send_query_params(f'FETCH FORWARD {self._rows} FROM "{self._name}"'.encode(), None)
        if self._chunk > 1 and capabilities.has_stream_chunked():
            server.set_chunked_rows_mode(self._chunk)
        else:
            server.set_single_row_mode()
        self._connection.wait(generators.send(server))

    def _received(self) -> PGresult | None:
        """Return the next chunk of what was asked for; None at its end."""
        result = self._next_result()
        while result is not None and result.status not in _ROWS:
            if result.status != ExecStatus.TUPLES_OK:
                self._drain()
                raise error_from_result(result, encoding=self._connection.info.encoding)
            result = self._next_result()
        if result is not None:
            self._values.set_pgresult(result, set_loaders=not self._begun)
            self._begun = True
        return result

    def _drain(self) -> None:
        while self._next_result() is not None:
            pass

    def _next_result(self) -> PGresult | None:
        server = self._connection.pgconn
        if server.is_busy():
            self._connection.wait(self._arrival())
        return server.get_result()

    def _arrival(self) -> PQGen[None]:
        """Let the driver read until a result is there; raises JobFailed, and hangs up, where a row is too large.

        The driver itself makes room for a whole row, be it a gigabyte, as soon as its length has come, and may read all
        of it in one go. Where rows come one by one, that was one row: beside one that may be kept, far less comes.
        """
        server, come = self._connection.pgconn, 0
        most = ROW_MAX_BYTES if self._chunk == 1 else CHUNK_MAX_BYTES
        with socket(fileno=os.dup(server.socket)) as line:
            before = received_bytes(line)
            while server.is_busy():
                while not (yield Wait.R):
                    continue
                come += unread_bytes(line)
                server.consume_input()
                if max(come, received_bytes(line) - before) > most and (self._chunk == 1 or server.is_busy()):
                    self._connection.close()
                    raise JobFailed(
                        f"A row of the result has more than {ROW_MAX_BYTES // 2**20} MB, which is more than can be "
                        "kept. Nothing was changed. Leave out its largest column, or take a part of it."
                    )


def received_bytes(line: socket) -> int:
    """Return how many bytes have come to a socket since it was opened, 0 where the system does not say."""
    if not TCP_INFO or line.family not in (AF_INET, AF_INET6):
        return 0
    told = line.getsockopt(IPPROTO_TCP, TCP_INFO, BYTES_RECEIVED.size + BYTES_RECEIVED_AT)
    return int(BYTES_RECEIVED.unpack_from(told, BYTES_RECEIVED_AT)[0]) if len(told) > BYTES_RECEIVED_AT else 0


def unread_bytes(line: socket) -> int:
    """Return how many bytes have come to a socket and were not read."""
    if fcntl is None:
        return 0
    return int(struct.unpack("i", fcntl.ioctl(line.fileno(), termios.FIONREAD, bytes(4)))[0])
