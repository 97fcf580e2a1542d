"""Looks at everything that Teams needs, for `icc-bot teams`, `icc-bot teams --check` and the doctor."""

import asyncio

from adapters.finding import Finding
from adapters.teams.access import Access
from adapters.teams.check import check


def check_teams(access: Access) -> list[Finding]:
    """Return every finding about Teams."""

    async def run() -> list[Finding]:
        return [finding async for finding in check(access)]

    return asyncio.run(run())
