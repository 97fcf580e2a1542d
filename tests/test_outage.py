"""Whole talks while the bot's own PostgreSQL is away: each mail goes out once, no thread is locked, no card is gone."""

from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.platforms.ollama import Ollama
from tests.platforms.slack.stand_in import Slack
from tests.support.mail_servers import SENDER, PostOffice, post_office
from tests.support.players import Sending, channels_of
from tests.support.postgres import fresh_database, running_server
from tests.support.replicas import CONNECTIONS, FRONT, WORKER, replicas
from tests.support.shop import build_shop
from tests.support.slack_bot import running

LOST_SECONDS = 120.0


def smtp(post: PostOffice) -> dict[str, str]:
    return {"SMTP_URL": f"smtp://localhost:{post.port}?starttls=no", "EMAIL_FROM": SENDER}


def judge(players: Sending, post: PostOffice) -> None:
    """Demand that all talks came to their end, without a word of an error, and all mails out once."""
    assert players.faults() == []
    assert len(players.over) == players.count
    assert [text for talk in players.over for text in players.problems(talk)] == []
    mailed = {f"u{talk.number}@example.com": 1 for talk in players.over if talk.mails}
    assert Counter(to for people, _ in post.letters for to in people) == mailed
    assert players.unsure == 0


def test_talks_of_one_process(tmp_path: Path) -> None:
    """One process, and two people who press Send as the server goes away, for longer than its connections wait."""
    with ExitStack() as stack:
        server = stack.enter_context(running_server())
        database, post = stack.enter_context(fresh_database(server)), stack.enter_context(post_office())
        slack, model = stack.enter_context(Slack(retries=(1.0, 5.0, 15.0))), stack.enter_context(Ollama())
        channels_of(slack)
        build_shop(tmp_path / "shop.sqlite")
        connections = tmp_path / "writable.toml"
        connections.write_text(CONNECTIONS.replace("env:SHOP_URL", f"sqlite:///{tmp_path / 'shop.sqlite'}"))
        state = {"ICC_BOT_DATABASE_URL": database.owner_url, "ICC_BOT_CONNECTIONS": str(connections)}
        stack.enter_context(running(tmp_path, slack, model, **state, **smtp(post)))
        players = Sending(slack, 10, server, seconds=12.0, at_send=2)
        players.play(seconds=LOST_SECONDS)
        judge(players, post)


@pytest.mark.thorough
def test_forty_talks_of_several_processes(tmp_path: Path) -> None:
    """Two processes that take in and two that work; six people press Send as the server goes away for 20 seconds."""
    with ExitStack() as stack:
        post, slack = stack.enter_context(post_office()), stack.enter_context(Slack(retries=(1.0, 5.0, 15.0)))
        channels_of(slack)
        build_shop(tmp_path / "shop.sqlite")
        group = stack.enter_context(replicas(tmp_path, slack, **smtp(post)))
        group.begin_all(FRONT, FRONT, WORKER, WORKER)
        slack.wait_socket(2)
        assert group.database
        players = Sending(slack, 40, group.database.server, seconds=20.0)
        players.play(seconds=2 * LOST_SECONDS)
        judge(players, post)
        with group.database.connect() as connection:
            left = connection.execute("SELECT count(*) FROM jobs WHERE state IN ('QUEUED', 'RUNNING', 'SENDING')")
            assert (0,) == left.fetchone()
