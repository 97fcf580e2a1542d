"""What a talk that writes and e-mails is played in on a chat platform: databases, a mail server, and people's hands."""

import re
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, TypeVar

from sqlalchemy import func, select

from router.jobs.job_entry import JobEntry
from router.jobs.ledger import Ledger
from router.storage.database import home_database
from router.storage.tables import inbox
from tests.platforms.ollama import Ollama
from tests.support.mail_servers import SENDER, PostOffice, post_office
from tests.support.shop import build_backup, build_shop

T = TypeVar("T")

MANY = 20_000
SOME = 3_000
CONNECTIONS = """
default = "shop"
[channels]
private = ["{private}"]
[connections.shop]
id = 1
label = "Shop"
url = "sqlite:///shop.sqlite"
max_rows = 200000
readers = ["ana@example.com", "bob@example.com"]
[connections.backup]
id = 2
label = "Backup"
url = "sqlite:///backup.sqlite"
write_url = "sqlite:///backup.sqlite"
readers = ["ana@example.com"]
writers = ["ana@example.com"]
[connections.guarded]
id = 3
label = "Guarded"
url = "sqlite:///guarded.sqlite"
write_url = "sqlite:///guarded.sqlite"
readers = ["ana@example.com"]
writers = ["ana@example.com"]
approvers = ["carla@example.com"]
"""
SLOW = """
CREATE TABLE ticks (n INTEGER PRIMARY KEY);
WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 150) INSERT INTO ticks SELECT n FROM up;
CREATE TABLE slow (n INTEGER);
CREATE TRIGGER slowly BEFORE INSERT ON slow BEGIN SELECT sum(a.n * b.n) FROM ticks a, ticks b; END;
"""
"""A table into which a row takes about a millisecond."""
NUMBERS = f"""
CREATE TABLE many (n INTEGER PRIMARY KEY);
WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < {MANY}) INSERT INTO many SELECT n FROM up;
"""


@dataclass
class Place:
    """A folder with databases, a model and a mail server, which outlives the bots that work in it."""

    folder: Path
    model: Ollama
    post: PostOffice

    @property
    def environment(self) -> dict[str, str]:
        """Return what the bot's environment says of the mail server."""
        return {"SMTP_URL": f"smtp://localhost:{self.post.port}?starttls=no", "EMAIL_FROM": SENDER}

    def rows(self, name: str, sql: str) -> list[tuple[object, ...]]:
        """Return what is in a database."""
        with closing(sqlite3.connect(self.folder / f"{name}.sqlite", timeout=20)) as database:
            return database.execute(sql).fetchall()

    def hurry(self) -> None:
        """Have rows go into the table `slow` as fast as into any other from now on."""
        with closing(sqlite3.connect(self.folder / "backup.sqlite", timeout=20)) as database, database:
            database.execute("DROP TRIGGER slowly")

    def tables(self, name: str) -> set[object]:
        """Return the names of the tables of a database, but for the bot's own."""
        found = self.rows(name, "SELECT name FROM sqlite_master WHERE type = 'table'")
        return {table for (table,) in found} - {"icc_bot_jobs"}

    def jobs(self, kind: str = "") -> list[JobEntry]:
        """Return the jobs of a kind, the oldest first, as the ledger has them."""
        with closing(home_database(self.folder / "home")) as database:
            ledger = Ledger(database, lambda: datetime.now(UTC))
            return [job for job in reversed(ledger.latest(1000)) if kind in ("", job.request.kind)]

    def works(self) -> bool:
        """Return whether an input, such as a press that a killed bot left, or a job is not done."""
        with closing(home_database(self.folder / "home")) as database, database.reading() as connection:
            left = connection.execute(select(func.count()).where(inbox.c.heard.is_not(None))).scalar()
        return bool(left) or not all(job.over for job in self.jobs())

    def job(self, kind: str, *states: str) -> JobEntry:
        """Return the latest job of a kind once it is in one of these states."""

        def found() -> JobEntry | None:
            jobs = self.jobs(kind)
            return jobs[-1] if jobs and jobs[-1].state in states else None

        return until(found)


