"""What was saved is there after a restart, in this version's shape."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from router.cards import Head
from router.memory.draft import Approval, Draft, Place, User
from router.memory.stage import Stage
from router.memory.thread import MEMORY_VERSION, Answer, Decision, Memory, ResultRef, Step, ThreadKey
from router.storage.threads import MERGED_STAGES, SqliteStore, from_json, to_json

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
    """A thread saved by one process is equal when another loads it."""
    store = SqliteStore(tmp_path / "threads.sqlite")
    store.save(KEY, full_memory())
    store.close()

    assert full_memory() == SqliteStore(tmp_path / "threads.sqlite").load(KEY)


def test_it_is_json_not_pickle() -> None:
    """A stored thread is a JSON text, which tells its version and leaves out what has its default."""
    stored = json.loads(to_json(Memory(stage=Stage.SHOW_RESULTS, owner=ANA)))
    owner = {"id": "web:ana", "name": "Ana", "email": "ana@example.com"}
    assert {"version": MEMORY_VERSION, "stage": "SHOW_RESULTS", "owner": owner} == stored


def test_a_file_of_texts_goes_on(tmp_path: Path) -> None:
    """Threads that an earlier version stored, whole and uncompressed, are loaded, and saved in today's form."""
    path = tmp_path / "threads.sqlite"
    with closing(SqliteStore(path)) as store, closing(sqlite3.connect(path)) as file:
        store.save(KEY, Memory())
        with file:
            file.execute("UPDATE threads SET value = ?", (WHOLE.dump_json(full_memory()).decode(),))
        assert full_memory() == store.load(KEY)
        store.save(KEY, full_memory())
        assert [(bytes,)] == [(type(value),) for (value,) in file.execute("SELECT value FROM threads")]
        assert full_memory() == store.load(KEY)


def test_an_older_shape_still_loads() -> None:
    """Unknown fields are ignored and missing ones take their defaults."""
    assert from_json('{"version": 1, "stage": "START", "gone": true}') == Memory()


WHOLE = TypeAdapter(Memory)
"""Writes a memory with every field, those that have their defaults too."""

TASKS = ("writing", "mailing", "repeating", "comparing")

VERSION_1 = (Path(__file__).parent / "threads_version_1.jsonl").read_text(encoding="utf-8").splitlines()
"""Threads as version 1 stored them, each in the midst of another task."""


BEGUN_SINCE = {
    "misses": 0,
    "awaits": [],
    "questions": [],
    "results": [],
    "rewritten": False,
    "view": "",
}
"""What a memory holds that version 1 did not know, before anything of it began."""


def in_shape(stored: Any) -> Any:
    """Return what version 1 stored with today's fields of people and queries, which say nothing new of them."""
    if isinstance(stored, list):
        return [in_shape(each) for each in stored]
    if not isinstance(stored, dict):
        return stored
    fields = {name: in_shape(value) for name, value in stored.items()}
    if "zone" in fields:
        fields["guest"] = False
    if "capped" in fields:
        fields["unmatched"] = ""
    if "every" in fields:
        fields["channel"] = ""
    if "explanation" in fields:
        explanation = fields.pop("explanation")
        fields |= {"title": "", "steps": [explanation] if explanation else [], "doubts": []}
        fields |= {"failure": "", "as_typed": [], "unsure": False, "less_sure": False, "leans": False, "readings": []}
        fields.pop("asked_back")
    return fields


@pytest.mark.parametrize(("text", "task"), list(zip(VERSION_1, TASKS, strict=True)), ids=TASKS)
def test_tasks_of_version_1_go_on(text: str, task: str) -> None:
    """A thread of version 1 loads with the tasks that were begun, in its steps too, and with all else."""
    old, new = in_shape(json.loads(text)), WHOLE.dump_python(from_json(text), mode="json")

    def tasks(fields: dict[str, Any]) -> dict[str, Any]:
        found = {name: fields.pop(name) for name in TASKS}
        fields["stage"] = MERGED_STAGES.get(fields["stage"], fields["stage"])
        if found["repeating"]:
            found["repeating"] |= {"date": "1", "zone": ""}
        if found["comparing"]:
            found["comparing"]["before"] = {"connection": "", "schema": "", "tables": []}
        return found

    steps = [(tasks(step), step) for step in old.pop("trail")]
    assert any(before[task] for before, _ in steps)
    assert steps == [(step.pop("tasks"), step) for step in new.pop("trail")]
    begun = tasks(old)
    assert begun[task]
    assert begun == new.pop("tasks")
    heard = old["understanding"]
    heard["typed_at"] = {"": "ask", "CONFIRM_EMAIL_QUERY": "email_sql"}[heard.pop("stage")]
    heard["database"], heard["denied"] = "", []
    assert heard.pop("problem") == ""
    for each in old["conversation_history"]:
        each.pop("full", None)
    old.pop("meant", None)
    assert {**old, **BEGUN_SINCE, "version": MEMORY_VERSION} == new


def test_the_explanation_of_version_2_is_kept() -> None:
    """What was said of a query is said of it still, wherever the query stands."""
    draft = {"question": "How many?", "sql": "SELECT 1", "explanation": "Counts."}
    result = {"id": "r", "columns": [], "total": 1, "capped": False, "seconds": 0.1}
    answer = {"draft": draft, "connection": "shop", "result": result}
    loaded = from_json(json.dumps({"version": 2, "draft": draft, "answer": answer}))
    assert loaded.answer
    assert ["Counts.", "Counts."] == [loaded.draft.explanation, loaded.answer.draft.explanation]


def test_an_unknown_thread_is_none(tmp_path: Path) -> None:
    """Nothing is remembered of a thread that never was, or was forgotten, be it twice."""
    store = SqliteStore(tmp_path / "threads.sqlite")
    store.save(KEY, Memory())
    store.forget(KEY)
    store.forget(KEY)

    assert store.load(KEY) is None
    store.close()


def test_keys_cannot_collide() -> None:
    """A slash inside a part of a key is not taken for the border between two parts."""
    assert str(ThreadKey("a", "b/c", "d", "e")) != str(ThreadKey("a", "b", "c/d", "e"))
