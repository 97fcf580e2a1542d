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

import pytest

from adapters.teams.inbound import key_of
from router.jobs.audit_check import verify
from router.memory.stage import Stage
from router.storage.threads import SqliteStore
from tests.adapters.slack.talks.site import REVENUE
from tests.adapters.teams.talks.bot_process import alive
from tests.adapters.teams.talks.site import TeamsCompany, founded
from tests.adapters.teams.talks.stages import INTERRUPTED, TALKS
from tests.platforms.ollama import Answer
from tests.platforms.teams.world import Message

WRITTEN = {
    "stools": "SELECT pieces FROM stock",
    "sell in May": "SELECT amount FROM invoices",
    "measurements": "SELECT id FROM measurements",
}
"""What the model writes for questions that hold these words."""


@contextmanager
def held(company: TeamsCompany) -> Iterator[None]:
    """Have nobody write to the audit trail, or read the large database, until the end of the block."""
    with (
        (company.folder / "home" / "audit.jsonl").open("rb") as trail,
        closing(sqlite3.connect(company.folder / "large.sqlite", isolation_level=None)) as large,
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


def interruptions(company: TeamsCompany) -> Counter[str]:
    """Return how many messages of each place own up, or did before they were changed, to an interruption."""
    places = ("General", "secret", "board", "ana", "bob")
    said = [(place, m) for place in places for m in company.teams.messages(place, by="bot")]
    return Counter(place for place, m in said if INTERRUPTED in str([m.activity, *m.edits]))


@pytest.mark.thorough
def test_a_kill_in_every_stage(tmp_path: Path) -> None:
    """Wherever a talk stands when the process dies, the next one goes on with it: nothing is run twice or unasked."""
    with founded(tmp_path / "site") as company, ThreadPoolExecutor(len(TALKS)) as people:
        event = Event()
        company.slow |= {words: Answer(sql) for words, sql in WRITTEN.items()} | {
            "slowly": Answer(REVENUE, waits=event)
        }
        talks = {stage: talk(company) for stage, talk in TALKS.items()}
        first = [talk for stage, talk in talks.items() if stage != Stage.EXECUTE_SQL]
        with ExitStack() as dead, alive(company):
            list(people.map(next, first))
            next(talks[Stage.EXECUTE_SQL])
            dead.enter_context(held(company))  # until the process is killed
            asked = dict(zip(talks, people.map(next, talks.values()), strict=True))
            assert company.runs() == sum(entry["event"] == "approved" for entry in company.trail())
        event.set()
        with closing(SqliteStore(company.folder / "home" / "threads.sqlite")) as store:
            stands = {stage: stage_of(store, message) for stage, message in asked.items() if message}
        assert stands == {stage: stage for stage in TALKS}
        late = company.ask("revenue by region, asked of nobody?", "bob")
        with company.at_work() as site:
            endings = people.map(lambda talk: next(talk, "ended"), talks.values())
            assert list(endings) == ["ended"] * len(talks)
            site.press(site.shown(late, "Run on"), "Run", "bob")
            site.shown(late, "CSV")
        assert interruptions(company) == {"General": 4, "ana": 1}  # the private result is the person's own
        assert unapproved(company.trail()) == []
        assert verify(company.folder / "home" / "audit.jsonl").broken == ()
        messages = [each.id for each in company.teams.messages("General", by="bot")]
        with company.at_work() as site:
            site.shown(site.ask("revenue by region?", "carla", "carla"), "There's no database here that you can read")
            company.teams.wait_posted()
        assert [each.id for each in company.teams.messages("General", by="bot")] == messages
        assert (company.teams.refused, company.teams.faults) == ([], [])
