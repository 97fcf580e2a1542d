"""Services without connections of their own: they do not begin, unless they are told to be a trial, which cards say."""

from pathlib import Path

import pytest

from bot.wiring.bot import SAMPLE_NOTICE
from tests.bot.commands.test_slack import environment, started
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.stand_in import Slack
from tests.support.in_process import run_here
from tests.support.shop import write_connections

SERVICES = [
    ("slack",),
    ("slack", "--concurrency", "0"),
    ("teams", "--local"),
    ("worker",),
    ("worker", "--queues", "web"),
    ("api",),
]
SERVER = "postgresql://nobody@127.0.0.1:9/nothing"


@pytest.mark.parametrize("argv", SERVICES, ids=" ".join)
def test_a_service_without_connections(tmp_path: Path, slack: Slack, argv: tuple[str, ...]) -> None:
    """It answers nobody from the sample company: it ends with 2, says what to do, and builds nothing."""
    given = environment(tmp_path, slack, ICC_BOT_DATABASE_URL=SERVER if argv[0] == "worker" else "")
    done = run_here(tmp_path, given, *argv)
    write_connections(tmp_path, ["shop"])
    both = run_here(tmp_path, given, *argv, "--sample")
    assert done.returncode == both.returncode == 2
    assert "there is no connections.toml here" in done.stderr
    assert "connections.example.toml" in done.stderr
    assert "add --sample" in done.stderr
    assert "connections.toml names databases of your own" in both.stderr
    assert not (tmp_path / "home" / "samples").exists()


@pytest.mark.usefixtures("samples_at_home")
@pytest.mark.parametrize("argv", [("slack", "--check"), ("teams", "--check"), ("doctor",)], ids=" ".join)
def test_the_checks_without_connections(tmp_path: Path, slack: Slack, argv: tuple[str, ...]) -> None:
    """They say it among all else, and fail."""
    done = run_here(tmp_path, environment(tmp_path, slack), *argv)
    assert done.returncode == 1
    assert "FAILED   connections: there is no connections.toml here" in done.stdout


@pytest.mark.thorough
def test_a_trial_in_slack(tmp_path: Path, slack: Slack) -> None:
    """With `--sample` it answers from the sample company, and each of its cards says that the data is invented."""
    with started(tmp_path, slack, "--sample"):
        slack.wait_socket()
        root = slack.say("C1", "hello", user="U1", mention=True)
        slack.wait_message("C1", "What would you like to know?", thread=root)
        slack.say("C1", "SELECT COUNT(*) AS n FROM customers", user="U1", thread=root, mention=True)
        slack.press(slack.wait_message("C1", "Run on", thread=root), "Run", user="U1")
        slack.wait_message("C1", "CSV", thread=root)
        slack.wait_delivered()
        said = [words_of(each.blocks) for each in slack.messages("C1", root) if each.bot_id]
    assert said
    assert [words for words in said if SAMPLE_NOTICE not in words] == []
