"""`icc-bot examples`, over a real shop."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from router.knowledge.example_store import ExampleStore, KeptExample
from router.storage.clock import now
from router.storage.database import home_database
from tests.support.in_process import run_here
from tests.support.shop import write_connections

OPEN = KeptExample(
    "shop", "main", "How many orders are open?", "SELECT COUNT(*) FROM orders WHERE status = 'open'", "slack:U1"
)
NAMES = replace(OPEN, question="Which regions are there? (été, 東)", sql="SELECT name FROM regions ORDER BY name")
LINE = {"connection": "shop", "schema": "main", "question": "Who?", "sql": "SELECT name FROM customers"}


class Place:
    """A folder with a shop, and the examples of a bot in it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "examples.jsonl"
        write_connections(folder, ["shop", "archive"])
        self.database = home_database(folder / "home")
        self.store = ExampleStore(self.database, now)

    def say(self, *arguments: str) -> CompletedProcess[str]:
        """Return what `icc-bot examples` says."""
        return run_here(self.folder, {"ICC_BOT_HOME": str(self.folder / "home")}, "examples", *arguments)

    def lines(self, *lines: object) -> None:
        """Write the file."""
        self.file.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines))


@pytest.fixture(name="place")
def _place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    yield place
    place.database.close()


def test_examples_are_listed_and_removed(place: Place) -> None:
    """With who kept them, and whether they run; without any, a sentence says so."""
    assert "There are no examples.\n" == place.say().stdout
    place.store.keep([OPEN, replace(NAMES, problem="no such table: regions")])

    said = place.say("list").stdout
    assert [True] * 4 == [words in said for words in (OPEN.id, "slack:U1", "shop.main", "does not run: no such table")]
    assert "There are no examples.\n" == place.say("list", "--connection", "archive").stdout
    assert f"Removed: {OPEN.question} ({OPEN.id}).\n" == place.say("remove", OPEN.id.lower()).stdout
    assert "1 example is in one.jsonl.\n" == place.say("export", "one.jsonl").stdout
    assert (1, True) == ((gone := place.say("remove", OPEN.id)).returncode, "There is no example" in gone.stderr)


def test_a_file_is_the_same_whenever_it_is_written(place: Place) -> None:
    """An export that is imported elsewhere is exported there byte by byte the same, one example a line."""
    place.store.keep([OPEN, NAMES])
    place.say("export", "first.jsonl")
    first = (place.folder / "first.jsonl").read_text(encoding="utf-8")
    for id in (OPEN.id, NAMES.id):
        place.store.remove(id)

    assert "2 examples are new, 0 replaced, 0 were there already.\n" == place.say("import", "first.jsonl").stdout
    assert "0 examples are new, 0 replaced, 2 were there already.\n" == place.say("import", "first.jsonl").stdout
    assert first == place.say("export", "-").stdout
    assert [OPEN.question, NAMES.question] == [json.loads(line)["question"] for line in first.splitlines()]
    assert NAMES.question in first


REFUSED = (
    ("{", "this is no JSON."),
    ([1], "an example: Input should be"),
    (LINE | {"sql": 5}, '"sql": Input should be a valid string.'),
    (LINE | {"by": 5}, '"by": Input should be a valid string.'),
    (LINE | {"at": "yesterday"}, '"at": Input should be a valid datetime'),
    (LINE | {"at": "2026-03-15T09:00:00"}, '"at": Input should have timezone info.'),
    (LINE | {"connection": "mars"}, 'there is no connection "mars".'),
    (LINE | {"schema": "mars"}, "no schema"),
    (LINE | {"sql": "DELETE FROM orders"}, "Only reading is possible here"),
    (LINE | {"sql": "SELECT * FROM planets"}, "planets"),
    (LINE | {"sql": "SELECT `a` FROM"}, "cannot be read as SQL of SQLite"),
    (LINE | {"question": "x" * 301}, "a question may have 300 characters"),
    (LINE, "there is the same question above."),
)


def test_a_file_is_taken_whole_or_not_at_all(place: Place) -> None:
    """Each line that is refused is told with its reason, and then nothing of the file is kept."""
    place.lines(LINE, *(line for line, _ in REFUSED), "", LINE | {"question": "Which?"})
    done = place.say("import", "examples.jsonl")

    assert 1 == done.returncode
    *told, last = done.stdout.splitlines()
    assert "Nothing was imported." == last
    assert len(REFUSED) == len(told)
    for number, (line, (_, reason)) in enumerate(zip(told, REFUSED, strict=True), 2):
        assert line.startswith(f"examples.jsonl, line {number}: ")
        assert reason in line
    assert [] == place.store.every()


def test_a_check_flags_what_does_not_run(place: Place) -> None:
    """An example that does not run is said, flagged, and told by the doctor; one that runs again loses its flag."""
    place.store.keep([OPEN, NAMES])
    assert (0, "2 of 2 examples run.\n") == ((sound := place.say("check")).returncode, sound.stdout)
    _alter(place, "ALTER TABLE orders RENAME COLUMN status TO state")

    done = place.say("check")
    assert 1 == done.returncode
    assert "1 of 2 examples run; 1 do not, and are shown to no model." in done.stdout
    assert [True, False] == [bool(each.problem) for each in place.store.every()]
    doctor = run_here(
        place.folder, {"ICC_BOT_HOME": str(place.folder / "home"), "OLLAMA_BASE_URL": "http://127.0.0.1:9"}, "doctor"
    )
    assert "1 of 2 do not run any more" in doctor.stdout
    _alter(place, "ALTER TABLE orders RENAME COLUMN state TO status")
    assert 0 == place.say("check").returncode
    (place.folder / "shop.sqlite").write_bytes(b"no database" * 100)
    away = place.say("check", "--connection", "shop")
    assert (1, 2) == (away.returncode, away.stdout.count("it cannot be told whether it runs"))


def _alter(place: Place, statement: str) -> None:
    with closing(sqlite3.connect(place.folder / "shop.sqlite")) as shop:
        shop.execute(statement)
        shop.commit()
