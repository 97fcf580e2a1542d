"""The workspaces that installed the app, in a real SQLite file and a real PostgreSQL."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from slack_sdk.oauth.installation_store import Installation

from adapters.slack.access import cipher, new_key
from adapters.slack.clients import NotInstalled, NotListed
from adapters.slack.installations import Installations
from router.errors import SettingsError
from tests.support.postgres import PostgresDatabase

SECRETS = {
    "bot_token": "xoxb-1-" + "b" * 120,
    "bot_refresh_token": "xoxe-1-" + "r" * 140,
    "user_token": "xoxp-1-" + "u" * 70,
    "user_refresh_token": "xoxe-2-" + "s" * 140,
    "incoming_webhook_url": "https://hooks.slack.example/services/T1/B1/" + "w" * 40,
    "incoming_webhook_configuration_url": "https://acme.slack.example/services/" + "c" * 40,
}


TEAMS = {"T1", "T2"}


def installation(team: str | None = "T1", **changes: str) -> Installation:
    given = {"bot_user_id": "UBOT"} | SECRETS | changes
    return Installation(
        app_id="A1",
        team_id=team,
        user_id="U1",
        bot_id="B1",
        installed_at=1_700_000_000.0,
        **given,  # type: ignore[arg-type]
    )


@contextmanager
def opened(path: Path, keys: str) -> Iterator[Installations]:
    store = Installations(f"sqlite:///{path}", "111.222", cipher(keys), TEAMS)
    try:
        yield store
    finally:
        store.close()


async def test_what_is_saved_is_found(tmp_path: Path) -> None:
    """An installation comes back with all its tokens, after a restart too."""
    path, key = tmp_path / "i.sqlite", new_key()
    with opened(path, key) as store:
        await store.async_save(installation())
    with opened(path, key) as store:
        found = store._store.find_installation(enterprise_id=None, team_id="T1")
        bot = await store.async_find_bot(enterprise_id=None, team_id="T1")
        token = await store.token("T1")
        count = store.count

    assert found is not None
    assert bot is not None
    assert SECRETS == {name: getattr(found, name) for name in SECRETS}
    assert (SECRETS["bot_token"], SECRETS["bot_token"], 1) == (bot.bot_token, token, count)


async def test_no_token_is_in_the_file(tmp_path: Path) -> None:
    """None of the secrets, nor a piece of one, is among the bytes of the database's files."""
    path = tmp_path / "i.sqlite"
    with opened(path, new_key()) as store:
        await store.async_save(installation())
        await store.async_save(installation("T2"))
    stored = contents(tmp_path)

    assert b"UBOT" in stored
    assert [name for name, secret in SECRETS.items() if secret.encode() in stored] == []
    assert [part for part in (b"xoxb", b"xoxe", b"xoxp", b"hooks.slack") if part in stored] == []


def contents(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir())


async def test_a_changed_key(tmp_path: Path) -> None:
    """A new key put before the old one reads what the old one wrote; after that start the old one may go."""
    path, old, new = tmp_path / "i.sqlite", new_key(), new_key()
    with opened(path, old) as store:
        await store.async_save(installation())
    with opened(path, f"{new}, {old}"):
        pass
    with opened(path, new) as store:
        token = await store.token("T1")

    assert SECRETS["bot_token"] == token


async def test_a_lost_key(tmp_path: Path) -> None:
    """With another key the bot does not start, and says what may be done, without a key or a token."""
    path, other = tmp_path / "i.sqlite", new_key()
    with opened(path, new_key()) as store:
        await store.async_save(installation())
    with pytest.raises(SettingsError, match="cannot be decrypted with it") as caught, opened(path, other):
        pass

    assert other not in str(caught.value)


async def test_a_workspace_that_is_not_listed(tmp_path: Path) -> None:
    """An installation of a workspace that may not install the app is refused, and nothing of it is in the file."""
    with opened(tmp_path / "i.sqlite", new_key()) as store:
        for team in ("T9", None):
            with pytest.raises(NotListed):
                await store.async_save(installation(team, bot_user_id="UEVIL"))

        assert store.count == 0
    assert b"UEVIL" not in contents(tmp_path)


async def test_a_workspace_that_is_not_listed_any_more(tmp_path: Path) -> None:
    """Of a workspace that was listed once, neither the token nor the bot is given, until it is listed again."""
    path, key = tmp_path / "i.sqlite", new_key()
    with opened(path, key) as store:
        await store.async_save(installation())
    later = Installations(f"sqlite:///{path}", "111.222", cipher(key), {"T2"})
    try:
        with pytest.raises(NotInstalled):
            await later.token("T1")
        found = await later.async_find_bot(enterprise_id=None, team_id="T1")
    finally:
        later.close()
    with opened(path, key) as store:
        again = await store.token("T1")

    assert (None, SECRETS["bot_token"]) == (found, again)


async def test_forgetting_a_workspace(tmp_path: Path) -> None:
    """A workspace that took the app away is forgotten, and no other."""
    path = tmp_path / "i.sqlite"
    with opened(path, new_key()) as store:
        await store.async_save(installation())
        await store.async_save(installation("T2"))
        await store.forget("T1")
        with pytest.raises(NotInstalled):
            await store.token("T1")

        assert await store.token("T2") == SECRETS["bot_token"]
        assert store._store.find_installation(enterprise_id=None, team_id="T1") is None


async def test_a_state_is_good_once(tmp_path: Path) -> None:
    """A state is taken once, a made-up one never, and expired ones are not kept."""
    path = tmp_path / "i.sqlite"
    with opened(path, new_key()) as store:
        state = await store.states.async_issue()
        taken = [await store.states.async_consume(each) for each in (state, state, "made up")]
        old = await store.states.async_issue()
        with sqlite3.connect(path) as file:
            file.execute("UPDATE slack_oauth_states SET expire_at = '2020-01-01 00:00:00.000000'")
        file.close()
        late = await store.states.async_consume(old)
        await store.states.async_issue()
        with sqlite3.connect(path) as file:
            (left,) = file.execute("SELECT count(*) FROM slack_oauth_states").fetchone()
        file.close()

    assert ([True, False, False], False, 1) == (taken, late, left)


async def test_on_postgresql(postgres: PostgresDatabase) -> None:
    """Long tokens fit into PostgreSQL's columns, whose lengths are real."""
    store = Installations(postgres.owner_url, "111.222", cipher(new_key()), TEAMS)
    try:
        await store.async_save(installation())
        found = store._store.find_installation(enterprise_id=None, team_id="T1")
        await store.forget("T1")
    finally:
        store.close()

    assert found is not None
    assert SECRETS == {name: getattr(found, name) for name in SECRETS}
