"""The e-mail job, by real mail servers and from a real result store."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from router.errors import JobFailed, NotAllowed, Stopped, Unsure
from router.jobs.approval import job_digest
from router.jobs.audit import Audit
from router.jobs.mail.mailer import Mailer
from router.jobs.progress import Outcome
from router.jobs.results.store import Results
from router.jobs.send_email import SendEmail, send_email
from tests.router.jobs.conftest import Clock, Keep
from tests.support.mail_servers import SENDER, PostOffice, post_office

JOB = SendEmail(
    connection="sales",
    recipients=("ana@example.com", "bob@example.com"),
    subject="Umsätze",
    body="Here they are.",
    form="table",
    result="",
    sender=SENDER,
    name="Revenue",
    asker="slack:U1",
    approver="slack:U2",
    asker_name="Ana Example",
    asker_address="ana@example.com",
    question="What was the revenue?",
    source="Sales",
    sql="SELECT 1",
    thread="slack/T/C/1",
)
NOW = datetime(2026, 11, 22, 6, 5, tzinfo=UTC)


def approved(job: SendEmail, **changes: Any) -> SendEmail:
    """Return the job with an approval that fits."""
    changed = replace(job, **changes)
    return replace(changed, approval=job_digest(changed))


@pytest.fixture
def post() -> Iterator[PostOffice]:
    with post_office() as post:
        yield post


Send = Callable[..., Outcome]


@pytest.fixture
def send(post: PostOffice, results: Results, tmp_path: Path) -> Send:
    """Send a job under the number S-1; the rules of sending may be given."""
    audit = Audit(tmp_path / "audit.jsonl", lambda: NOW)

    def send(job: SendEmail, progress: Callable[[str], None] = lambda text: None, **rules: Any) -> Outcome:
        # Impatient only if the server is silent: a busy machine takes its time to accept a large e-mail.
        mailer = Mailer(post.mail_config(**rules), 5, 0.5) if post.waits else Mailer(post.mail_config(**rules), 60, 60)
        return send_email(
            job,
            id="S-1",
            mailer=mailer,
            results=results,
            audit=audit,
            progress=progress,
            sending=lambda: None,
            now=lambda: NOW,
        )

    return send


def trail(folder: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
    return [{name: line.get(name) for name in ("event", "outcome", "error", "rows", "target", "job")} for line in lines]


def attached(message: EmailMessage) -> tuple[str | None, bytes]:
    (found,) = message.iter_attachments()
    content = found.get_payload(decode=True)
    assert isinstance(content, bytes)
    return found.get_filename(), content


def test_rows_in_the_e_mail(send: Send, post: PostOffice, keep: Keep, tmp_path: Path) -> None:
    """All get the same; an answer goes to who asked; the number is that of the job; the trail tells of it."""
    done = send(approved(JOB, result=keep([("North", 1), ("South", 2)], "store", "revenue").id))
    message = post.read()
    assert ["ana@example.com", "bob@example.com"] == post.letters[0][0] == done.said["recipients"]
    assert 2 == done.rows
    assert len(post.letters[0][1]) == done.said["bytes"]
    assert ("Umsätze", '"Reports" <reports@example.com>', "<S-1@example.com>", "auto-generated") == (
        message["Subject"],
        message["From"].replace("Reports <", '"Reports" <'),
        message["Message-ID"],
        message["Auto-Submitted"],
    )
    assert ("Ana Example <ana@example.com>", NOW) == (message["Reply-To"], message["Date"].datetime)
    body = message.get_body(("plain",))
    assert body is not None
    assert "North            1" in body.get_content()
    target = "ana@example.com, bob@example.com (table)"
    assert [
        {"event": "started", "outcome": None, "error": None, "rows": None, "target": target, "job": "S-1"},
        {"event": "finished", "outcome": "done", "error": None, "rows": 2, "target": target, "job": "S-1"},
    ] == trail(tmp_path)


def test_rows_as_csv_run_nothing(send: Send, post: PostOffice, keep: Keep) -> None:
    """A cell that a spreadsheet would run is a text in the file that arrives; all rows are in it."""
    rows = [("=cmd|' /C calc'!A0", "+1"), ("@SUM(1)", "-2"), *[(f"row {number}", "x") for number in range(98)]]
    send(approved(JOB, form="csv", result=keep(rows, "=a", "b").id))
    name, content = attached(post.read())
    read = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert "Revenue 2026-11-22.csv" == name
    assert [["'=a", "b"], ["'=cmd|' /C calc'!A0", "'+1"], ["'@SUM(1)", "'-2"]] == read[:3]
    assert 101 == len(read)
    body = post.read().get_body(("plain",))
    assert body is not None
    assert "Shown: the first 10 of 100 rows. All of it is in the attached file." in body.get_content()


def test_rows_as_excel_run_nothing(send: Send, post: PostOffice, keep: Keep) -> None:
    """A cell that looks like a formula is a text there."""
    send(approved(JOB, form="xlsx", result=keep([("=cmd|' /C calc'!A0", 5)], "a", "b").id))
    name, content = attached(post.read())
    page = load_workbook(io.BytesIO(content)).active
    assert page is not None
    assert "Revenue 2026-11-22.xlsx" == name
    assert [("=cmd|' /C calc'!A0", "s"), (5, "n")] == [(cell.value, cell.data_type) for cell in list(page.rows)[1]]


@pytest.mark.parametrize(
    "field", [each.name for each in fields(SendEmail) if each.name not in ("approver", "approval")]
)
def test_an_approval_is_for_every_word_of_it(
    field: str, send: Send, post: PostOffice, keep: Keep, tmp_path: Path
) -> None:
    """Whatever is changed after it, nothing is sent, and the trail tells."""
    job = approved(JOB, result=keep([("x",)]).id)
    others: dict[str, Any] = {"recipients": ("eve@example.com",), "form": "csv", "sort": (1, "down")}
    with pytest.raises(NotAllowed, match="given for another e-mail, so nothing was sent"):
        send(replace(job, **{field: others.get(field, "another")}))
    assert [] == post.steps
    assert ["refused"] == [entry["event"] for entry in trail(tmp_path)]


@pytest.mark.parametrize(
    ("changes", "rules", "expected"),
    [
        ({"recipients": ("eve@example.org",)}, {}, "so not eve@example.org"),
        ({"recipients": ("eve@example.org\r\nRCPT TO:<x@y.z>",)}, {}, "is no e-mail address"),
        ({"recipients": ("eve@example.org\r\nRCPT TO:<x@y.z>",)}, {"domains": None}, "is no e-mail address"),
        ({}, {"most": 1}, "at most 1 people"),
        ({"subject": "Rows\r\nBcc: eve@example.org"}, {}, "Write it in one line. Nothing was sent."),
        ({"subject": ""}, {}, "needs a subject. Nothing was sent."),
        ({"sender": "old@example.com"}, {}, "sends from another address now"),
    ],
)
def test_the_rules_hold_when_it_is_sent(
    changes: dict[str, Any], rules: dict[str, Any], expected: str, send: Send, post: PostOffice, keep: Keep
) -> None:
    """Whatever was approved: the settings may have changed since, and what is stored may have been forged."""
    with pytest.raises((NotAllowed, JobFailed), match=expected):
        send(approved(JOB, result=keep([("x",)]).id, **changes), **rules)
    assert [] == post.steps


def test_a_result_that_is_gone(send: Send, post: PostOffice, keep: Keep, clock: Clock) -> None:
    """Nothing is sent, and what to do is said."""
    job = approved(JOB, result=keep([("x",)]).id)
    clock.now += timedelta(days=8)
    with pytest.raises(JobFailed, match="Press Run to read it again"):
        send(job)
    assert [] == post.steps


@pytest.mark.thorough
def test_a_file_of_30_mb_is_refused_with_advice(send: Send, post: PostOffice, keep: Keep) -> None:
    """Before the server is called; the rows stay, and as Excel, which the advice names, they go."""
    large = keep([("x" * 30_000 + str(number),) for number in range(1000)])
    with pytest.raises(JobFailed, match=r"would have 41\.1 MB, and at most 10\.0 MB may be sent\. Nothing was sent\."):
        send(approved(JOB, form="csv", result=large.id))
    assert [] == post.steps
    send(approved(JOB, form="xlsx", result=large.id))
    assert 1 == len(post.letters)


@pytest.mark.parametrize(
    ("mood", "error", "outcome"),
    [
        ({"says": {"RCPT": "550 5.1.1 Who?"}}, JobFailed, "failed"),
        ({"dies": "MAIL"}, JobFailed, "failed"),
        ({"dies": "END"}, Unsure, "unsure"),
        ({"waits": "BODY"}, Unsure, "unsure"),
    ],
)
def test_the_trail_tells_how_it_ended(
    mood: dict[str, Any], error: type[Exception], outcome: str, send: Send, post: PostOffice, keep: Keep, tmp_path: Path
) -> None:
    """In the words that the person reads."""
    for name, value in mood.items():
        setattr(post, name, value)
    with pytest.raises(error) as failed:
        send(approved(JOB, result=keep([("x",)]).id))
    assert (outcome, str(failed.value)) == (trail(tmp_path)[-1]["outcome"], trail(tmp_path)[-1]["error"])


def test_it_can_be_stopped_while_the_file_is_written(send: Send, post: PostOffice, keep: Keep, tmp_path: Path) -> None:
    """Nobody gets anything."""

    def stop(doing: str) -> None:
        raise Stopped("Stopped, as you asked.")

    with pytest.raises(Stopped):
        send(approved(JOB, form="xlsx", result=keep([("x",)]).id), progress=stop)
    assert ([], "stopped") == (post.steps, trail(tmp_path)[-1]["outcome"])
