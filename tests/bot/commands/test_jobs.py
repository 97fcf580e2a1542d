"""`icc-bot jobs`, over a real ledger."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.command_line import run_command
from bot.commands.jobs import ledger_of
from router.jobs.job_entry import JobState, Request
from router.jobs.ledger import Ledger
from tests.support.bot_settings import settings_of

WRITE = Request(
    "one",
    "write_data",
    {"schema": "backup", "table": "customers", "mode": "append", "approval": "0123456789abcdef"},
    name="customers 2026-01-01",
    asker="slack:U1",
    approver="slack:U2",
    connection="warehouse",
)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with ledger_of(settings_of({"ICC_BOT_HOME": str(tmp_path / "home")})) as opened:
        yield opened


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = run_command(["jobs", *arguments])
    return status, capsys.readouterr().out


def test_jobs_are_listed(ledger: Ledger, capsys: pytest.CaptureFixture[str]) -> None:
    """All, or those in a state."""
    id = ledger.add(WRITE).id
    status, listed = said(capsys)
    assert 0 == status
    assert re.search(rf"{id} +write +queued .* slack:U1 +warehouse: backup.customers", listed)
    assert listed == said(capsys, "list")[1]
    assert "There are no such jobs.\n" == said(capsys, "list", "--state", "done")[1]


def test_a_job_is_tried_again(ledger: Ledger, capsys: pytest.CaptureFixture[str]) -> None:
    """One that failed is; one that is done is not."""
    id = ledger.add(WRITE).id
    assert ledger.claim(id, "holder")
    assert ledger.move(id, "holder", JobState.FAILED, error="The disk is full.")
    assert "The disk is full." in said(capsys, "show", id)[1]
    assert (0, f"{id} is queued: the bot does it in a moment, or at its next start.\n") == said(capsys, "retry", id)
    assert ledger.claim(id, "holder")
    assert ledger.move(id, "holder", JobState.DONE)
    status, why = said(capsys, "retry", id)
    assert 1 == status
    assert f"{id} is done; only what failed or was cancelled can be done again.\n" == why


def test_a_job_is_cancelled(ledger: Ledger, capsys: pytest.CaptureFixture[str]) -> None:
    """One that waits is over at once, one that runs as soon as its bot looks, one that is over stays as it is."""
    id = ledger.add(WRITE).id
    assert (0, f"{id} is cancelled.\n") == said(capsys, "cancel", id)
    assert (1, f"{id} is cancelled: there is nothing to cancel.\n") == said(capsys, "cancel", id)
    assert ledger.retry(id)
    assert ledger.claim(id, "holder")
    assert f"{id} is being ended" in said(capsys, "cancel", id)[1]


def test_what_may_have_gone_out_is_not_sent_again_by_mistake(
    ledger: Ledger, capsys: pytest.CaptureFixture[str]
) -> None:
    """An administrator has to say that it may go out twice."""
    id = ledger.add(replace(WRITE, kind="send_email", payload={"recipients": ["bob@example.com"]})).id
    ledger.claim(id, "a")
    ledger.move(id, "a", JobState.SENDING)
    ledger.move(id, "a", JobState.UNSURE)
    status, told = said(capsys, "retry", id)
    assert 1 == status
    assert "Look into the mailbox of bob@example.com" in told
    assert f"icc-bot jobs retry {id} --twice" in told
    assert 0 == said(capsys, "retry", id, "--twice")[0]
