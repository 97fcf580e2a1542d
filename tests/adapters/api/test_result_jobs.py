"""Rows written into a real table, and e-mailed through a real mail server: once, or with a sentence where not."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.api.api_server import BACKUP, GUARDED, SHOP, ApiServer, Program, api_server

PLACES = "SELECT name, 'here' AS country FROM regions ORDER BY name"


def table(api: ApiServer, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(api.folder / "backup.sqlite")) as database:
        return database.execute(sql).fetchall()


def order(result: str, **more: Any) -> dict[str, Any]:
    return {"result": result, "connection": BACKUP, "table": "archive", "mode": "create"} | more


def test_a_table_is_made(api: ApiServer, ana: Program) -> None:
    """The rows of a reading are in it, and the trail says who asked, who approved, and that it came by the API."""
    job = ana.done(ana.ask("write", order(ana.reading(PLACES), name="night\x1bly")))

    assert ("write", "done", 2, "night\ufffdly", "archive", "create", BACKUP) == tuple(
        job[name] for name in ("kind", "state", "rows", "name", "table", "mode", "connection")
    )
    assert [("North", "here"), ("South", "here")] == table(api, "SELECT * FROM archive")
    (approved,) = [line for line in api.trail().splitlines() if '"approved"' in line and "archive" in line]
    assert '"thread": "api//' in approved
    assert '"who": "api:ana@example.com", "approver": "api:ana@example.com"' in approved


@pytest.mark.parametrize("mode", ["truncate", "drop"])
def test_rows_are_deleted_by_name_only(api: ApiServer, ana: Program, mode: str) -> None:
    """A mode that deletes rows needs the table's name once more."""
    result = ana.reading(PLACES)
    for confirm in ({}, {"confirm": "archive"}):
        status, problem = ana.ask("write", order(result, table="places", mode=mode, **confirm))
        assert (422, True) == (status, "`confirm` must be the table's name" in problem["detail"])
    assert [("Hall", "Austria")] == table(api, "SELECT * FROM places")

    job = ana.done(ana.ask("write", order(result, table="places", mode=mode, confirm="Places")))

    assert "done" == job["state"], job
    assert [("North", "here"), ("South", "here")] == table(api, "SELECT * FROM places")


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ({"schema": "elsewhere"}, 403, 'no schema "elsewhere"'),
        ({"connection": 77}, 404, "There is no connection number 77 that you may use (any more)."),
        ({"connection": SHOP}, 403, "Shop is read-only for everybody."),
        ({"connection": GUARDED}, 403, "Nothing was begun. Ask in a talk with the bot"),
        ({"result": "R-22222222"}, 404, "There is no job R-22222222."),
        ({"columns": [{"source": "nothing", "target": "name"}]}, 422, 'The result has not one column "nothing".'),
        ({"table": "places", "mode": "append", "columns": None}, 422, "No column of places has the name of the column"),
    ],
)
def test_what_cannot_be_written(ana: Program, asked: dict[str, Any], status: int, words: str) -> None:
    """It is refused before anything is begun."""
    found, problem = ana.ask("write", order(ana.reading("SELECT id, name FROM regions")) | asked)

    assert status == found
    assert words in problem["detail"]
    assert ["read"] == [job["kind"] for job in ana.get("/v1/jobs")[1]["jobs"]]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"table": "places"}, "places"),
        ({"table": "towns", "mode": "append", "columns": [{"source": "name", "target": "name"}]}, "towns"),
        ({"mode": "append"}, "archive"),
        ({"table": "sqlite_x"}, "SQLite keeps names"),
        ({"table": "icc_bot_jobs"}, "The bot keeps names that begin with"),
        ({"table": "a\x00b"}, ""),
        ({"table": " "}, "A table needs a name"),
        ({"columns": [{"source": "name", "target": "a\x00b"}]}, ""),
        ({"table": "places", "mode": "append", "columns": [{"source": "name", "target": "nothing"}]}, "nothing"),
        ({"table": "places", "mode": "append", "columns": [{"source": "name", "target": "country"}]}, "name"),
        (
            {"columns": [{"source": "name", "target": "name"}, {"source": "country", "target": "name"}]},
            "name",
        ),
    ],
)
def test_what_fails_while_it_is_written(api: ApiServer, ana: Program, asked: dict[str, Any], words: str) -> None:
    """What the table does not take ends as a job that failed, with a sentence, and the tables are as they were."""
    before = table(api, "SELECT name, sql FROM sqlite_master"), table(api, "SELECT * FROM places")
    job = ana.done(ana.ask("write", order(ana.reading(PLACES)) | asked))

    assert "failed" == job["state"]
    assert words in job["error"]
    assert "othing was written" in job["error"]
    assert before == (table(api, "SELECT name, sql FROM sqlite_master"), table(api, "SELECT * FROM places"))


