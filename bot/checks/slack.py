"""Looks at everything that Slack needs, for `icc-bot slack`, `icc-bot slack --check` and the doctor."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from adapters.check_finding import Finding
from adapters.slack.access import cipher
from adapters.slack.check import MANY, check
from bot.settings.environment import Settings
from bot.wiring.state import database_of
from router.catalog.connection import Connection
from router.errors import SettingsError

if TYPE_CHECKING:
    from adapters.slack.installations import Installations


def check_slack(settings: Settings, connections: Mapping[str, Connection]) -> list[Finding]:
    """Return every finding about Slack."""

    async def run() -> list[Finding]:
        return [finding async for finding in check(settings.slack, by_email=uses_email_rights(connections))]

    findings = asyncio.run(run())
    if not any(finding.about == MANY and finding.grade == "FAILED" for finding in findings):
        findings += _installed(settings)
    return findings


def is_listening(settings: Settings) -> bool:
    """Return whether the bot listens on a port."""
    access = settings.slack
    return access.mode == "http" or access.workspaces is not None or "port" in settings.model_fields_set


def installations_of(settings: Settings) -> "Installations | None":
    """Open where installations are kept, None if there is one workspace only; raises SettingsError."""
    given = settings.slack.workspaces
    if given is None:
        return None
    # The half of SQLAlchemy that keeps installations is a fifth of a start, and one workspace needs none of it.
    from adapters.slack.installations import Installations

    database = given.database_url.get_secret_value() or database_of(settings)
    return Installations(database, given.client_id, cipher(given.token_key.get_secret_value()), given.teams)


def _installed(settings: Settings) -> list[Finding]:
    """Look whether the installations can be read."""
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        installations = installations_of(settings)
    except SettingsError as error:
        return [Finding("FAILED", MANY, problem) for problem in error.problems]
    if installations is None:
        return []
    try:
        return [Finding("ok", MANY, f"installed in {installations.count} so far.")]
    finally:
        installations.close()


def uses_email_rights(connections: Mapping[str, Connection]) -> bool:
    """Return whether any right is given to an e-mail address."""
    people = {
        person
        for connection in connections.values()
        for listed in (connection.readers, connection.approvers, connection.writers, connection.teachers)
        for person in listed or ()
    }
    return any("@" in person and ":" not in person for person in people)
