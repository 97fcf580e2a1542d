"""Examples that are kept, found, and looked at by the database."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from router.catalog.catalog import Catalog
from router.catalog.connections_file import read_connections
from router.catalog.schema import Schema
from router.errors import JobFailed
from router.knowledge.embeddings import Vectors
from router.knowledge.example_store import ExampleStore, KeptExample
from router.knowledge.examples import Examples
from router.knowledge.knowledge import Example, Known
from router.storage.database import home_database
from router.text_to_sql.prompt import asked
from router.text_to_sql.question import Question
from router.understanding.classifier import weigh
from tests.platforms.ollama import counted
from tests.router.text_to_sql.scripted import sql_task
from tests.support.shop import write_connections
from tests.support.talk import Clock
from tests.support.writing_scene import until

OPEN = KeptExample(
    "shop", "main", "How many orders are open?", "SELECT COUNT(*) FROM orders WHERE status = 'open'", "test:ana"
)
PAID = replace(OPEN, question="How many orders are paid?", sql="SELECT COUNT(*) FROM orders WHERE status = 'paid'")
NAMES = replace(OPEN, question="List all regions by name", sql="SELECT name FROM regions ORDER BY name")

WAYS = ("to me", "to us", "to you", "in this", "in that", "in these", "in those", "in it")
"""Endings that say nothing."""


class Kitchen:
    """Examples over a shop."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock = folder, Clock()
        self.catalog = Catalog(read_connections(write_connections(folder, ["shop", "archive"]), {}))
        self.database = home_database(folder)
        self.store = ExampleStore(self.database, self.clock)
        self.examples = Examples(self.store, self.catalog, weigh)

    @property
    def schema(self) -> Schema:
        """The tables of the shop."""
        return self.catalog.schema("shop")

    def near(self, question: str, schema: Schema | None = None) -> tuple[str, ...]:
        """Return the questions of the examples that a model is shown."""
        return tuple(each.question for each in self.examples.near("shop", question, schema or self.schema))


@pytest.fixture(name="kitchen")
def _kitchen(tmp_path: Path) -> Iterator[Kitchen]:
    kitchen = Kitchen(tmp_path)
    yield kitchen
    kitchen.database.close()
    kitchen.catalog.close()


def test_what_is_near_is_found(kitchen: Kitchen) -> None:
    """The nearest examples come with their SQL; others do not come."""
    kitchen.store.keep([OPEN, NAMES])

    found = kitchen.examples.near("shop", "how many orders were open", kitchen.schema)

    assert (Example(OPEN.question, OPEN.sql),) == found
    assert () == kitchen.examples.near("shop", "Who is the oldest customer?", kitchen.schema)


def test_what_means_the_same_is_found(kitchen: Kitchen) -> None:
    """Where a model makes vectors, they decide which examples are near, and words do until they are there."""
    kitchen.store.keep([OPEN, NAMES])
    vectors = Vectors("letters", lambda texts: [counted(text) for text in texts], kitchen.store, 20.0)
    kitchen.examples = Examples(kitchen.store, kitchen.catalog, weigh, vectors.nearest)

    assert (NAMES.question,) == kitchen.near("list the regions by name")
    until(lambda: len(kitchen.store.vectors("letters")) == 2)
    assert NAMES.question == kitchen.near("Lasit lebl rogines yb mean")[0]


def test_every_try_sees_two_others(kitchen: Kitchen) -> None:
    """However many are alike, a model sees two with each statement that it writes, and never the same ones."""
    kitchen.store.keep([replace(OPEN, question=f"How many orders are open {way}?") for way in WAYS])
    near = kitchen.examples.near("shop", "how many orders are open", kitchen.schema)
    question = Question("how many orders are open", date(2026, 3, 15), known=Known(examples=near))
    task = sql_task(question, kitchen.schema)
    seen = [
        [line for line in asked(task, number=number).splitlines() if line.startswith("Example: ")]
        for number in range(4)
    ]

    assert [2, 2, 2, 0] == [len(lines) for lines in seen]
    assert 6 == len(near) == len({line for lines in seen for line in lines})


def test_another_process_s_look_counts(kitchen: Kitchen) -> None:
    """What another one found out about an example holds at once."""
    kitchen.store.keep([OPEN])
    assert (OPEN.question,) == kitchen.near("how many orders are open")
    with closing(home_database(kitchen.folder)) as theirs:
        other = ExampleStore(theirs, kitchen.clock)
        other.mark(OPEN, "no such column")
        assert () == kitchen.near("how many orders are open")
        other.mark(OPEN, "")
    assert (OPEN.question,) == kitchen.near("how many orders are open")