def test_somebody_who_may_not_write(api: ApiServer) -> None:
    """The writers of a connection write, through the API as anywhere."""
    bob = api.client("bob@example.com")
    for asked in ({}, {"table": "places", "mode": "append"}):
        status, problem = bob.ask("write", order(bob.reading(PLACES), **asked))

        assert 403 == status
        assert problem["detail"].startswith("You can't write to Backup.")


def letter(result: str, **more: Any) -> dict[str, Any]:
    return {"result": result, "recipients": ["bob@example.com"], "subject": "Regions", "format": "csv", **more}


def test_rows_are_sent(api: ApiServer, ana: Program) -> None:
    """The e-mail is there, from the bot, with the rows as a file, and with the name of whom answers go to."""
    asked = letter(ana.reading(), recipients=["Bob <bob@example.com>", "me"], body="As agreed.\x00\x1b\r\n.\r\nQUIT")
    job = ana.done(ana.ask("email", asked))

    assert ("email", "done", ["bob@example.com", "ana@example.com"], "csv") == tuple(
        job[name] for name in ("kind", "state", "recipients", "format")
    )
    ((recipients, _),) = api.post.letters
    assert ["bob@example.com", "ana@example.com"] == recipients
    read = api.post.read()
    assert ("Regions", "ana@example.com") == (read["Subject"], read["Reply-To"])
    (file,) = read.iter_attachments()
    assert b'\xef\xbb\xbf"name"\r\n"North"\r\n"South"\r\n' == file.get_payload(decode=True)


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ({"recipients": ["nobody"]}, 422, "I don't know “nobody”"),
        ({"recipients": ["eve@evil.example"]}, 403, "I can only mail addresses at example.com"),
        ({"recipients": ["bob@example.com\r\nBcc: eve@evil.example"]}, 422, "is no e-mail address"),
        ({"subject": "Regions\r\nBcc: eve@evil.example"}, 422, "The subject holds a line break"),
        ({"subject": "  "}, 422, "The e-mail needs a subject."),
    ],
)
def test_what_is_not_sent(api: ApiServer, ana: Program, asked: dict[str, Any], status: int, words: str) -> None:
    """The rules of all e-mails of the bot hold."""
    found, problem = ana.ask("email", letter(ana.reading(), **asked))

    assert (status, True) == (found, words in problem["detail"])
    assert [] == api.post.letters


def test_an_e_mail_that_may_have_gone_out(api: ApiServer, ana: Program) -> None:
    """It is unsure, and asking again under the same key sends nothing."""
    api.post.be("END", "")
    asked = letter(ana.reading())
    job = ana.done(ana.ask("email", asked, key="once"))
    assert "unsure" == job["state"]

    status, again = ana.ask("email", asked, key="once")

    assert (202, job["id"], "unsure") == (status, again["id"], again["state"])
    assert 1 == len(api.post.letters)


def test_who_may_not_send(api: ApiServer) -> None:
    """Rows of a connection leave with the Yes of those who approve for it, and of nobody else."""
    bob = api.client("bob@example.com", "read,email")
    result = bob.reading(connection=GUARDED)

    assert 404 == api.client("ana@example.com", "email").ask("email", letter(result))[0]
    assert "done" == bob.done(bob.ask("email", letter(result)))["state"]


def test_there_is_no_mail_server(tmp_path: Path) -> None:
    """Then nothing can be sent, and the sentence says what to set."""
    with api_server(tmp_path, SMTP_URL="", EMAIL_FROM="") as api:
        ana = api.client()
        status, problem = ana.ask("email", letter(ana.reading()))

    assert (403, True) == (status, problem["detail"].endswith("Your administrator can set SMTP_URL."))
