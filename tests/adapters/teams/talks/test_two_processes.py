"""Some processes take in, another works: a click finds its message, a file the home in which it lies."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from adapters.teams.clicks import MESSAGE_ARRIVING
from tests.adapters.teams.talks.bot_process import OURS
from tests.adapters.teams.talks.links import fetched, file_of
from tests.adapters.teams.talks.site import TeamsCompany, founded
from tests.support.postgres import PostgresDatabase
from tests.support.teams_bot import environment

GREETINGS = ("at work in Teams", "works on talks in Teams")


@contextmanager
def begun(company: TeamsCompany, *args: str, **settings: str) -> Iterator[str]:
    """Run a process until the end of the block, which is given what it said at its start."""
    own = {name: value for name, value in os.environ.items() if not name.upper().startswith(OURS)}
    variables = own | environment(company.folder, company.teams, company.model) | settings
    command = [sys.executable, "-m", "bot", *args]
    with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        said = ""
        try:
            while not any(greeting in said for greeting in GREETINGS):
                heard = process.stdout.readline()
                assert heard, said
                said += heard
            yield said
        finally:
            process.terminate()
            assert 0 == process.wait(60)


def reach(company: TeamsCompany, greeting: str) -> None:
    """Have Teams send what comes next to the process that said this at its start."""
    port = greeting.partition("on port ")[2].partition(".")[0]
    company.teams.bot_url = f"http://127.0.0.1:{port}/api/messages"


@pytest.mark.thorough
def test_a_click_on_what_another_process_is_only_just_posting(tmp_path: Path, postgres: PostgresDatabase) -> None:
    """Who is quicker than the database, in a process that heard nothing of the question, is told to press again."""
    with ExitStack() as stack:
        company = stack.enter_context(founded(tmp_path))
        server = {"ICC_BOT_DATABASE_URL": postgres.owner_url}
        fronts = [stack.enter_context(begun(company, "teams", "--concurrency", "0", **server)) for _ in range(2)]
        stack.enter_context(begun(company, "worker", **server))
        reach(company, fronts[0])
        company.teams.fail("send", "slow", seconds=2, times=2)  # the typing sign, and the question
        asked = company.ask("SELECT name FROM regions ORDER BY id")
        approval = company.shown(asked, "Run on")
        reach(company, fronts[1])
        assert MESSAGE_ARRIVING == company.press(approval, "Run")
        while company.press(approval, "Run") == MESSAGE_ARRIVING:
            pass
        company.shown(asked, "CSV")


@pytest.mark.thorough
@pytest.mark.parametrize(("homes", "status"), [(1, 200), (2, 403)])
def test_a_file_is_fetched_where_it_was_made(
    tmp_path: Path, postgres: PostgresDatabase, homes: int, status: int
) -> None:
    """With one home the link leads to the rows; with two, it was not made by the one that is asked."""
    with ExitStack() as stack:
        company = stack.enter_context(founded(tmp_path))
        server = {"ICC_BOT_DATABASE_URL": postgres.owner_url}
        front = stack.enter_context(begun(company, "teams", "--concurrency", "0", **server))
        home = str(tmp_path / ("home" if homes == 1 else "another"))
        stack.enter_context(begun(company, "worker", **server, ICC_BOT_HOME=home))
        reach(company, front)
        _, table = company.ran("SELECT name FROM regions ORDER BY id")
        found, text = fetched(company, file_of(company, table, "ana"))

    assert status == found
    assert ("North" in text) == (homes == 1)
