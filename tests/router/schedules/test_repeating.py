"""What is repeated: run once each time, with the rights and the rows of now, through kills and failures."""

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest

from adapters.rendering.plain_text import text_of
from router.catalog.connection import Channels, Connections
from router.errors import Unsure
from router.memory.draft import User
from router.memory.stage import Stage
from router.schedules.schedule import Schedule, ScheduleState
from router.schedules.scheduler import Scheduler
from router.schedules.store import Schedules
from router.storage.database import home_database
from tests.support.talk import ANA, BOB, KEY, Heard, Talk

SQL = "SELECT id, name FROM regions ORDER BY id"
HOUR = timedelta(hours=1)
CARLA = User("test:carla", "Carla", "carla@example.com")


def repeated(talk: Talk, words: str = "repeat this every hour") -> Schedule:
    """Run a query and have it repeated."""
    talk.say(SQL)
    talk.press("yes")
    talk.say(words)
    talk.press("yes")
    return only(talk)


def only(talk: Talk) -> Schedule:
    """Return the only schedule that there is."""
    return schedules_of(talk).get("T-1")


def schedules_of(talk: Talk) -> Schedules:
    assert talk.services.schedules
    return talk.services.schedules


def change(talk: Talk, statement: str) -> None:
    """Change the shop."""
    with closing(sqlite3.connect(talk.folder / "shop.sqlite")) as shop, shop:
        shop.execute(statement)


def due(talk: Talk, later: timedelta = HOUR) -> list[str]:
    """Let time go by, and return what is announced."""
    talk.clock.now += later
    return [text_of(reply) for reply in talk.due()]


def test_each_due_time_is_one_job(talk: Talk) -> None:
    """A due time runs once, under a key of its own, however often it is looked for."""
    repeated(talk)
    assert 1 == len(due(talk))
    assert [] == due(talk, timedelta())
    assert 1 == len(due(talk))
    jobs = [job.request.key for job in talk.services.jobs.ledger.latest() if job.request.key.startswith("T-1")]
    assert ["T-1 2026-03-15T11:00:00+00:00", "T-1 2026-03-15T10:00:00+00:00"] == jobs


def test_the_talk_is_not_disturbed(talk: Talk) -> None:
    """What was asked before stays to be answered, under its number."""
    repeated(talk)
    before = talk.memory
    assert "every hour" in due(talk)[0]
    assert before == talk.memory
    assert Stage.SHOW_RESULTS == talk.stage


def test_only_what_changed(talk: Talk) -> None:
    """Rows are shown where they are others than those shown last; their order does not count."""
    assert "changed" == repeated(talk, "repeat this every hour if it changed").plan.condition
    assert [] == due(talk)
    assert "Nothing had changed, so nothing was shown." == only(talk).outcome
    change(talk, "INSERT INTO regions VALUES (3, 'West')")
    (shown,) = due(talk)
    assert "changed since 15 Mar" in shown
    assert "West" in shown
    assert [] == due(talk)


def test_missed_times_are_made_up_for_once(talk: Talk) -> None:
    """However many were missed, one message comes, which says so; the next is in time again."""
    repeated(talk)
    (late,) = due(talk, timedelta(hours=5, minutes=30))
    assert "This was due Sun 15 Mar 10:00, when I was not at work. This is for all times that were missed" in late
    assert "at work" not in due(talk, timedelta(minutes=30))[0]


@pytest.mark.parametrize("rights", ['readers = ["ana@example.com"]\n'])
def test_whoever_lost_the_right(talk: Talk) -> None:
    """Nothing is run for them; they are told, and it is paused until somebody who may says otherwise."""
    repeated(talk)
    talk.notifier.people[ANA.id] = User(ANA.id, "Ana", "ana@elsewhere.example")
    (told,) = due(talk)
    assert 'There is no connection "shop" that you may use (any more). Nothing was done.' in told
    assert "[Resume / Stop repeating]" in told
    assert ScheduleState.PAUSED == only(talk).standing
    assert [] == due(talk)
    talk.notifier.people.clear()
    assert "is repeated again, every hour" in talk.press("repeat:resume:T-1")
    assert "North" in due(talk)[0]


