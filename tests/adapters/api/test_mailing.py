"""E-mailing through the API, to a real mail server."""

from pathlib import Path
from typing import Any

import pytest

from tests.adapters.api.house import GUARDED, House, Program, house


def letter(result: str, **more: Any) -> dict[str, Any]:
    return {"result": result, "recipients": ["bob@example.com"], "subject": "Regions", "format": "csv", **more}


def test_rows_are_sent(api: House, ana: Program) -> None:
    """The e-mail is there, from the bot, with the rows as a file, and with the name of whom answers go to."""
    asked = letter(ana.reading(), recipients=["Bob <bob@example.com>", "me"], body="As agreed.\x00\x1b\r\n.\r\nQUIT")
    job = ana.done(ana.post("/v1/jobs/email", asked))

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
    ("asked", "field", "words"),
    [
        ({"recipients": ["nobody"]}, "recipients", '"nobody" is no e-mail address'),
        ({"recipients": ["eve@evil.example"]}, "recipients", "E-mails go to addresses at example.com only"),
        ({"recipients": ["bob@example.com\r\nBcc: eve@evil.example"]}, "recipients", "is no e-mail address"),
        ({"subject": "Regions\r\nBcc: eve@evil.example"}, "subject", "The subject holds a line break"),
        ({"subject": "  "}, "subject", "The e-mail needs a subject."),
    ],
)
def test_what_is_not_sent(api: House, ana: Program, asked: dict[str, Any], field: str, words: str) -> None:
    """The rules of all e-mails of the bot hold, and the answer names the field."""
    status, problem = ana.post("/v1/jobs/email", letter(ana.reading(), **asked))

    assert 422 == status
    assert [field] == [error["field"] for error in problem["errors"]]
    assert words in problem["errors"][0]["sentence"]
    assert [] == api.post.letters


def test_an_e_mail_that_may_have_gone_out(api: House, ana: Program) -> None:
    """It is unsure, and asking again under the same key sends nothing."""
    api.post.be("END", "")
    asked = letter(ana.reading())
    job = ana.done(ana.post("/v1/jobs/email", asked, key="once"))
    assert "unsure" == job["state"]

    status, again = ana.post("/v1/jobs/email", asked, key="once")

    assert (200, job["id"], "unsure") == (status, again["id"], again["state"])
    assert 1 == len(api.post.letters)


def test_who_may_not_send(api: House) -> None:
    """Rows of a connection leave with the Yes of those who approve for it, and of nobody else."""
    bob = api.client("bob@example.com", "read,email,admin")
    result = bob.reading(connection=GUARDED)
    admin = api.client("ana@example.com", "email,admin")

    assert 403 == admin.post("/v1/jobs/email", letter(result))[0]
    assert "done" == bob.done(bob.post("/v1/jobs/email", letter(result)))["state"]


def test_there_is_no_mail_server(tmp_path: Path) -> None:
    """Then nothing can be sent, and the sentence says what to set."""
    with house(tmp_path, SMTP_URL="", EMAIL_FROM="") as api:
        ana = api.client()
        status, problem = ana.post("/v1/jobs/email", letter(ana.reading()))

    assert (403, True) == (status, problem["detail"].endswith("Whoever runs it can set SMTP_URL."))
