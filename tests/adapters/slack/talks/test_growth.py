"""What is kept of a whole talk is small, beside its rows and the log."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.platforms.ollama import Ollama
from tests.platforms.slack.stand_in import Slack
from tests.support.kept_bytes import Sizes, beside_results, home_sizes, server_sizes
from tests.support.postgres import PostgresDatabase
from tests.support.slack_bot import running
from tests.support.slack_talk import CHANNELS, whole_talk

TALKS, FIRST = 40, 10
"""Talks that are measured, and those before them, in which tables get their first pages."""

MOST_BYTES = 10_000


@pytest.mark.thorough
@pytest.mark.parametrize("place", ["home", "server"])
def test_a_talk_grows_what_is_kept_by_less_than_10_kb(
    place: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Asked, run, read and done: its memory, what was shown, its job, and the audit trail."""
    home = tmp_path / "home"
    server: PostgresDatabase | None = request.getfixturevalue("postgres") if place == "server" else None

    def sizes() -> Sizes:
        return home_sizes(home) | (server_sizes(server) if server else {})

    more = {"ICC_BOT_DATABASE_URL": server.owner_url} if server else {}
    with ExitStack() as stack:
        slack, model = stack.enter_context(Slack()), stack.enter_context(Ollama())
        for channel in CHANNELS:
            slack.channel(channel)
        stack.enter_context(running(tmp_path, slack, model, **more))
        for number in range(FIRST):
            whole_talk(slack, number)
        before = beside_results(sizes())
        for number in range(FIRST, FIRST + TALKS):
            whole_talk(slack, number)
            if number % FIRST == 0:
                sizes()  # has the server take back the room of dead rows
        grown = {name: size - before.get(name, 0) for name, size in beside_results(sizes()).items()}
    assert 0 < sum(grown.values()) / TALKS < MOST_BYTES, grown
