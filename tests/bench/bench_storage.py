"""The storage calls of one chat turn beside plain sqlite3, and how long they wait while jobs are committed.

`uv run python -m tests.bench.bench_storage` prints the CPU of the ten calls of a turn whose question is answered and
followed by the next one (medians in milliseconds), and what the same calls take by the clock while two threads commit
jobs without a pause: into a database of their own, for what the machine's noise is, and into the same one.
"""

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path
from threading import Event, Thread

from adapters.chat.inbox import Inbox
from adapters.chat.shown_messages import ShownMessages
from adapters.chat.surface import Heard, QuestionOutcome
from router.cards import Buttons, Code, Option, Reply, Text
from router.jobs.job_entry import JobState, Request
from router.jobs.ledger import Ledger
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.storage.clock import now
from router.storage.database import Database, home_database
from router.storage.ids import new_id
from router.turn import Pressed

TURNS = 500
SHARES = {"median": 0.5, "99%": 0.99, "99.9%": 0.999, "worst": 1.0}
JOB_SECONDS = 15.0
"""How long turns are taken while jobs are committed."""

ANA = User("slack:U1", "Ana")
REPLY = Reply((Text("Run this?"), Code("SELECT 1"), Buttons("", (Option("yes", "Run"), Option("no", "No")))), turn=3)
OUTCOME = QuestionOutcome("Run", ANA, datetime(2026, 3, 15, 9, 30, tzinfo=UTC))

_numbers = count()
"""Of turns: none is taken twice."""

Calls = list[tuple[str, Callable[[], object]]]


def calls_of(database: Database) -> Callable[[int], Calls]:
    """Return what gives the ten calls of the turn of a number, each in a thread of its own that has one question."""
    inbox, shown = Inbox(database, "slack"), ShownMessages(database, "slack")

    def calls(number: int) -> Calls:
        key, asked, asks, busy = ThreadKey("slack", "T1", "C1", f"{number}.0"), f"{number}.1", f"{number}.2", "p"
        shown.add("C1", asked, key, REPLY)
        question = shown.question(key)
        assert question
        heard = Heard(key, ANA, Pressed("yes", 3), f"e{number}")
        return [
            ("take", lambda: inbox.take(heard)),
            ("message", lambda: shown.message("C1", asked)),
            ("begun", lambda: shown.begun(key)),
            ("question", lambda: shown.question(key)),
            ("answer", lambda: shown.answer(question, OUTCOME)),
            ("begin", lambda: shown.begin("C1", busy, key)),
            ("question", lambda: shown.question(key)),
            ("end", lambda: shown.end("C1", busy)),
            ("add", lambda: shown.add("C1", asks, key, REPLY)),
            ("done", lambda: inbox.done(heard.event)),
        ]

    return calls


def plain_calls_of(path: Path) -> Callable[[int], Calls]:
    """Return what gives the same calls as SQL on one connection, with texts that are ready to be stored."""
    link = sqlite3.connect(path, isolation_level=None)
    link.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
    link.executescript(_TABLES)
    text, at = "x" * 400, "2026-03-15 09:30:00.000000"

    def calls(number: int) -> Calls:
        thread, asked, asks = f"slack/T1/C1/{number}.0", ("slack", "C1", f"{number}.1"), ("slack", "C1", f"{number}.2")
        begun, event = ("slack", "C1", "p"), ("slack", f"e{number}")
        link.execute(_ADD, (*asked, "T1", thread, 3, text, 0, at))

        def read(sql: str, *values: object) -> Callable[[], object]:
            return lambda: link.execute(sql, values).fetchall()

        def write(*statements: tuple[str, tuple[object, ...]]) -> Callable[[], object]:
            def act() -> None:
                link.execute("BEGIN IMMEDIATE")
                for sql, values in statements:
                    link.execute(sql, values)
                link.execute("COMMIT")

            return act

        return [
            ("take", write((_TAKE, (*event, "T1", "C1", text, at)))),
            ("message", read(_MESSAGE, *asked)),
            ("begun", read("SELECT channel, message FROM progress WHERE platform=? AND thread=?", "slack", thread)),
            ("question", read(_QUESTION, "slack", thread)),
            ("answer", write((_ANSWER, asked), (_DECIDE, (*asked, "T1", text)))),
            ("begin", write((_BEGIN, (*begun, "T1", thread)))),
            ("question", read(_QUESTION, "slack", thread)),
            ("end", write((f"DELETE FROM progress WHERE {_IS}", begun))),
            ("add", write((_ADD, (*asks, "T1", thread, 3, text, 0, at)), (f"DELETE FROM decisions WHERE {_IS}", asks))),
            ("done", write(("UPDATE inbox SET heard=NULL WHERE platform=? AND event=?", event))),
        ]

    return calls


