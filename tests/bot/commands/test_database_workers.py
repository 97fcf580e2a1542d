"""`icc-bot worker --connections`: databases that one process alone opens, and everybody's talks on them."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.bot.commands.test_worker import NO_PLATFORM, SLACK
from tests.platforms.ollama import Ollama
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message
from tests.support.in_process import run_here
from tests.support.mail_servers import SENDER, post_office
from tests.support.postgres import PostgresDatabase
from tests.support.replicas import FRONT, Replica, Replicas, environment_of, replicas, shown, until
from tests.support.shop import build_shop

CONNECTIONS = """
default = "shop"

[connections.shop]
id = 1
label = "Shop"
url = "env:SHOP_URL"
write_url = "env:SHOP_URL"
dialect = "sqlite"
writers = ["*"]

[connections.desk]
id = 2
label = "Desk"
url = "sqlite:///desk.sqlite"
dialect = "sqlite"
"""

TALKS = ("worker", "--queues", "slack", "--connections", "desk")
DATABASES = ("worker", "--connections", "shop")
PLATFORM = ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET")

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
WITHIN_SECONDS = 4.0
"""A heartbeat would tell the end to whoever does a job only after five."""


def begin(group: Replicas) -> tuple[Replica, Replica]:
    """Begin who takes in, who works on talks without the shop's address, and who opens the shop and nothing else."""
    (group.folder / "connections.toml").write_text(CONNECTIONS)
    for name in ("shop", "desk"):
        build_shop(group.folder / f"{name}.sqlite")
    begun = (
        group.begin(FRONT),
        group.begin(TALKS, lacks=["SHOP_URL"]),
        group.begin(DATABASES, lacks=[*PLATFORM, "OLLAMA_BASE_URL", "SQL_MODEL_NAME", "SMTP_URL", "EMAIL_FROM"]),
    )
    for each in begun:
        each.wait_ready()
    group.slack.wait_socket()
    return begun[1:]


def say(slack: Slack, words: str) -> Message:
    """Begin a talk."""
    return slack.say("C100", words, user="U1", mention=True)


def answer(slack: Slack, root: Message, words: str) -> None:
    """Go on with a talk."""
    slack.say("C100", words, user="U1", thread=root, mention=True)


def see(slack: Slack, root: Message, words: str) -> Message:
    """Return the message of a talk that says this, once there is one."""
    until(lambda: bool(shown(slack, root, words)))
    return shown(slack, root, words)[-1]


@pytest.mark.thorough
def test_a_talk_on_a_database_that_another_process_opens(tmp_path: Path, slack: Slack) -> None:
    """No process has both the platform's token and the URL: all is done as where one has them, and stopped at once."""
    with (
        Ollama(script=lambda prompt: "SELECT name FROM regions") as model,
        post_office() as post,
        replicas(
            tmp_path,
            slack,
            OLLAMA_BASE_URL=model.url,
            SMTP_URL=f"smtp://localhost:{post.port}?starttls=no",
            EMAIL_FROM=SENDER,
        ) as group,
    ):
        talks, databases = begin(group)
        assert "icc-bot works on the databases of shop." in databases.log.read_text()
        assert "icc-bot works on talks in Slack and the databases of desk." in talks.log.read_text()
        assert "SHOP_URL" not in environment_of(talks.process.pid)
        assert not {*PLATFORM} & environment_of(databases.process.pid)

        root = say(slack, "Which regions are there?")
        slack.press(see(slack, root, "Run on Shop"), "Run on Shop", user="U1")
        see(slack, root, "'CSV'")
        answer(slack, root, "write it into copied_rows")
        slack.press(see(slack, root, "Write this?"), "Write", user="U1")
        see(slack, root, "✓ Created")
        with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as shop:
            assert shop.execute("SELECT count(*) FROM regions").fetchone() == (
                shop.execute("SELECT count(*) FROM copied_rows").fetchone()
            )
        answer(slack, root, "send it to ben@example.com")
        slack.press(see(slack, root, "Send this e-mail?"), "Send", user="U1")
        see(slack, root, "✓ Sent")
        assert 1 == len(post.letters)

        root = say(slack, f"```{ENDLESS}```")
        slack.press(see(slack, root, "Run on Shop"), "Run on Shop", user="U1")
        running = see(slack, root, "'Stop'")
        time.sleep(1)
        began = time.monotonic()
        slack.press(running, "Stop", user="U1")
        see(slack, root, "topped")
        assert time.monotonic() - began < WITHIN_SECONDS
        assert (0, 0) == (databases.stop(), talks.stop())


@pytest.mark.thorough
def test_a_worker_that_dies_over_a_query(tmp_path: Path, slack: Slack) -> None:
    """It is missed though there is no other, the talk says that the query was not repeated; the next one goes on."""
    with replicas(tmp_path, slack) as group:
        _, databases = begin(group)
        root = say(slack, f"```{ENDLESS}```")
        slack.press(see(slack, root, "Run on Shop"), "Run on Shop", user="U1")
        see(slack, root, "'Stop'")
        time.sleep(2)
        databases.kill()
        until(lambda: bool(shown(slack, root, "interrupted")), 60)
        group.begin(DATABASES, lacks=PLATFORM).wait_ready()
        answer(slack, root, "```SELECT name FROM regions```")
        slack.press(see(slack, root, "SELECT name FROM regions"), "Run on Shop", user="U1")
        see(slack, root, "'CSV'")


@pytest.mark.parametrize(
    ("connections", "text", "sentence"),
    [
        ("hr", CONNECTIONS, "--connections: connections.toml has no connection hr; it has shop and desk."),
        (
            "desk",
            CONNECTIONS.replace('write_url = "env:SHOP_URL"\ndialect = "sqlite"\n', ""),
            "connections.toml: [shop] is opened by another process; name its kind, such as "
            'dialect = "postgresql", so that SQL for it can be written here.',
        ),
        ("shop", "", "--connections: there is no connections.toml."),
        (
            "shop",
            CONNECTIONS,
            "connections.toml, line 7: [shop] url is to come from the environment variable SHOP_URL, which is not set; "
            "set it, or correct its name.",
        ),
        (
            "none",
            CONNECTIONS,
            NO_PLATFORM,
        ),
    ],
)
def test_what_is_demanded(
    tmp_path: Path, postgres: PostgresDatabase, connections: str, text: str, sentence: str
) -> None:
    """What cannot be is said at the start."""
    given = {
        "ICC_BOT_HOME": str(tmp_path / "home"),
        "ICC_BOT_DATABASE_URL": postgres.owner_url.replace("+psycopg", ""),
    }
    if connections == "desk":
        given |= SLACK
    if text:
        (tmp_path / "connections.toml").write_text(text)
        given["ICC_BOT_CONNECTIONS"] = str(tmp_path / "connections.toml")
    done = run_here(tmp_path, given, "worker", "--connections", connections)

    assert (2, f"icc-bot cannot start:\n- {sentence}\n") == (done.returncode, done.stderr)
