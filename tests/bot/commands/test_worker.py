"""`icc-bot worker` and those who take in for it: real processes over one PostgreSQL, and what each of them demands."""

import json
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path
from threading import Event

import pytest

from adapters.chat.underway import DRAIN_SECONDS
from tests.platforms.ollama import Answer, Ollama
from tests.platforms.slack.stand_in import Slack
from tests.support.in_process import run_here
from tests.support.postgres import PostgresDatabase
from tests.support.replicas import FRONT, TALKS, WORKER, Replicas, environment_of, replicas, shown, until
from tests.support.shop import build_shop

FREE_PORT = "0"


@pytest.mark.thorough
@pytest.mark.parametrize("slow", [False, True])
def test_a_worker_that_ends_leaves_its_talks_to_another(tmp_path: Path, slack: Slack, slow: bool) -> None:
    """A process without an address takes in; where a worker ends in the midst of talks, all end soon, each once.

    Where the model is `slow`, it has not answered when the worker may wait no longer.
    """
    build_shop(tmp_path / "shop.sqlite")
    ready = Event()
    sql = Answer("SELECT name FROM regions", waits=ready)
    script = {True: sql, False: "SELECT 1"}
    with (
        Ollama(script=lambda prompt: script["Which regions" in prompt]) as model,
        replicas(tmp_path, slack, OLLAMA_BASE_URL=model.url) as group,
    ):
        group.begin_all(FRONT, WORKER, WORKER)
        slack.wait_socket()
        front, one, other = group.running
        assert "SHOP_URL" not in environment_of(front.process.pid)
        roots = [
            slack.say(f"C{100 + number}", f"Which regions are there, number {number}?", user=f"U{number}", mention=True)
            for number in range(TALKS)
        ]
        until(lambda: all(counted(group, worker) for worker in (2, 3)))
        began = time.monotonic()
        one.process.send_signal(signal.SIGTERM)
        if not slow:
            ready.set()
        assert 0 == one.process.wait(60)
        assert slow == (time.monotonic() - began > DRAIN_SECONDS)
        ready.set()
        for root in roots:
            until(lambda root=root: bool(shown(slack, root, "Run on Shop")))  # type: ignore[misc]
        for root in roots:
            slack.press(shown(slack, root, "Run on Shop")[0], "Run on Shop", user=root.user)
        for root in roots:
            until(lambda root=root: bool(shown(slack, root, "'CSV'")))  # type: ignore[misc]
        assert [(1, 0)] * TALKS == [
            (len(shown(slack, root, "'CSV'")), len(shown(slack, root, "Run on Shop"))) for root in roots
        ]
        assert group.database
        with group.database.connect() as connection:
            assert [("DONE", TALKS)] == connection.execute("SELECT state, count(*) FROM jobs GROUP BY 1").fetchall()
            left = (
                "SELECT (SELECT count(*) FROM inbox WHERE heard IS NOT NULL), (SELECT count(*) FROM procrastinate_jobs)"
            )
            until(lambda: (0, 0) == connection.execute(left).fetchone())
        assert (0, 0) == (other.stop(), front.stop())


def counted(group: Replicas, number: int) -> int:
    """Return how many questions a process has taken up, as its audit trail has it."""
    trail = group.folder / f"home-{number}" / "audit.jsonl"
    lines = trail.read_text().splitlines() if trail.exists() else []
    return sum(json.loads(line)["event"] == "asked" for line in lines if line.endswith("}"))


@pytest.mark.thorough
def test_a_worker_of_both_platforms(tmp_path: Path, slack: Slack) -> None:
    """One process works for Slack and Teams, says so, and is watched where PORT is set."""
    build_shop(tmp_path / "shop.sqlite")
    teams = {"MicrosoftAppId": "6a1e0f0c-0000-0000-0000-000000000001", "MicrosoftAppType": "SingleTenant"}
    with replicas(tmp_path, slack, PORT=FREE_PORT, ICC_BOT_METRICS_TOKEN="letmein", **teams) as group:
        group.begin_all(WORKER)
        (worker,) = group.running
        said = worker.log.read_text()
        assert "icc-bot works on talks in Slack and Teams." in said
        port = said.partition("Listening on port ")[2].partition(".")[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready") as ready:
            assert 200 == ready.status
        with pytest.raises(urllib.error.HTTPError, match="401"):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics")
        assert 0 == worker.stop()


NO_PLATFORM = "No platform is set up: set what `icc-bot slack` or `icc-bot teams` needs, or name --queues web."
SLACK = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"}


@pytest.mark.parametrize(
    ("argv", "environment", "sentence"),
    [
        (["worker"], SLACK, "icc-bot worker shares its work with others, which needs ICC_BOT_DATABASE_URL."),
        (
            ["worker"],
            {"server": "yes"},
            NO_PLATFORM,
        ),
        (
            ["worker", "--queues", "slack,teams"],
            SLACK | {"server": "yes"},
            "--queues: teams is not set up. Set what `icc-bot teams` needs.",
        ),
    ],
)
def test_what_a_worker_demands(
    tmp_path: Path, postgres: PostgresDatabase, argv: list[str], environment: dict[str, str], sentence: str
) -> None:
    """What is missing is said in a sentence, and nothing is begun."""
    given = {"ICC_BOT_HOME": str(tmp_path / "home"), **environment}
    if given.pop("server", ""):
        given["ICC_BOT_DATABASE_URL"] = postgres.owner_url.replace("+psycopg", "")
    done = run_here(tmp_path, given, *argv)

    assert (2, f"icc-bot cannot start:\n- {sentence}\n") == (done.returncode, done.stderr)
