"""BASE_URL on each platform: the real program against the platform's stand-in, its jobs done by a real API."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.slack.scopes import OPTIONAL_SCOPES, SCOPES
from tests.bot.commands.test_api import started as api_started
from tests.bot.commands.test_slack import SQL
from tests.bot.commands.test_slack import started as slack_started
from tests.bot.commands.test_teams import settings, talk
from tests.bot.commands.test_teams import started as teams_started
from tests.bot.wiring.test_remote_jobs import environment, token
from tests.platforms.ollama import Ollama
from tests.platforms.slack.stand_in import Slack
from tests.support.shop import write_connections


@pytest.fixture(name="remote")
def _remote(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The settings of a bot whose jobs an API does, over a shop of its own."""
    there = tmp_path / "there"
    there.mkdir()
    write_connections(there, ["shop"])
    secret = token(there)
    with api_started(there, **environment(there)) as (_, url):
        yield {"BASE_URL": url, "API_TOKEN": secret}


@pytest.mark.thorough
def test_slack(tmp_path: Path, remote: dict[str, str]) -> None:
    """`icc-bot slack` starts without a database of its own, answers, and stops."""
    slack = Slack()
    slack.scopes |= {*SCOPES, *OPTIONAL_SCOPES}
    with slack, Ollama() as model, slack_started(tmp_path, slack, OLLAMA_BASE_URL=model.url, **remote) as program:
        slack.wait_socket(seconds=60)
        slack.dm("U1", SQL)
        slack.wait_message(contains="Run on Shop", seconds=60)
        status = program.end()

    assert (0, "", []) == (status, program.errors, slack.faults)


@pytest.mark.thorough
def test_teams(tmp_path: Path, remote: dict[str, str]) -> None:
    """`icc-bot teams` starts, shows the rows that the API read, and stops."""
    with settings(tmp_path, remote) as (teams, given), teams_started(given, tmp_path) as program:
        teams.bot_url = program.url
        talk(teams)
        status = program.end()

    assert (0, "", []) == (status, program.errors, teams.faults)
