"""Writing asks the rights of reading: of an own token, of a bot that acts for people, and once more by the worker."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from router.jobs.approval import job_digest
from router.jobs.payloads import WRITE_DATA
from router.jobs.write_data import Columns, WriteData
from router.sql.writing.order import Mode, ResultField
from tests.adapters.api.api_server import SHOP, ApiServer, Json, Program, api_server
from tests.support.rows import check_rows

NARROW, UNREAD = 20, 21
BLOCKS = """
[connections.narrow]
id = 20
url = "sqlite:///narrow.sqlite"
write_url = "sqlite:///narrow.sqlite"
tables = ["people", "must", "new_*"]
columns_hidden = ["people.ssn", "must.pin"]
writers = ["ana@example.com"]

[connections.unread]
id = 21
url = "sqlite:///narrow.sqlite"
write_url = "sqlite:///narrow.sqlite"
readers = ["bob@example.com"]
writers = ["ana@example.com"]
"""
SCRIPT = """
CREATE TABLE people (name TEXT, town TEXT, ssn TEXT UNIQUE);
INSERT INTO people VALUES ('Zaphod', 'Hall', '42');
CREATE TABLE must (name TEXT, pin TEXT NOT NULL);
CREATE TABLE salaries (name TEXT UNIQUE);
INSERT INTO salaries VALUES ('Ford');
"""
SOURCE = "SELECT name, name AS town, name AS secret FROM regions"


@pytest.fixture(name="api", scope="module")
def _api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServer]:
    folder = tmp_path_factory.mktemp("rights")
    with closing(sqlite3.connect(folder / "narrow.sqlite")) as database:
        database.executescript(SCRIPT)
    with api_server(folder, BLOCKS) as served:
        yield served


@pytest.fixture(name="ana", scope="module")
def _ana(api: ApiServer) -> Program:
    return api.client()


def content(folder: Path) -> dict[str, list[Any]]:
    """Return all that is in the tables."""
    with closing(sqlite3.connect(folder / "narrow.sqlite")) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}


def pairs(*targets: str) -> list[Json]:
    """Return columns of the source, each with the one that it goes into."""
    return [{"source": name, "target": target} for name, target in zip(("name", "town"), targets, strict=False)]


def test_what_may_not_be_read_is_not_written(api: ApiServer, ana: Program) -> None:
    """No table outside, there or not, in the same words."""
    result, before = ana.reading(SOURCE, SHOP), content(api.folder)

    def said(status: int, **more: Any) -> str:
        order = {"result": result, "connection": NARROW, "columns": pairs("name")} | more
        found, problem = ana.ask("write", order)
        assert found == status, problem
        assert content(api.folder) == before
        assert not {"ssn", "pin", "Ford", "42"} & set(
            str(problem).replace(order["columns"][0]["target"], "").split('"')
        )
        return f"{problem['detail']} {problem.get('errors')}"

    outside = {
        said(403, table=table, mode=mode, confirm=table).replace(table, "")
        for table in ("salaries", "nothing", "SALARIES")
        for mode in ("create", "append", "truncate", "drop")
    }
    assert len(outside) == 1, outside
    assert "Rows may not be written into a table" in outside.pop()
    assert "There is no connection number 21" in said(404, connection=UNREAD, table="people", mode="append")


def test_what_may_be_read_is_written(api: ApiServer, ana: Program) -> None:
    """A new table whose name may be read, and rows for the columns that may."""
    result = ana.reading("SELECT name FROM regions ORDER BY name", SHOP)
    order = {"result": result, "connection": NARROW}

    assert "done" == ana.done(ana.ask("write", order | {"table": "new_one", "mode": "create"}))["state"]
    assert "done" == ana.done(ana.ask("write", order | {"table": "people", "mode": "append"}))["state"]
    assert ("South", None, None) in content(api.folder)["people"]


def test_a_job_that_was_made_before_is_judged_again(api: ApiServer, ana: Program) -> None:
    """The worker and its order ask once more, with the table as it is then; what is hidden is not deleted either."""
    job = ana.reading(SOURCE, SHOP)
    result = api.bot.services.jobs.ledger.get(job).outcome["result"]["id"]
    before = content(api.folder)

    def fails(table: str, mode: Mode, target: str, words: str, schema: str = "main") -> None:
        columns: Columns = ((0, ResultField(target, "text")),)
        person = "api:ana@example.com"
        made = WriteData("narrow", schema, table, mode, columns, result, table, person, person, "")
        made = replace(made, approval=job_digest(made))
        done = api.bot.services.jobs.run(
            WRITE_DATA.request(made, f"{table} {mode} {target}"), lambda entry, doing: None
        )
        assert words in done.error, done
        assert content(api.folder) == before

    check_rows(
        [
            ("salaries", "append", "name", "Rows may not be written into a table"),
            ("salaries", "drop", "name", "Rows may not be written into a table"),
            ("people", "append", "ssn", '"people" takes no column "ssn" (any more)'),
            ("people", "append", "nosuch", '"people" takes no column "nosuch" (any more)'),
            ("people", "drop", "name", '"people" in the schema "main" holds more than may be read here'),
            ("people", "truncate", "name", '"people" in the schema "main" holds more than may be read here'),
            ("must", "append", "name", '"must" takes no rows from here'),
            ("people", "append", "name", "Rows may not be written into the schema", "temp"),
        ],
        fails,
    )
