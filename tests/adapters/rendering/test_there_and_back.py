"""From SQLite to PostgreSQL, by e-mail to people, and back again: on every platform, with menus and without a model."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest

from bot.wiring.bot import Bot
from tests.parity.chat import Chat
from tests.parity.site import ParitySite, email
from tests.parity.slack import SlackChat, slack_stage
from tests.parity.teams import TeamsChat, teams_stage
from tests.parity.web import WebChat, web_stage
from tests.support.postgres import PostgresDatabase

NAMES = ("shop", "backup")
CUSTOMERS = "SELECT id, name, region_id * 1.5 AS factor, id > 1 AS later FROM customers ORDER BY id"

MART = """
[connections.mart]
id = 90
label = "Mart"
url = "env:MART_URL"
write_url = "env:MART_WRITE_URL"
schemas = ["public"]
readers = ["*"]
writers = ["*"]
"""

Stage = Callable[..., Any]
Player = Callable[[Any, ParitySite, Bot], Chat]


@pytest.mark.parametrize(
    ("stage", "player"),
    [(slack_stage, SlackChat), (teams_stage, TeamsChat), (web_stage, WebChat)],
    ids=["slack", "teams", "web"],
)
def test_there_and_back(
    stage: Stage, player: Player, tmp_path: Path, postgres: PostgresDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows go into a new table of PostgreSQL, from there by e-mail to two people, and back into a table of SQLite."""
    monkeypatch.setenv("MART_URL", postgres.reader_url)
    monkeypatch.setenv("MART_WRITE_URL", postgres.owner_url)
    with stage(tmp_path, True, MART) as (platform, site, bot):
        chat = player(platform, site, bot)
        chat.names = NAMES
        ana = email("ana", NAMES)

        chat.say(CUSTOMERS)
        chat.press(["menu:shop"])
        chat.press(["yes"])
        chat.press(["write"])
        assert "The table is new." in chat.say('new table "people" in Mart')
        assert "✓ Created `public.people` in Mart" in chat.press(["write"])
        shop = rows(tmp_path / "shop.sqlite", CUSTOMERS)
        with postgres.connect() as connection:
            there = connection.execute("SELECT * FROM people ORDER BY id").fetchall()
        assert [tuple(map(float_of, row)) for row in shop] == [tuple(map(float_of, row)) for row in there]

        chat.press(["email"])
        shown = chat.fill({"to": f"bob@example.com, {ana}", "subject": "Our people", "rows": "the_table"})
        assert 'FROM "public"."people"' in shown.replace("public.people", '"public"."people"')
        chat.press(["yes"])
        assert "✓ Sent to" in chat.press(["email"])
        ((to, content),) = site.post.letters
        letter = message_from_bytes(content, policy=policy.default)
        assert (["bob@example.com", ana], "Our people") == (to, letter["Subject"])
        assert shop[0][1] in str(letter.get_body(("html",)))

        chat.press(["database"])
        chat.press(["menu:mart"])
        chat.say("SELECT name, factor FROM people ORDER BY id")
        chat.press(["yes"])
        chat.press(["write"])
        chat.say("new table returned in Backup")
        assert f"✓ Created `main.returned` in Backup with {len(shop)} rows." in chat.press(["write"])
        back = rows(tmp_path / "backup.sqlite", "SELECT name, factor FROM returned")
        assert sorted((name, float(factor)) for _, name, factor, _ in shop) == sorted(
            (name, float(factor)) for name, factor in back
        )
        assert chat.press(["done"]) in ("Mention me for your next question.", "Ask me again whenever you like.")
        assert [] == chat.complaints()
        assert [] == [asked for asked in site.model.history if asked["options"]["num_predict"] > 1]  # 1: it only warms


def rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(sql).fetchall()


def float_of(value: Any) -> Any:
    """Return numbers of all kinds as one, since PostgreSQL has decimals and true where SQLite has floats and 1."""
    return value if isinstance(value, str) else float(value)
