"""Looks whether the port is free that a platform is to be served on."""

import asyncio

from aiohttp import web

from adapters.finding import Finding
from adapters.serving import served
from router.errors import SettingsError


def check_port(port: int) -> list[Finding]:
    """Return whether the port is free."""

    async def run() -> None:
        async with served(web.Application(), port):
            pass

    try:
        asyncio.run(run())
    except SettingsError as error:
        running = "Or is this bot at work there already?"
        return [Finding("FAILED", "port", f"{problem.removeprefix('PORT: ')} {running}") for problem in error.problems]
    return [Finding("ok", "port", f"port {port} is free.")]