def test_sql_that_is_refused_now(talk: Talk) -> None:
    """The guard judges with the tables of now; what it refuses is not run, and paused at once."""
    repeated(talk)
    change(talk, "ALTER TABLE regions RENAME TO areas")
    talk.services.catalog.refresh("shop")
    (told,) = due(talk)
    assert "regions" in told
    assert "Nothing was run." in told
    assert ScheduleState.PAUSED == only(talk).standing


def test_a_channel_that_is_not_allowed_any_more(talk: Talk) -> None:
    """Nothing is shown where the bot does not answer; what goes to the owner alone still does."""
    talk.shared = True
    repeated(talk)
    talk.services.connections.renew(
        Connections(talk.services.connections.values(), channels=Channels(allowed=frozenset({"test:elsewhere"})))
    )
    (told,) = due(talk)
    assert "I do not answer in its channel any more" in told
    assert ScheduleState.PAUSED == only(talk).standing


def test_three_failures_in_a_row(talk: Talk) -> None:
    """Each is told with when it is tried again; after the third it is paused, and a good one between counts again."""
    repeated(talk)
    shop = talk.folder / "shop.sqlite"

    def fail() -> str:
        shop.rename(shop.with_suffix(".away"))
        (told,) = due(talk)
        shop.with_suffix(".away").rename(shop)
        return told

    assert "I try again Sun 15 Mar 11:00" in fail()
    assert "North" in due(talk)[0]
    for hour in (13, 14):
        assert f"I try again Sun 15 Mar {hour}:00" in fail()
    assert "It failed 3 times in a row. I do not repeat it until you say so." in fail()
    assert ScheduleState.PAUSED == only(talk).standing


def test_two_processes_run_it_once(talk: Talk) -> None:
    """Of two processes over one house, one runs what is due."""
    repeated(talk)
    talk.clock.now += HOUR
    with closing(home_database(talk.folder)) as theirs:
        other, heard = Scheduler(talk.services, Schedules(theirs, talk.clock)), Heard()
        other.serve("test", heard)
        runs = [*other.look(), *talk.timer.look()]
        for run in runs:
            run.result()
        other.close()
    assert 1 == len(runs)
    assert 1 == len([*heard.news, *talk.notifier.news])


def test_a_platform_runs_its_own(talk: Talk) -> None:
    """What belongs to a thread of one platform is left to the process that can write there."""
    repeated(talk)
    talk.clock.now += HOUR
    other = Scheduler(talk.services, schedules_of(talk))
    other.serve("slack", Heard())
    assert [] == other.look()
    other.close()


def test_a_process_that_died_while_reading(talk: Talk) -> None:
    """What it began is done by another one, once."""
    schedule = repeated(talk)
    talk.clock.now += HOUR
    assert schedules_of(talk).claim(schedule.id, "dead")
    assert schedules_of(talk).note(schedule.id, "dead", phase="reading")
    assert [] == talk.due()
    schedules_of(talk).live("dead", ())
    assert 1 == len(talk.due())
    assert [] == talk.due()


@pytest.mark.parametrize(
    ("seen", "told", "outcome"),
    [
        (True, [], "Shown, with 2 rows."),
        (False, ["North"], "Shown, with 2 rows."),
        (None, ["They may be above, or not; I do not show them twice."], "It may have been shown, or not."),
    ],
)
def test_a_process_that_died_while_telling(talk: Talk, seen: bool | None, told: list[str], outcome: str) -> None:
    """It is found out whether the rows are there; where that cannot be known, it is said."""
    repeated(talk)
    talk.notifier.failure = Unsure("killed")
    assert [] == due(talk)
    assert "telling" == only(talk).phase
    talk.notifier.failure, talk.notifier.seen = None, seen
    shown = [text_of(reply) for reply in talk.due()]
    assert len(told) == len(shown)
    assert all(words in text for words, text in zip(told, shown, strict=True))
    assert outcome == only(talk).outcome
    assert [] == talk.due()


