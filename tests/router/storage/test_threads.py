"""What was saved is there after a restart: in a file of the home, and in a table of a server."""

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import text

from router.cards import Head
from router.memory.draft import Approval, Draft, Place, User
from router.memory.stage import Stage
from router.memory.thread import MEMORY_VERSION, Answer, Decision, Memory, ResultRef, Step, ThreadKey
from router.storage.database import home_database
from router.storage.threads import TableStore, from_json, to_json

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
        TableStore(database).save(KEY, full_memory())
    with closing(home_database(tmp_path)) as database:
        assert full_memory() == TableStore(database).load(KEY)
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