@dataclass
class Scene(ABC):
    """A thread of Ana's with the bot on one platform; what a platform does is told by its own class."""

    place: Place
    channel: str = ""
    """Where it is held; the first channel where nothing else is said."""
    hears: ClassVar[bool]
    """Whether the bot is told what is written in its threads without its name."""

    @abstractmethod
    def at_work(self) -> AbstractContextManager[None]:
        """Run a bot until the end of the block, in this process."""

    @abstractmethod
    def alive(self) -> AbstractContextManager[None]:
        """Run the real program until the end of the block, which kills it."""

    @abstractmethod
    def say(self, text: str, user: str = "ana", meant: bool = True) -> None:
        """Write into the thread, with the bot's name where it is meant; the first message begins it."""

    @abstractmethod
    def press(self, label: str, user: str = "ana", wait: bool = True) -> str:
        """Press a button of the thread, or of Ana's own chat, once it is there; returns what a form of it says."""

    @abstractmethod
    def choose(self, entry: str) -> None:
        """Choose in the menu that stands."""

    @abstractmethod
    def fill(self, value: str, user: str = "ana", **others: str) -> str:
        """Put a value into the first field of the form that stands, and more into others by their names; send it.

        Returns what is wrong with it.
        """

    @abstractmethod
    def fill_in(self, opener: str = "", **values: str) -> dict[str, str]:
        """Put values into the form that a button opens, or into the one that is open, and send it.

        Menus take what an entry says or stands for. Returns what is wrong by field, with "" for the form as a whole.
        """

    @abstractmethod
    def said(self, alone: str = "") -> list[str]:
        """Return what everybody reads in the thread, or what this person reads alone, message by message."""

    def decided(self, text: str) -> bool:
        """Return whether a message says how its question was answered."""
        return re.search(r"(✓|:heavy_check_mark:|✔️?|Answered in) .+ · ", text) is not None

    @abstractmethod
    def ever(self) -> str:
        """Return everything of the bot's that everybody ever read in the thread, also what was changed since."""

    @abstractmethod
    def settle(self) -> None:
        """Wait until the bot was told everything, and has answered."""

    def shown(self, words: str, alone: str = "", seconds: float = 60.0) -> str:
        """Return the newest message that shows these words, once there is one."""
        try:
            return until(lambda: next((text for text in reversed(self.said(alone)) if words in text), ""), seconds)
        except AssertionError:
            raise AssertionError(f"{words!r} did not come; there is: {self.said(alone)}") from None

    def count(self, words: str, alone: str = "") -> int:
        """Return how many messages show these words."""
        return sum(words in text for text in self.said(alone))

    def ran(self, sql: str, alone: str = "") -> None:
        """Ask for SQL of one's own and run it."""
        self.say(sql)
        self.shown("Run on")
        self.press("Run")
        self.shown("CSV", alone)


def until(found: Callable[[], T | None], seconds: float = 60.0) -> T:
    """Return what is found once it is there."""
    end = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.01)
    return value


@contextmanager
def founded(folder: Path, private: str) -> Iterator[Place]:
    """Build the databases; results are for the asker alone in the channel `private`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, build, more in (
        ("shop", build_shop, NUMBERS),
        ("backup", build_backup, SLOW),
        ("guarded", build_backup, ""),
    ):
        build(folder / f"{name}.sqlite")
        with closing(sqlite3.connect(folder / f"{name}.sqlite", isolation_level=None)) as database:
            database.executescript(f"BEGIN; {more} COMMIT;")
    (folder / "connections.toml").write_text(CONNECTIONS.format(private=private))
    with Ollama(script=lambda prompt: "SELECT name FROM regions") as model, post_office() as post:
        yield Place(folder, model, post)
