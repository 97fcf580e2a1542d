"""Every store of threads keeps the same promises: in a file of the home, and in a table of a server."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from router.errors import StateAway
from router.memory.draft import Draft, User
from router.memory.stage import Stage
from router.memory.thread import Memory, ThreadKey
from router.storage.database import Database
from router.storage.threads import KeptThreads, SqliteStore, TableStore
from tests.support.postgres import PostgresDatabase

ONE, TWO, OTHERS = (ThreadKey("slack", team, "C1", thread) for team, thread in (("T1", "1"), ("T1", "2"), ("T2", "1")))
ASKED = Memory(
    stage=Stage.SHOW_RESULTS, turn=7, owner=User("slack:U1", "Ana"), draft=Draft("Wie viele? \u00e4\0\u2028")
)


@pytest.fixture(params=["file", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[KeptThreads]:
    """Open a store of each kind."""
    if request.param == "file":
        with closing(SqliteStore(tmp_path / "threads.sqlite")) as opened:
            yield opened
        return
    server: PostgresDatabase = request.getfixturevalue("postgres")
    with closing(Database(server.owner_url)) as database:
        yield TableStore(database)


def test_what_was_saved_last_is_loaded(store: KeptThreads) -> None:
    """All of it, letter by letter; of a thread that was never saved, nothing."""
    store.save(ONE, Memory(turn=1))
    store.save(ONE, ASKED)
    assert [ASKED, None] == [store.load(ONE), store.load(TWO)]


def test_threads_of_a_team(store: KeptThreads) -> None:
    """Nobody else's, of another platform neither."""
    for key in (ONE, TWO, OTHERS):
        store.save(key, Memory())
    assert [ONE, TWO] == sorted(store.keys("slack", "T1"), key=str)
    assert [] == store.keys("teams", "T1")
    assert [ONE, TWO, OTHERS] == sorted(store.every(), key=str)


def test_a_thread_is_forgotten(store: KeptThreads) -> None:
    """Once, or twice at the same time; the others stay."""
    for key in (ONE, TWO):
        store.save(key, ASKED)
    store.forget(ONE)
    store.forget(ONE)
    assert [None, ASKED] == [store.load(ONE), store.load(TWO)]


def test_many_threads_at_once(store: KeptThreads) -> None:
    """Each finds its own."""
    keys = [ThreadKey("slack", "T1", "C/1", f"{number}") for number in range(60)]

    def talk(key: ThreadKey) -> int:
        for turn in range(5):
            store.save(key, Memory(turn=turn))
        found = store.load(key)
        assert found
        return found.turn

    with ThreadPoolExecutor(8) as pool:
        assert [4] * 60 == list(pool.map(talk, keys))


def test_a_server_that_goes_away_is_a_sentence_and_comes_back(postgres: PostgresDatabase) -> None:
    """A connection that was ended under us is replaced; only a server that is not there is told of."""
    with closing(Database(postgres.owner_url)) as database:
        store = TableStore(database)
        store.save(ONE, ASKED)
        with postgres.server.connect() as admin:
            postgres.cut_off()
            assert ASKED == store.load(ONE)
            admin.execute(f"ALTER DATABASE {postgres.name} ALLOW_CONNECTIONS false".encode())
            postgres.cut_off()
            with pytest.raises(StateAway, match="cannot be read or kept right now"):
                store.load(ONE)
            admin.execute(f"ALTER DATABASE {postgres.name} ALLOW_CONNECTIONS true".encode())
        assert ASKED == store.load(ONE)
