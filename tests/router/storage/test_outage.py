"""The bot's PostgreSQL goes away and comes back: who may wait does, and a query that was cut off is sent again."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from time import monotonic, sleep

import pytest
from sqlalchemy import text

from router.errors import StateAway
from router.memory.thread import Memory, ThreadKey
from router.storage.database import Database
from router.storage.server import ConnectionCut, ServerAway, repeated_if_cut
from router.storage.threads import TableStore
from tests.support.postgres import PostgresDatabase, fresh_database, running_server

KEY = ThreadKey("slack", "T1", "C1", "1.0")
CUT = text("SELECT pg_terminate_backend(pg_backend_pid())")


@pytest.fixture(scope="module")
def own() -> Iterator[PostgresDatabase]:
    """A database on a server that may be stopped."""
    with running_server() as server, fresh_database(server) as database:
        yield database


def test_who_may_wait_does(own: PostgresDatabase) -> None:
    """Nothing is lost of what is asked and kept in an outage; nobody else waits, nor those who only look."""
    with closing(Database(own.owner_url)) as database, ThreadPoolExecutor(2) as threads:
        store = TableStore(database)
        with own.server.away():
            began = monotonic()
            with pytest.raises(StateAway, match="cannot be read or kept right now"):
                store.load(KEY)
            database.server.may_wait = lambda: True
            with pytest.raises(ServerAway), database.reading(wait=False):
                pass
            assert monotonic() - began < 5
            saved, loaded = threads.submit(store.save, KEY, Memory(turn=7)), threads.submit(store.load, KEY)
            sleep(1.5)
            assert not saved.done()
            assert not loaded.done()
        saved.result(20)
        loaded.result(20)
        assert database.server.seconds_back < 20

        found = store.load(KEY)
        assert found
        assert found.turn == 7


def test_an_ending_process_waits_no_more(own: PostgresDatabase) -> None:
    """A process that is told to end does so while its server is away."""
    with closing(Database(own.owner_url)) as database, ThreadPoolExecutor(1) as threads:
        database.server.may_wait = lambda: True
        with own.server.away():
            waits = threads.submit(TableStore(database).load, KEY)
            sleep(0.5)
            database.server.wait_no_more()
            with pytest.raises(StateAway):
                waits.result(5)


def test_what_was_cut_off(own: PostgresDatabase) -> None:
    """A query is sent again; of a transaction nobody knows, but for callers who say that it may be done twice."""
    with closing(Database(own.owner_url)) as database:
        with database.reading() as connection:
            pid = connection.execute(text("SELECT pg_backend_pid()")).scalar()
            with own.server.connect() as admin:
                admin.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
            assert 1 == connection.execute(text("SELECT 1")).scalar()
            assert pid != connection.execute(text("SELECT pg_backend_pid()")).scalar()
        with pytest.raises(ConnectionCut), database.writing() as connection:
            connection.execute(CUT)

        tries = list[int]()

        @repeated_if_cut
        def write() -> int:
            with database.writing() as connection:
                tries.append(len(tries))
                if len(tries) == 1:
                    connection.execute(CUT)
                return int(connection.execute(text("SELECT 42")).scalar_one())

        assert 42 == write()
        assert tries == [0, 1]