def test_stopped_meanwhile(talk: Talk) -> None:
    """Whatever is stopped while it runs shows nothing any more."""
    schedule = repeated(talk)

    class Stopping(Heard):
        def known(self, key: Any, user: User) -> User:
            schedules_of(talk).stop(schedule.id)
            return user

    talk.timer.serve("test", Stopping())
    assert [] == due(talk)
    assert ScheduleState.STOPPED == only(talk).standing


def test_not_without_an_end(talk: Talk) -> None:
    """Nobody may have more than so many; what is stopped does not count."""
    schedules_of(talk).most = 1
    repeated(talk)
    assert "Nobody may have more than 1 query repeated" in talk.say("repeat this every day at 9")
    talk.press("repeat:stop:T-1")
    assert "First time" in talk.say("repeat this every day at 9")


@pytest.mark.parametrize("rights", ['approvers = ["carla@example.com"]\n'])
def test_an_approver_presses_start(talk: Talk) -> None:
    """Where SQL needs an approver, so does its repeating, once; who lost that right lets it pause."""
    talk.shared = True
    talk.say(SQL)
    talk.user = CARLA
    talk.press("yes")
    talk.user = ANA
    assert "Waiting for carla@example.com to approve" in talk.say("repeat this every hour")
    assert "You can't approve" in talk.press("yes")
    talk.user = BOB
    assert "Ana started this conversation" in talk.press("yes")
    talk.user = CARLA
    talk.press("yes")
    assert CARLA == only(talk).plan.approver
    assert "North" in due(talk)[0]


def test_whoever_ends_it_is_in_the_audit_trail(talk: Talk) -> None:
    """So is the person who has it go on; what changes nothing leaves no line."""
    schedule = repeated(talk)
    talk.press("repeat:resume:T-1")
    change_standing(talk, ScheduleState.PAUSED)
    talk.press("repeat:resume:T-1")
    talk.press("repeat:stop:T-1")
    talk.press("repeat:stop:T-1")
    lines = [json.loads(line) for line in (talk.folder / "audit.jsonl").read_text().splitlines()]
    of_it = [line for line in lines if line["event"] in ("stopped", "resumed")]
    assert ["resumed", "stopped"] == [line["event"] for line in of_it]
    who = {
        "thread": str(KEY),
        "who": ANA.id,
        "connection": "shop",
        "target": "T-1 every hour",
        "sql": schedule.plan.sql,
    }
    assert all(who.items() <= line.items() for line in of_it)


def change_standing(talk: Talk, standing: ScheduleState) -> None:
    """Have everything that is repeated stand so."""
    with closing(sqlite3.connect(talk.folder / "icc-bot.sqlite")) as file, file:
        file.execute("UPDATE schedules SET standing = ?", (standing,))


def test_what_is_private_stays_private(talk: Talk) -> None:
    """Rows for the owner alone are addressed to them, and troubles are wherever others read along."""
    talk.shared = True
    repeated(talk, "post this to me alone every hour")
    talk.clock.now += HOUR
    (rows,) = talk.due()
    assert ANA.id == rows.to
    talk.notifier.failure = None
    change(talk, "ALTER TABLE regions RENAME TO areas")
    talk.services.catalog.refresh("shop")
    talk.clock.now += HOUR
    (trouble,) = talk.due()
    assert ANA.id == trouble.to


def test_a_timer_by_itself(talk: Talk) -> None:
    """It wakes where what is due changes, runs it, and sleeps again; closed, it runs nothing."""
    timer, heard = Scheduler(talk.services, schedules_of(talk)), Heard()
    timer.open("test", heard)
    repeated(talk)
    talk.clock.now += HOUR
    timer.wake()
    assert heard.came.wait(30)
    timer.close()
    talk.clock.now += HOUR
    assert [] == timer.look()
    assert 1 == len(talk.due())
