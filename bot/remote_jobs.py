"""Takes jobs, results and tables from the jobs API that the settings name."""

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import datetime

from adapters.remote.address import Address
from adapters.remote.link import Link
from adapters.remote.site import RemoteSite, Unreached, house_at
from adapters.wire.house import House, connections_of
from bot.hourly import hourly
from bot.settings import Settings
from router.catalog.connection import Connections

Say = Callable[[str], None]

MINUTE = 60.0
"""Seconds between two looks at what changed in the house of the API."""
PATIENCE = 30.0
"""Seconds that a start waits for the API: the two may be started at once."""


def remote_jobs(
    settings: Settings, address: Address, say: Say, clock: Callable[[], datetime], stack: ExitStack
) -> RemoteSite:
    """Return what another process does for this bot; it is let go of with the stack. Raises SettingsError."""
    link = Link(address)
    stack.callback(link.close)
    site = RemoteSite(link, _waited_for(link, say, PATIENCE), settings.home / "fetched", settings.results_kept, clock)
    stack.callback(hourly(site.renew, MINUTE).set)
    stack.callback(hourly(site.results.expire).set)
    return site


def remote_connections(address: Address, say: Say) -> Connections:
    """Return the connections of the API's house, without a word on how they are reached; raises SettingsError."""
    return connections_of(house_of(address, say))


def house_of(address: Address, say: Say = lambda text: None, patience: float = PATIENCE) -> House:
    """Return what the API says of its house; raises SettingsError where it does not within so many seconds."""
    with closing(Link(address)) as link:
        return _waited_for(link, say, patience)


def _waited_for(link: Link, say: Say, patience: float) -> House:
    end = time.monotonic() + patience
    while True:
        try:
            return house_at(link)
        except Unreached:
            if time.monotonic() >= end:
                raise
        say(f"Waiting for the jobs API at {link.address}…")
        time.sleep(1)
