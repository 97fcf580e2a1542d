"""Changes of the glossary that somebody proposed: kept until they are decided, and decided once.

They lie in one SQLite file of the house, so that the bots of all platforms see the same ones and take turns.
"""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from threading import Lock

from router.errors import JobFailed
from router.knowledge.known import Term
from router.knowledge.sqlite_file import new_number, opened
from router.memory import User

_TABLE = """
CREATE TABLE IF NOT EXISTS proposals (
    id TEXT PRIMARY KEY, connection TEXT NOT NULL, name TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL,
    by_id TEXT NOT NULL, by_name TEXT NOT NULL, by_email TEXT NOT NULL, at TEXT NOT NULL,
    state TEXT NOT NULL, decider TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS proposals_by_state ON proposals (state, connection, at);
"""

MOST = 20
"""Proposals of one person that wait."""

KEPT = timedelta(days=30)
"""How long a change is kept that was shown and not taken up, and one that is decided."""


class Standing(StrEnum):
    """What became of a proposal; the values are stored."""

    SHOWN = "SHOWN"
    """Its author sees it, and has not decided."""
    WAITING = "WAITING"
    """Somebody who may has to decide."""
    SAVED = "SAVED"
    DECLINED = "DECLINED"
    LEFT = "LEFT"
    """Its author thought better of it."""


OPEN = (Standing.SHOWN, Standing.WAITING)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A term as it is (`before`) and as it shall be (`after`); None where there is none. No connection: not yet."""

    id: str
    connection: str
    name: str
    before: Term | None
    after: Term | None
    by: User
    standing: Standing = Standing.SHOWN
    decider: str = ""


def random_number() -> str:
    """Return the number of a new proposal."""
    return new_number("G")


class Proposals:
    """The proposals in one SQLite file; thread-safe, and several processes may use it."""

    def __init__(self, path: Path, clock: Callable[[], datetime], number: Callable[[], str] = random_number) -> None:
        self._file = opened(path, _TABLE)
        self._clock, self._number, self._lock = clock, number, Lock()

    def add(self, connection: str, name: str, before: Term | None, after: Term | None, by: User) -> Proposal:
        """Keep a change that is shown to its author; what is past its time is deleted."""
        proposal = Proposal(self._number(), connection, name, before, after, by)
        with self._lock:
            past = (self._clock() - KEPT).astimezone(UTC).isoformat()
            self._do("DELETE FROM proposals WHERE at < ? AND state <> 'WAITING'", past)
            self._do(
                "INSERT INTO proposals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'SHOWN', '')",
                proposal.id,
                connection,
                name,
                _json(before),
                _json(after),
                by.id,
                by.name,
                by.email,
                self._clock().astimezone(UTC).isoformat(),
            )
        return proposal

    def get(self, id: str) -> Proposal:
        """Return a proposal; raises JobFailed where there is none of it any more."""
        with self._lock:
            return self._get(id)

    def waiting(self, connection: str) -> tuple[Proposal, ...]:
        """Return what waits for a decision about a connection's terms, the oldest first."""
        with self._lock:
            rows = self._do(
                f"SELECT {_COLUMNS} FROM proposals WHERE state = 'WAITING' AND connection = ? ORDER BY at, rowid",
                connection,
            )
        return tuple(map(_proposal, rows))

    def decide(
        self, id: str, standing: Standing, by: User, doing: Callable[[Proposal], None] = lambda proposal: None
    ) -> bool:
        """Do what a decision means and keep it; returns whether it was open, and so was decided now.

        Of several processes one does it at a time. Raises what `doing` raises, and it stays open then.
        """
        with self._lock:
            self._do("BEGIN IMMEDIATE")
            try:
                proposal = self._get(id)
                if proposal.standing not in OPEN:
                    return False
                if standing == Standing.WAITING:
                    self._demand_room(by)
                doing(proposal)
                self._do("UPDATE proposals SET state = ?, decider = ? WHERE id = ?", standing, by.name or by.id, id)
                return True
            finally:
                self._do("COMMIT")

    def renew(self, id: str, connection: str, name: str, before: Term | None, after: Term | None) -> Proposal:
        """Have an open proposal be about this connection, from the term as it is now; returns it as it is kept."""
        with self._lock:
            self._do(
                f"UPDATE proposals SET connection = ?, name = ?, before = ?, after = ? "
                f"WHERE id = ? AND state IN {_OPEN}",
                connection,
                name,
                _json(before),
                _json(after),
                id,
            )
            return self._get(id)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _demand_room(self, by: User) -> None:
        [(count,)] = self._do("SELECT count(*) FROM proposals WHERE state = 'WAITING' AND by_id = ?", by.id)
        if int(count) >= MOST:
            raise JobFailed(f"You have proposed {MOST} changes that wait; let somebody decide these first.")

    def _get(self, id: str) -> Proposal:
        rows = self._do(f"SELECT {_COLUMNS} FROM proposals WHERE id = ?", id)
        if not rows:
            raise JobFailed("This change is not kept any more. Nothing was changed; type it again.")
        return _proposal(rows[0])

    def _do(self, statement: str, *values: str) -> list[tuple[str, ...]]:
        with closing(self._file.execute(statement, values)) as cursor:
            return cursor.fetchall()


_COLUMNS = "id, connection, name, before, after, by_id, by_name, by_email, state, decider"
_OPEN = "('SHOWN', 'WAITING')"


def _proposal(row: tuple[str, ...]) -> Proposal:
    id, connection, name, before, after, by_id, by_name, by_email, state, decider = row
    by = User(by_id, by_name, by_email)
    return Proposal(id, connection, name, _term(before), _term(after), by, Standing(state), decider)


def _json(term: Term | None) -> str:
    return "" if term is None else json.dumps(asdict(term))


def _term(text: str) -> Term | None:
    if not text:
        return None
    kept = json.loads(text)
    return Term(kept["name"], kept["meaning"], tuple(kept["synonyms"]), kept["filter"])
