"""What is repeated where machines sleep, databases fail for a moment, and rows cannot be read."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from threading import Event

import pytest

from router.errors import JobFailed, NotAllowed
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.notifier import Announcement
from router.schedules.schedule import Schedule, ScheduleState
from tests.router.schedules.test_repeating import HOUR, due, repeated, schedules_of
from tests.support.talk import ANA, Heard, Talk

MINUTES = timedelta(minutes=2)


class Slow(Heard):
    """Takes until `go` to say who somebody is, or to take the first news; `always`: also who others are."""

    def __init__(self, *, telling: bool = False, always: bool = False) -> None:
        super().__init__()
        self.telling, self.always, self.inside, self.go = telling, always, Event(), Event()

    def known(self, key: ThreadKey, user: User) -> User:
        """Return the person."""
        self._wait(not self.telling)
        return super().known(key, user)

    def tell(self, news: Announcement) -> None:
        """Take news."""
        self._wait(self.telling)
        super().tell(news)

    def _wait(self, here: bool) -> None:
        if here and (self.always or not self.inside.is_set()):
            self.inside.set()
            assert self.go.wait(60)


@pytest.mark.parametrize("telling", [False, True], ids=["reading", "telling"])
def test_a_machine_that_sleeps(talk: Talk, telling: bool) -> None:
    """What runs is not begun again if no sign of life was given for long, and is told once."""
    repeated(talk)
    talk.clock.now += HOUR
    slow = Slow(telling=telling)
    talk.timer.serve("test", slow)
    (run,) = talk.timer.look()
    assert slow.inside.wait(60)
    talk.clock.now += MINUTES
    again = talk.timer.look()
    slow.go.set()
    run.result()
    assert [] == again
    assert 1 == len(slow.news)
    assert "Shown, with 2 rows." == schedules_of(talk).get("T-1").outcome


def test_each_holds_it_by_a_name_of_its_own(talk: Talk) -> None:
    """Whatever runs on after another run took over cannot note what is not its own any more."""
    repeated(talk)
    schedules, holders = schedules_of(talk), []

    class Looking(Heard):
        def known(self, key: ThreadKey, user: User) -> User:
            holders.append(schedules.get("T-1").holder)
            return user

    talk.timer.serve("test", Looking())
    due(talk)
    due(talk)
    assert 2 == len(set(holders))


@pytest.mark.parametrize("phase", ["reading", "telling", ""])
def test_a_database_that_fails_for_a_moment(talk: Talk, phase: str) -> None:
    """What cannot be noted is no failure: nobody is told of one, and it is taken up at the next look."""
    repeated(talk)
    talk.notifier.seen = True
    change(
        talk,
        f"CREATE TRIGGER full BEFORE UPDATE OF phase ON schedules WHEN NEW.phase = '{phase}' "
        "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    )
    assert not any("again" in text for text in due(talk))
    change(talk, "DROP TRIGGER full")
    talk.due()
    assert 1 == len(talk.notifier.news)
    assert ("Shown, with 2 rows.", 0, "") == told_of(schedules_of(talk).get("T-1"))


def change(talk: Talk, statement: str, *values: str) -> None:
    """Change the list of schedules as nobody should."""
    with closing(sqlite3.connect(talk.folder / "icc-bot.sqlite")) as file, file:
        file.execute(statement, values)


def told_of(schedule: Schedule) -> tuple[str, int, str]:
    """Return what came of a schedule's last run, how often it failed, and who holds it."""
    return schedule.outcome, schedule.failures, schedule.holder


@pytest.mark.parametrize(
    "broken",
    [
        "plan = replace(plan, '\"always\"', '\"weekly\"')",
        "plan = replace(plan, '\"UTC\"', '\"Nowhere/City\"')",
        "plan = replace(plan, '\"00:00\"', '\"at times\"')",
        "plan = 'null'",
    ],
)
def test_a_row_that_cannot_be_read(talk: Talk, broken: str, caplog: pytest.LogCaptureFixture) -> None:
    """It is paused and logged, once, and everything else that is due runs."""
    schedule = repeated(talk)
    bad = schedules_of(talk).add(replace(schedule.plan, key="another"))
    change(talk, f"UPDATE schedules SET {broken} WHERE id = ?", bad.id)
    assert 1 == len(due(talk))
    assert 1 == len(due(talk))
    assert 1 == sum(bad.id in record.message for record in caplog.records)
    assert [schedule.id] == [each.id for each in schedules_of(talk).of(ANA.id)]
    with pytest.raises(JobFailed, match="schedule"):
        schedules_of(talk).get(bad.id)
    assert schedules_of(talk).next_due("test") == schedules_of(talk).get(schedule.id).due


def test_two_starts_at_once(talk: Talk) -> None:
    """Of two that begin where one place is left, the second is refused."""
    schedule = repeated(talk)
    schedules_of(talk).most = 2
    schedules_of(talk).require_room(ANA.id)
    schedules_of(talk).add(replace(schedule.plan, key="a"))
    with pytest.raises(NotAllowed, match="Nobody may have more than 2 queries repeated"):
        schedules_of(talk).add(replace(schedule.plan, key="b"))
    assert 2 == len(schedules_of(talk).of(ANA.id))


def test_what_was_stopped_is_forgotten(talk: Talk) -> None:
    """After so many days, and not before; what runs stays."""
    schedule = repeated(talk)
    stopped = schedules_of(talk).add(replace(schedule.plan, key="another"))
    schedules_of(talk).stop(stopped.id)
    talk.clock.now += timedelta(days=6)
    schedules_of(talk).expire(timedelta(days=7))
    assert ScheduleState.STOPPED == schedules_of(talk).get(stopped.id).standing
    talk.clock.now += timedelta(days=2)
    schedules_of(talk).expire(timedelta(days=7))
    with pytest.raises(JobFailed, match="There is no schedule"):
        schedules_of(talk).get(stopped.id)
    assert ScheduleState.RUNS == schedules_of(talk).get(schedule.id).standing
