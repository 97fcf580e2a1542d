"""A talk goes on by another machine, whose home is empty: all that it needs is in the database of both."""

import re
from pathlib import Path

import pytest

from adapters.watching import exposition
from tests.adapters.slack.talks.site import founded
from tests.adapters.slack.talks.test_repeating import repeated
from tests.platforms.slack.looking import words_of
from tests.support.due_schedules import make_due_in
from tests.support.postgres import PostgresDatabase


@pytest.mark.thorough
def test_another_machine_goes_on(tmp_path: Path, postgres: PostgresDatabase) -> None:
    """One writes the SQL, the next runs it, a third gives the rows as a file, each with a home of its own."""
    with founded(tmp_path / "site") as company:
        state = {"ICC_BOT_DATABASE_URL": postgres.owner_url}
        homes = [tmp_path / name for name in ("one", "two", "three")]
        with company.at_work(ICC_BOT_HOME=str(homes[0]), **state) as site:
            root = site.ask("revenue by region?")
            asked = site.shown(root, "Run on Shop")
        with company.at_work(ICC_BOT_HOME=str(homes[1]), **state) as site:
            site.slack.press(asked, "Run on Shop", user="UANA")
            table = site.shown(root, "CSV")
        with company.at_work(ICC_BOT_HOME=str(homes[2]), **state) as site:
            site.download(table, "CSV")
            site.slack.wait(lambda: site.slack.files)
            counted = exposition().decode()
        for name in ("turns", "deliveries", "model_tokens", "job_seconds_count", "audited"):
            assert re.search(rf"^icc_bot_{name}.*{{.*}} [1-9]", counted, re.MULTILINE), name
        kept = {path.name for home in homes for path in home.rglob("*.sqlite") if path.parent.name != "results"}
        assert kept <= {"sample.sqlite", "warehouse.sqlite"}
        with postgres.connect() as connection:
            counts = [
                connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
                for table in ("threads", "results", "jobs")
            ]
        assert [(1,), (1,), (1,)] == counts


def test_what_is_due_and_who_approves(tmp_path: Path, postgres: PostgresDatabase) -> None:
    """Of two processes at work, one shows what is repeated, and one tells the approver, once."""
    state = {"ICC_BOT_DATABASE_URL": postgres.owner_url}
    with (
        founded(tmp_path / "site") as company,
        company.at_work(ICC_BOT_HOME=str(tmp_path / "one"), **state) as site,
        company.at_work(ICC_BOT_HOME=str(tmp_path / "two"), **state) as other,
    ):
        root = repeated(site)
        make_due_in(site.running.bot.database)
        for each in (site, other):
            assert each.running.bot.timer
            each.running.bot.timer.wake()
        site.shown(root, "· every hour")
        waits = site.ask("revenue by region, waited for?", user="UOTTO")
        site.shown(waits, "Run on Payroll")
        direct = site.slack.world.direct("UCARLA").id
        site.slack.wait(lambda: [m for m in site.slack.messages(direct) if "needs your approval" in words_of(m.blocks)])
        with postgres.connect() as connection:
            left = "SELECT (SELECT count(*) FROM procrastinate_jobs), (SELECT count(*) FROM approval_notices)"
            site.slack.wait(lambda: (0, 1) == connection.execute(left).fetchone())
        rows = [m for m in site.slack.messages("C1") if m.thread == root.ts and "· every hour" in words_of(m.blocks)]
        assert 1 == len(rows)
