"""The ledger: a row a job, in a database that several processes may share; nothing is done that has no row.

A process that works on a job holds it by its name and a sign of life; a job whose holder gave none for HOLDER_TIMEOUT
is anybody's again.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, select, true, update
from sqlalchemy.engine import Connection

from router.errors import JobFailed
from router.jobs.job_entry import REQUEUABLE_STATES, WAITING, JobEntry, JobState, Request
from router.jobs.lease_table import LeaseTable
from router.storage.clock import NEVER, Clock
from router.storage.database import Database, insert_new
from router.storage.ids import new_id
from router.storage.server import repeated_if_cut
from router.storage.tables import jobs

# Rows of the table as entries.

REQUEST = ("key", "kind", "payload", "version", "lane", "name", "asker", "approver", "connection", "thread")
"""The columns that hold what was asked for."""


def entry_of(row: Row[Any]) -> JobEntry:
    values = row._mapping
    request = Request(**{name: values[name] for name in REQUEST})
    times = values["created"], values["started"], values["ended"]
    state, counts = JobState(values["state"]), (values["attempt"], values["rows"])
    said = values["error"], values["outcome"], values["ending"]
    return JobEntry(values["id"], request, state, *counts, *times, *said)


LEDGER_LIFETIME = timedelta(days=365)
"""For so long it is known what was written and e-mailed."""


LOOK_LIFETIME = timedelta(minutes=30)
"""A look at tables takes less; values of columns may be in what was found."""


class NoJob(JobFailed):
    """There is no job of this number."""


class Ledger:
    """All jobs; thread-safe. Raises JobFailed if its database fails: then nothing is begun."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[str], str] = new_id) -> None:
        """Use the bot's database; `new_id` makes an id for a job of a kind."""
        self._now, self._new_id = clock, new_id
        self._table = LeaseTable(database, jobs)

    @repeated_if_cut
    def add(self, request: Request, holder: str = "") -> JobEntry:
        """Keep a job that is asked for, and return it; one that was asked for before is returned as it stands.

        With a holder, nobody else works on it, but gives it up if the holder dies.
        """
        values = {name: getattr(request, name) for name in REQUEST}
        fresh = {"state": JobState.QUEUED, "attempt": 0, "rows": 0, "error": "", "outcome": {}}
        fresh |= {"ending": "", "holder": holder, "seen": self._now()}
        of_key = select(jobs).where(jobs.c.key == request.key)
        with self._table.writing() as database:
            if known := database.execute(of_key).first():
                return entry_of(known)
            # If it is asked for twice at once, one row is kept.
            insert_new(database, jobs, {"id": self._new_id(request.kind), "created": self._now(), **values, **fresh})
            return entry_of(database.execute(of_key).one())

    def get(self, id: str) -> JobEntry:
        """Return a job; raises NoJob if there is none of this number."""
        found = self._entries(jobs.c.id == id.strip().upper())
        if not found:
            raise NoJob(f"There is no job {id.strip()[:20]}.")
        return found[0]

    def find(self, key: str) -> JobEntry | None:
        """Return the job of a key."""
        return next(iter(self._entries(jobs.c.key == key)), None)

    def reading(self, result: str) -> JobEntry | None:
        """Return the reading or the comparison whose rows were kept under this id."""
        return next(iter(self._entries((jobs.c.result == result) & jobs.c.kind.in_(FINDING))), None)

    def latest(self, most: int = 50, *, asker: str = "", states: Sequence[JobState] = ()) -> tuple[JobEntry, ...]:
        """Return the newest jobs, the latest first: all, or a person's, or those in some states."""
        which = [jobs.c.kind != "read_catalog"]  # people asked for the others
        which += [jobs.c.asker == asker] if asker else []
        which += [jobs.c.state.in_(states)] if states else []
        return self._entries(*which, order=(jobs.c.created.desc(), jobs.c.id), most=most)

    def due(self) -> tuple[JobEntry, ...]:
        """Return the jobs that wait for anybody, the oldest first; what the dead held is free, or over."""
        with self._table.writing() as database:
            self._settle(database, true())
        return self._entries(jobs.c.state == JobState.QUEUED, jobs.c.holder == "", order=(jobs.c.created,))

    def _entries(
        self, *which: ColumnElement[bool], order: Sequence[Any] = (), most: int | None = None
    ) -> tuple[JobEntry, ...]:
        query = select(jobs).where(*which).order_by(*order).limit(most)
        with self._table.reading() as database:
            return tuple(map(entry_of, database.execute(query)))

    def _settle(self, database: Connection, which: ColumnElement[bool]) -> None:
        """Note what became of jobs whose holders died.

        What was being sent is UNSURE, what is done once is FAILED, and any other waits for anybody.
        """
        dead = which & jobs.c.state.in_(WAITING) & (jobs.c.holder != "") & self._table.unheld(self._now())
        for left, values in (
            (jobs.c.state == JobState.SENDING, {"state": JobState.UNSURE, "error": UNSURE, "ended": self._now()}),
            (
                jobs.c.kind.in_(NOT_RESUMED_KINDS),
                {"state": JobState.FAILED, "error": INTERRUPTED, "ended": self._now()},
            ),
            (true(), {"state": JobState.QUEUED}),
        ):
            database.execute(update(jobs).where(dead & left).values(**values, holder="", seen=NEVER))

    @repeated_if_cut
    def claim(self, id: str, holder: str) -> JobEntry | None:
        """Have the holder work on a job that waits, and return it; None if somebody else does, or it is over.

        What a dead holder left is worked on again only if that can do no harm.
        """
        now, begun = self._now(), {"state": JobState.RUNNING, "attempt": jobs.c.attempt + 1, "rows": 0}
        mine = (jobs.c.id == id) & (jobs.c.state == JobState.QUEUED) & jobs.c.holder.in_(("", holder))
        take = update(jobs).where(mine).values(**begun, started=now, holder=holder, seen=now)
        with self._table.writing() as database:
            if database.execute(take).rowcount != 1:  # most jobs wait: only if one does not, who holds it counts
                self._settle(database, jobs.c.id == id)
                if database.execute(take).rowcount != 1:
                    return None
            return entry_of(database.execute(select(jobs).where(jobs.c.id == id)).one())

    def live(self, holder: str, known: Collection[str], rows: dict[str, int]) -> dict[str, str]:
        """Give a sign of life for the jobs that the holder knows of, with the rows of those that run.

        Returns those of them to end, and why: a job that is the holder's no more is to end too. A job that it holds
        without knowing, as when the answer to a claim was lost, is left as by the dead.
        """
        held = _held_by(holder)
        with self._table.writing() as database:
            database.execute(update(jobs).where(held, jobs.c.id.in_(known)).values(seen=self._now()))
            for id, count in rows.items():
                database.execute(update(jobs).where(held, jobs.c.id == id).values(rows=count))
            found = {row.id: row.ending for row in database.execute(select(jobs.c.id, jobs.c.ending).where(held))}
        ending = {id: found.get(id, TAKEN_OVER) for id in rows}
        return {id: why for id, why in ending.items() if why}

    @repeated_if_cut
    def move(
        self,
        id: str,
        holder: str,
        state: JobState,
        *,
        rows: int = 0,
        error: str = "",
        outcome: dict[str, Any] | None = None,
    ) -> bool:
        """Note where the holder's job stands; returns False if it is the holder's no more, so nothing is noted."""
        given = state in (JobState.RUNNING, JobState.SENDING)
        kept = {"holder": holder, "seen": self._now()} if given else {"holder": "", "seen": NEVER}
        ended = None if state in WAITING else self._now()
        result = (outcome or {}).get("result")
        told = {"rows": rows, "error": error, "outcome": outcome or {}}
        told["result"] = result["id"] if isinstance(result, dict) else None
        return self._change(_held_by(holder), jobs.c.id == id, state=state, ended=ended, **told, **kept)

    @repeated_if_cut
    def cancel(self, id: str, why: str) -> JobState:
        """End a job that nobody works on yet, and have its holder end one that runs; returns the state it is in.

        What runs may have been done by then: its holder alone knows, and notes it.
        """
        ended = {"state": JobState.CANCELLED, "ended": self._now(), "error": why}
        with self._table.writing() as database:
            self._settle(database, jobs.c.id == id)
            for state, values in ((JobState.QUEUED, ended), (JobState.RUNNING, {"ending": why})):
                database.execute(update(jobs).where((jobs.c.id == id) & (jobs.c.state == state)).values(values))
            return JobState(database.execute(select(jobs.c.state).where(jobs.c.id == id)).scalar_one())

    @repeated_if_cut
    def retry(self, id: str, attempt: int | None = None, holder: str = "") -> bool:
        """Have a job that failed, was cancelled or is UNSURE be queued again; returns whether it was.

        With the number of an attempt, only if that was the last one; with a holder, nobody else works on it.
        """
        which = [jobs.c.id == id, jobs.c.state.in_(REQUEUABLE_STATES)]
        which += [] if attempt is None else [jobs.c.attempt == attempt]
        held = {"holder": holder, "seen": self._now() if holder else NEVER}
        return self._change(*which, state=JobState.QUEUED, error="", ended=None, ending="", **held)

    def _change(self, *which: ColumnElement[bool], **values: Any) -> bool:
        with self._table.writing() as database:
            return database.execute(update(jobs).where(*which).values(values)).rowcount == 1

    def forget(self, thread: str) -> None:
        """Delete what is kept of a thread's jobs; one that is worked on is over for its holder."""
        self._delete(jobs.c.thread == thread)

    def delete(self, id: str) -> None:
        """Delete what is kept of a job, once its asker knows the outcome."""
        self._delete(jobs.c.id == id)

    def expire(self, readings: timedelta) -> None:
        """Delete what told of rows and was over for so long, and whatever else was over for LEDGER_LIFETIME."""
        changing, now = jobs.c.kind.in_(CHANGING), self._now()
        old = (changing & (jobs.c.ended < now - LEDGER_LIFETIME)) | (~changing & (jobs.c.ended < now - readings))
        # The asking process deletes these, unless it died meanwhile.
        looks = (jobs.c.kind == "read_catalog") & (jobs.c.created < now - LOOK_LIFETIME)
        self._delete((jobs.c.state.not_in(WAITING) & old) | looks)

    def _delete(self, which: ColumnElement[bool]) -> None:
        with self._table.writing() as database:
            database.execute(delete(jobs).where(which))


def _held_by(holder: str) -> ColumnElement[bool]:
    return (jobs.c.holder == holder) & jobs.c.state.in_(WAITING)


NOT_RESUMED_KINDS = ("read_sql", "match_sql", "read_catalog")
"""Kinds that are not repeated unasked: a query may be heavy, and its asker may have gone away."""

FINDING = ("read_sql", "compare_sql")
"""Kinds that have rows of their own."""

CHANGING = ("write_data", "send_email")
"""Kinds that change something; of others, what a database told is kept no longer than its rows are."""

TAKEN_OVER = "Another process works on it."
INTERRUPTED = "It was interrupted, and not repeated."
UNSURE = "It was cut short while it was being sent: it may have gone out, or not."
