"""`icc-bot jobs schedules` and `icc-bot jobs stop`, and the settings of what is repeated."""

import json
from pathlib import Path

import pytest

from bot.command_line import run_command
from bot.commands.jobs import schedules_of
from router.memory.draft import User
from router.memory.recurrence import Timing
from router.schedules.schedule import SchedulePlan, ScheduleState
from tests.support.bot_settings import settings_of

ANA = User("slack:U1", "Ana", "ana@example.com")
PLAN = SchedulePlan(
    key="one",
    owner=ANA,
    approver=ANA,
    thread="slack/T1/C1/1.2",
    shared=True,
    connection="shop",
    schema="",
    sql="SELECT 1",
    question="Revenue by region",
    timing=Timing("week", zone="Europe/Vienna"),
    to="thread",
    condition="changed",
)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = run_command(["jobs", *arguments])
    return status, capsys.readouterr().out


@pytest.fixture(name="id")
def _id(tmp_path: Path) -> str:
    with schedules_of(settings_of({"ICC_BOT_HOME": str(tmp_path / "home")})) as schedules:
        return schedules.add(PLAN).id


def test_what_is_repeated_is_listed(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Everybody's, or one person's."""
    status, listed = said(capsys, "schedules", "--asker", ANA.id)
    assert 0 == status
    for word in (id, "runs", "every Monday at 08:00", "(Europe/Vienna)", "slack:U1", "shop", "Revenue by region"):
        assert word in listed
    assert (0, "Nothing is repeated.\n") == said(capsys, "schedules", "--asker", "slack:U2")


def test_one_is_stopped(id: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """By its number, once; a number that there is none of is said."""
    assert (0, f"{id} is stopped: Revenue by region, every Monday at 08:00.\n") == said(capsys, "stop", id.lower())
    assert (1, f"{id} was stopped before.\n") == said(capsys, "stop", id)
    assert (1, "There is no schedule T-NONE.\n") == said(capsys, "stop", "T-NONE")
    assert (0, "Nothing is repeated.\n") == said(capsys, "schedules")
    with schedules_of(settings_of({"ICC_BOT_HOME": str(tmp_path / "home")})) as schedules:
        assert ScheduleState.STOPPED == schedules.get(id).standing
    (line,) = map(json.loads, (tmp_path / "home" / "audit.jsonl").read_text().splitlines())
    assert ("stopped", "operator", f"{id} every Monday at 08:00") == (line["event"], line["who"], line["target"])
