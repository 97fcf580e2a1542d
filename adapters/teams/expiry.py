"""Deletes what nobody can fetch any more."""

import asyncio
import logging
import sqlite3
from typing import Final

from adapters.teams.consents import Consents
from adapters.teams.downloads import Downloads

log = logging.getLogger("icc_bot")

HOUR: Final = 3600.0


async def expire(consents: Consents, downloads: Downloads, pause: float = HOUR) -> None:
    """Delete offers and texts that are too old, now and every hour; ends when it is cancelled."""
    while True:
        try:
            consents.expire()
            await asyncio.to_thread(downloads.expire)
        except (OSError, sqlite3.Error):
            log.exception("what is too old to be handed over could not be deleted")
        await asyncio.sleep(pause)
