"""Listening for HTTP until the end of a block."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from router.errors import SettingsError

ALL: Final = "0.0.0.0"  # noqa: S104 - a platform, or a proxy before the bot, comes from outside
LOOPBACK: Final = "127.0.0.1"


@asynccontextmanager
async def served(site: web.Application, port: int, host: str = ALL) -> AsyncIterator[int]:
    """Listen until the end of the block, and give the port; what is being answered then gets a moment to end.

    Raises SettingsError where the port is taken.
    """
    runner = web.AppRunner(site, access_log=None, shutdown_timeout=2, handle_signals=False)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise SettingsError(
                [f"PORT: port {port} cannot be listened on ({error.strerror}). Set PORT to a free one."]
            ) from error
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()
