"""What people thought of answers: a thumb each, kept with the question, the SQL and what came of it; and, for a while,
what was answered and not rated yet.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock

from router.knowledge.sqlite_file import opened

_TABLES = """
CREATE TABLE IF NOT EXISTS answers (
    result TEXT PRIMARY KEY, thread TEXT NOT NULL, asker TEXT NOT NULL, at TEXT NOT NULL,
    connection TEXT NOT NULL, question TEXT NOT NULL, sql TEXT NOT NULL, outcome TEXT NOT NULL,
    schema TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS answers_by_thread ON answers (thread);
CREATE INDEX IF NOT EXISTS answers_by_asker ON answers (asker, at);
CREATE TABLE IF NOT EXISTS ratings (
    result TEXT NOT NULL, who TEXT NOT NULL, good INTEGER NOT NULL, at TEXT NOT NULL, PRIMARY KEY (result, who)
);
"""


_ANSWER = "result, thread, asker, connection, question, sql, outcome, schema"

UNRATED = timedelta(days=30)
"""How long an answer is kept that nobody rated: it can be rated, and its question be asked again, until then."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that was answered: `result` is the stored rows' id, `outcome` a word on them, such as "5 rows"."""

    result: str
    thread: str
    asker: str
    connection: str
    question: str
    sql: str
    outcome: str
    schema: str = ""


class Feedback:
    """Answers and their ratings in one SQLite file; thread-safe. Answers that nobody rates are kept for `unrated`."""

    def __init__(self, path: Path, clock: Callable[[], datetime], unrated: timedelta = UNRATED) -> None:
        self._file = opened(path, _TABLES)
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._clock, self._unrated, self._lock = clock, unrated, Lock()
        self._bring_up()
        self.expire()

    def note(self, answered: Answered) -> None:
        """Keep what a later rating is about."""
        a = answered
        values = (a.result, a.thread, a.asker, self._now(), a.connection, a.question, a.sql, a.outcome, a.schema)
        self._do("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)

    def answer(self, result: str) -> Answered | None:
        """Return what was answered with these rows; None where it is too old."""
        rows = self._do(f"SELECT {_ANSWER} FROM answers WHERE result = ?", (result,))
        return Answered(*rows[0]) if rows else None

    def rate(self, who: str, result: str, good: bool) -> str:
        """Keep the person's opinion in place of an earlier one, and return a sentence for them."""
        if not self._do("SELECT 1 FROM answers WHERE result = ?", (result,)):
            return "This answer is too old to be rated."
        self._do("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?)", (result, who, int(good), self._now()))
        if good:
            return "Thank you. It is noted that this answer was right."
        return (
            "Thank you. It is noted that this answer was not right; type what you would like instead, and I try again."
        )

    def ratings(self) -> list[tuple[Answered, str, bool]]:
        """Return every rating: the answer, who rated it, and whether they found it good; the oldest first."""
        rows = self._do(
            f"SELECT a.{_ANSWER}, who, good FROM ratings r JOIN answers a ON a.result = r.result "
            "ORDER BY r.at, r.rowid",
            (),
        )
        return [(Answered(*row[:8]), row[8], bool(row[9])) for row in rows]

    def asked(self, asker: str, most: int) -> list[Answered]:
        """Return the person's last answered questions, each once, the latest first."""
        rows = self._do(
            f"SELECT {_ANSWER}, max(at) AS last FROM answers "
            "WHERE asker = ? AND question != '' GROUP BY question ORDER BY last DESC, rowid DESC LIMIT ?",
            (asker, most),
        )
        return [Answered(*row[:8]) for row in rows]

    def threads(self) -> list[str]:
        """Return the threads that have answers."""
        return [str(row[0]) for row in self._do("SELECT DISTINCT thread FROM answers", ())]

    def results(self, thread: str) -> list[str]:
        """Return the ids of the results of the thread's answers."""
        return [str(row[0]) for row in self._do("SELECT result FROM answers WHERE thread = ?", (thread,))]

    def forget(self, thread: str) -> None:
        """Delete the thread's answers and their ratings."""
        self._do("DELETE FROM ratings WHERE result IN (SELECT result FROM answers WHERE thread = ?)", (thread,))
        self._do("DELETE FROM answers WHERE thread = ?", (thread,))

    def expire(self) -> None:
        """Delete the answers past their time that nobody rated; called at start and now and then."""
        before = self._stamp(self._clock() - self._unrated)
        self._do("DELETE FROM answers WHERE at <= ? AND result NOT IN (SELECT result FROM ratings)", (before,))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _bring_up(self) -> None:
        """Add what files of earlier versions lack; of several processes that start at once, one does it."""
        self._do("BEGIN IMMEDIATE")
        try:
            if "schema" not in {row[1] for row in self._do("PRAGMA table_info(answers)")}:
                self._do("ALTER TABLE answers ADD COLUMN schema TEXT NOT NULL DEFAULT ''")
        finally:
            self._do("COMMIT")

    def _now(self) -> str:
        return self._stamp(self._clock())

    def _stamp(self, time: datetime) -> str:
        return time.astimezone(UTC).isoformat(timespec="microseconds")

    def _do(self, statement: str, values: tuple[str | int, ...] = ()) -> list[tuple[str, ...]]:
        with self._lock, closing(self._file.execute(statement, values)) as cursor:
            return cursor.fetchall()