def test_a_new_example_is_found_at_once(kitchen: Kitchen) -> None:
    """The index is made again for what this process keeps, for what another one keeps, and for what is removed."""
    assert () == kitchen.near("how many orders are open")
    kitchen.store.keep([OPEN])
    assert (OPEN.question,) == kitchen.near("how many orders are open")
    with closing(home_database(kitchen.folder)) as theirs:
        other = ExampleStore(theirs, kitchen.clock)
        other.remove(OPEN.id)
        assert () == kitchen.near("how many orders are open")
        other.keep([PAID])
    assert (PAID.question,) == kitchen.near("how many orders are paid")


def test_examples_of_other_places_are_left_out(kitchen: Kitchen) -> None:
    """Neither another connection's nor another schema's examples are shown, nor those over tables not chosen."""
    elsewhere = replace(OPEN, connection="archive")
    kitchen.store.keep([elsewhere, replace(OPEN, schema="attic"), OPEN])

    assert (OPEN.question,) == kitchen.near("how many orders are open")
    assert () == kitchen.near("how many orders are open", kitchen.schema.only(("customers", "regions")))


@pytest.mark.parametrize("sql", ["DELETE FROM orders", "SELECT 1; DROP TABLE orders", "SELECT * FROM sqlite_master"])
def test_what_the_guard_refuses_is_never_shown(kitchen: Kitchen, sql: str) -> None:
    """However it came into the file, SQL that may not run is shown to no model."""
    kitchen.store.keep([replace(OPEN, sql=sql)])

    assert () == kitchen.near("how many orders are open")


def test_an_example_that_stops_running_is_flagged(kitchen: Kitchen) -> None:
    """Once its column is gone it is shown no more; once the column is back, and somebody looked, it is again."""
    kitchen.store.keep([OPEN])
    assert (OPEN.question,) == kitchen.near("how many orders are open")
    _alter(kitchen, "ALTER TABLE orders RENAME COLUMN status TO state")
    kitchen.clock.now += timedelta(hours=2)
    assert "status" in kitchen.examples.verify(OPEN).problem
    _alter(kitchen, "ALTER TABLE orders RENAME COLUMN state TO status")
    assert () == kitchen.near("how many orders are open")
    assert "" == kitchen.examples.verify(kitchen.store.every()[0]).problem
    assert (OPEN.question,) == kitchen.near("how many orders are open")


def test_a_database_that_is_away_flags_nothing(kitchen: Kitchen) -> None:
    """Whether an example runs is not known then."""
    kitchen.store.keep([OPEN])
    (kitchen.folder / "shop.sqlite").rename(kitchen.folder / "away")
    kitchen.catalog.refresh("shop")
    with pytest.raises(JobFailed):
        kitchen.examples.verify(OPEN)
    assert [(None, "")] == [(each.checked, each.problem) for each in kitchen.store.every()]


def test_examples_are_kept_all_or_none(kitchen: Kitchen) -> None:
    """Where one of several cannot be kept, none is."""
    with pytest.raises(IntegrityError):
        kitchen.store.keep([OPEN, replace(PAID, sql=None)])  # type: ignore[arg-type]

    assert [] == kitchen.store.every()


_KILLED = """
import os, sys
from pathlib import Path
from router.knowledge.example_store import ExampleStore
from router.knowledge.example_store import KeptExample
from tests.support.talk import Clock
from tests.support.writing_scene import until
from router.storage.database import home_database
from tests.router.text_to_sql.scripted import sql_task

class Dying(Clock):
    def __call__(self):
        if self.left == 0:
            os.kill(os.getpid(), 9)
        self.left -= 1
        return super().__call__()

clock = Dying()
store = ExampleStore(home_database(Path(sys.argv[1])), clock)
clock.left = 1
store.keep([KeptExample("shop", "main", "Kept before the kill?", "SELECT 1")])
clock.left = 5
store.keep([KeptExample("shop", "main", f"Question {n}?", "SELECT 1") for n in range(9)])
"""


@pytest.mark.thorough
def test_a_kill_leaves_nothing_half_done(tmp_path: Path) -> None:
    """What was kept before the process died is there; of what it was keeping, nothing is, and another can go on."""
    ended = subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path)], check=False)

    assert -9 == ended.returncode
    with closing(home_database(tmp_path)) as database:
        store = ExampleStore(database, Clock())
        assert ["Kept before the kill?"] == [each.question for each in store.every()]
        store.keep([OPEN])
        assert 2 == len(store.every())


def _alter(kitchen: Kitchen, statement: str) -> None:
    with closing(sqlite3.connect(kitchen.folder / "shop.sqlite")) as shop:
        shop.execute(statement)
        shop.commit()