def cpu(calls: Callable[[int], Calls]) -> dict[str, float]:
    """Return the median CPU of each call, and of all of them, in milliseconds."""
    taken: dict[str, list[float]] = {}
    for number in islice(_numbers, TURNS):
        whole = 0.0
        for name, call in calls(number):
            began = time.thread_time()
            call()
            spent = time.thread_time() - began
            taken.setdefault(name, []).append(spent * 1000)
            whole += spent * 1000
        taken.setdefault("ten calls", []).append(whole)
    return {name: statistics.median(times) for name, times in taken.items()}


def waits(database: Database, jobs: Database) -> tuple[int, list[float]]:
    """Return how many commits of jobs there were meanwhile, and how long each call took, in milliseconds."""
    ended, commits, taken = Event(), count(), []

    def work() -> None:
        ledger = Ledger(jobs, now)
        while not ended.is_set():
            job = ledger.add(Request(new_id("write_data"), "write_data", {"sql": "SELECT 1"}), "bench")
            ledger.claim(job.id, "bench")
            ledger.move(job.id, "bench", JobState.DONE)
            for _ in range(3):
                next(commits)

    calls, until = calls_of(database), time.perf_counter() + JOB_SECONDS
    workers = [Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for number in _numbers:
        if time.perf_counter() > until:
            break
        for _, call in calls(number):
            began = time.perf_counter()
            call()
            taken.append((time.perf_counter() - began) * 1000)
        time.sleep(0.01)
    ended.set()
    for worker in workers:
        worker.join()
    return next(commits), sorted(taken)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, closing(home_database(Path(folder))) as database:
        plain, ours = cpu(plain_calls_of(Path(folder) / "plain.sqlite")), cpu(calls_of(database))
        for name, took in ours.items():
            print(f"{name:10} {took:6.3f} ms of CPU, {plain[name]:6.3f} by plain sqlite3")
        with closing(home_database(Path(folder) / "apart")) as apart:
            for where, jobs in (("a database apart", apart), ("the same database", database)):
                commits, taken = waits(database, jobs)
                figures = (f"{name} {taken[int(share * (len(taken) - 1))]:.2f}" for name, share in SHARES.items())
                print(f"beside {commits} commits of jobs into {where}: {', '.join(figures)} ms a call")


_IS = "platform=? AND channel=? AND message=?"
_TAKE = "INSERT INTO inbox (platform, event, team, channel, heard, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_ADD = """INSERT INTO messages (platform, channel, message, team, thread, turn, reply, answered, at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (platform, channel, message) DO UPDATE SET team=excluded.team,
    thread=excluded.thread, turn=excluded.turn, reply=excluded.reply, answered=excluded.answered, at=excluded.at"""
_SHOWN = "SELECT messages.*, decision FROM messages LEFT JOIN decisions USING (platform, channel, message) WHERE"
_MESSAGE = f"{_SHOWN} {_IS}"
_QUESTION = f"{_SHOWN} platform=? AND thread=? AND turn>0 AND answered=0 ORDER BY turn DESC LIMIT 1"
_ANSWER = f"UPDATE messages SET answered=1 WHERE {_IS}"
_DECIDE = """INSERT INTO decisions (platform, channel, message, team, decision) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (platform, channel, message) DO UPDATE SET team=excluded.team, decision=excluded.decision"""
_BEGIN = """INSERT INTO progress (platform, channel, message, team, thread) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (platform, channel, message) DO UPDATE SET team=excluded.team, thread=excluded.thread"""
_TABLES = """
CREATE TABLE inbox (number INTEGER PRIMARY KEY, platform, event, team, channel, heard, at, UNIQUE (platform, event));
CREATE TABLE messages (platform, channel, message, team, thread, turn, reply, answered, at,
    PRIMARY KEY (platform, channel, message));
CREATE INDEX messages_by_thread ON messages (thread, turn);
CREATE TABLE decisions (platform, channel, message, team, decision, PRIMARY KEY (platform, channel, message));
CREATE TABLE progress (platform, channel, message, team, thread, PRIMARY KEY (platform, channel, message));
CREATE INDEX progress_by_thread ON progress (thread);
"""

if __name__ == "__main__":
    main()
