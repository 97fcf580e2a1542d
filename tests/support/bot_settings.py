"""Settings of a bot that a test runs in its own process."""

from collections.abc import Mapping

import pytest

from bot.settings.environment import Settings, read_settings


def settings_of(environment: Mapping[str, str]) -> Settings:
    """Return the settings that this environment gives; it is gone afterwards, so that no later bot finds it."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        return read_settings()


import os, secrets  # noqa
from tests.support.postgres import PostgresServer, OWNER  # noqa

_plain = settings_of


def settings_of(environment):  # type: ignore
    port = os.environ.get("PARITY_PG")
    if not port:
        return _plain(environment)
    server = PostgresServer(int(port))
    name = f"p_{secrets.token_hex(5)}"
    with server.connect() as c:
        c.execute(f"CREATE DATABASE {name} OWNER {OWNER}".encode())
    return _plain({**environment, "ICC_BOT_DATABASE_URL": server.url(name)})
