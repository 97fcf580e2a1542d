"""Talks whose process is killed with SIGKILL, in every stage, and that go on with another one."""

import fcntl
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

from adapters.teams.inbound import key_of
from router.jobs.audit_check import verify
from router.memory import Stage
from router.store import SqliteStore
from tests.adapters.teams.talks.house import REVENUE, Town, founded
from tests.adapters.teams.talks.living import alive
from tests.adapters.teams.talks.stages import INTERRUPTED, TALKS
from tests.platforms.ollama import Answer
from tests.platforms.teams import Message

WRITTEN = {
    "stools": "SELECT pieces FROM stock",
    "invoiced": "SELECT amount FROM invoices",
    "measurements": "SELECT id FROM measurements",
}
"""What the model writes for questions that hold these words."""


@contextmanager
def held(town: Town) -> Iterator[None]:
    """Have nobody write to the audit trail, or read the large database, until the end of the block."""
    with (
        (town.folder / "home" / "audit.jsonl").open("rb") as trail,
        closing(sqlite3.connect(town.folder / "large.sqlite", isolation_level=None)) as large,
    ):
        fcntl.flock(trail, fcntl.LOCK_EX)
        large.execute("BEGIN EXCLUSIVE")
        yield


def stage_of(store: SqliteStore, asked: Message) -> Stage | None:
    """Return where the talk of a message stands."""
    memory = store.load(key_of(asked.activity))
    return memory.stage if memory else None


def unapproved(trail: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each start of a query that no approval of its own came before, in its thread."""
    approvals: Counter[str] = Counter()
    found = []
    for entry in trail:
        thread = entry.get("thread", "")
        if entry["event"] == "approved":
            approvals[thread] += 1
        elif entry["event"] == "started":
            approvals[thread] -= 1
            found += [entry] if approvals[thread] < 0 else []
    return found


def interruptions(town: Town) -> Counter[str]:
    """Return how many messages of each place own up, or did before they were changed, to an interruption."""
    places = ("General", "secret", "board", "ana", "bob")
    said = [(place, m) for place in places for m in town.teams.messages(place, by="bot")]
    return Counter(place for place, m in said if INTERRUPTED in str([m.activity, *m.edits]))


def test_a_kill_in_every_stage(tmp_path: Path) -> None:
    """Wherever a talk stands when the process dies, the next one goes on with it: nothing is run twice or unasked."""
    with founded(tmp_path / "house") as town, ThreadPoolExecutor(len(TALKS)) as people:
        event = Event()
        town.slow |= {words: Answer(sql) for words, sql in WRITTEN.items()} | {"slowly": Answer(REVENUE, waits=event)}
        talks = {stage: talk(town) for stage, talk in TALKS.items()}
        first = [talk for stage, talk in talks.items() if stage != Stage.EXECUTE_SQL]
        with ExitStack() as dead, alive(town):
            list(people.map(next, first))
            next(talks[Stage.EXECUTE_SQL])
            dead.enter_context(held(town))  # until the process is killed
            asked = dict(zip(talks, people.map(next, talks.values()), strict=True))
            assert town.runs() == sum(entry["event"] == "approved" for entry in town.trail())
        event.set()
        with closing(SqliteStore(town.folder / "home" / "threads.sqlite")) as store:
            stands = {stage: stage_of(store, message) for stage, message in asked.items() if message}
        assert stands == {stage: stage for stage in TALKS}
        late = town.ask("revenue by region, asked of nobody?", "bob")
        with town.at_work() as house:
            endings = people.map(lambda talk: next(talk, "ended"), talks.values())
            assert list(endings) == ["ended"] * len(talks)
            house.press(house.shown(late, "Run this on"), "Run", "bob")
            house.shown(late, "CSV")
        assert interruptions(town) == {"General": 6, "ana": 1}  # the private result is the person's own
        assert unapproved(town.trail()) == []
        assert verify(town.folder / "home" / "audit.jsonl").broken == ()
        messages = [each.id for each in town.teams.messages("General", by="bot")]
        with town.at_work() as house:
            house.shown(house.ask("revenue by region?", "carla", "carla"), "There is no database")
            town.teams.wait_posted()
        assert [each.id for each in town.teams.messages("General", by="bot")] == messages
        assert (town.teams.refused, town.teams.faults) == ([], [])
