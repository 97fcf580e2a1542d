"""What was saved is there after a restart: in a file of the home, and in a table of a server."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from router.cards import Head
from router.errors import StateAway
from router.memory.draft import Approval, Draft, Place, User
from router.memory.stage import Stage
from router.memory.thread import MEMORY_VERSION, Answer, Decision, Memory, ResultRef, Step, ThreadKey
from router.storage.database import Database, home_database
from router.storage.threads import Threads, from_json, to_json
from tests.support.postgres import PostgresDatabase

KEY = ThreadKey("web", "", "a/b", "1")
NOW = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
ANA = User("web:ana", "Ana", "ana@example.com")


def full_memory() -> Memory:
    approval = Approval("d", ANA, NOW)
    draft = Draft("How many?", "generate", "SELECT 1", "", (), "Counts.", ("a",), "", ("SELECT 2",), approval)
    answer = Answer(draft, "shop", ResultRef("r", (Head("n", "number"),), 3, False, 0.5), 20, (0, "down"))
    return Memory(
        stage=Stage.SHOW_RESULTS,
        turn=7,
        asked=NOW,
        owner=ANA,
        place=Place("shop", "main", ("orders",)),
        draft=draft,
        answer=answer,
        trail=[Step(Stage.START, Place(), Draft(), None), Step(Stage.SHOW_RESULTS, Place("shop"), draft, answer)],
        decided=Decision(6, ANA, NOW),
        seen=["e1"],
    )


def test_memory_survives_a_restart(tmp_path: Path) -> None:
    """A thread saved by one process is equal when another loads it; its text is compressed in a file."""
    with closing(home_database(tmp_path)) as database:
        Threads(database).save(KEY, full_memory())
    with closing(home_database(tmp_path)) as database:
        assert full_memory() == Threads(database).load(KEY)
        with database.reading() as connection:
            assert ["blob"] == connection.execute(text("SELECT typeof(memory) FROM threads")).scalars().all()


def test_it_is_json_not_pickle() -> None:
    """A stored thread is a JSON text, which tells its version and leaves out what has its default."""
    stored = json.loads(to_json(Memory(stage=Stage.SHOW_RESULTS, owner=ANA)))
    owner = {"id": "web:ana", "name": "Ana", "email": "ana@example.com"}
    assert {"version": MEMORY_VERSION, "stage": "SHOW_RESULTS", "owner": owner} == stored


def test_an_older_shape_still_loads() -> None:
    """Unknown fields are ignored and missing ones take their defaults."""
    assert from_json('{"version": 1, "stage": "START", "gone": true}') == Memory()


def test_keys_cannot_collide() -> None:
    """A slash inside a part of a key is not taken for the border between two parts."""
    assert str(ThreadKey("a", "b/c", "d", "e")) != str(ThreadKey("a", "b", "c/d", "e"))


ONE, TWO, OTHERS = (ThreadKey("slack", team, "C1", thread) for team, thread in (("T1", "1"), ("T1", "2"), ("T2", "1")))
ASKED = Memory(
    stage=Stage.SHOW_RESULTS, turn=7, owner=User("slack:U1", "Ana"), draft=Draft("Wie viele? \u00e4\0\u2028")
)


@pytest.fixture(params=["file", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Threads]:
    """Open the threads in a file of the home, and on a server."""
    url = request.getfixturevalue("postgres").owner_url if request.param == "server" else f"sqlite:///{tmp_path / 'db'}"
    with closing(Database(url)) as database:
        yield Threads(database)


def test_what_was_saved_last_is_loaded(store: Threads) -> None:
    """All of it, letter by letter; of a thread that was never saved, nothing."""
    store.save(ONE, Memory(turn=1))
    store.save(ONE, ASKED)
    assert [ASKED, None] == [store.load(ONE), store.load(TWO)]


def test_threads_of_a_team(store: Threads) -> None:
    """Nobody else's, of another platform neither."""
    for key in (ONE, TWO, OTHERS):
        store.save(key, Memory())
    assert [ONE, TWO] == sorted(store.keys("slack", "T1"), key=str)
    assert [] == store.keys("teams", "T1")
    assert [ONE, TWO, OTHERS] == sorted(store.every(), key=str)


def test_a_thread_is_forgotten(store: Threads) -> None:
    """Once, or twice at the same time; the others stay."""
    for key in (ONE, TWO):
        store.save(key, ASKED)
    store.forget(ONE)
    store.forget(ONE)
    assert [None, ASKED] == [store.load(ONE), store.load(TWO)]


def test_many_threads_at_once(store: Threads) -> None:
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
        store = Threads(database)
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
