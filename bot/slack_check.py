"""Looks at everything that Slack needs, for `icc-bot slack`, `icc-bot slack --check` and the doctor."""

import asyncio
from collections.abc import Mapping

from adapters.finding import Finding
from adapters.slack.access import Access
from adapters.slack.check import check
from router.catalog.connection import Connection


def check_slack(access: Access, connections: Mapping[str, Connection]) -> list[Finding]:
    """Return every finding about Slack."""

    async def run() -> list[Finding]:
        return [finding async for finding in check(access, by_email=by_email(connections))]

    return asyncio.run(run())


def by_email(connections: Mapping[str, Connection]) -> bool:
    """Tell whether any right is given to an e-mail address."""
    people = {
        person
        for connection in connections.values()
        for listed in (connection.readers, connection.approvers, connection.writers)
        for person in listed or ()
    }
    return any("@" in person and ":" not in person for person in people)
