"""Takes jobs, results and tables from the jobs API that the settings name."""

import time
from collections.abc import Callable
from contextlib import ExitStack, closing

from adapters.remote.address import ApiAddress
from adapters.remote.client import ApiClient
from adapters.remote.site import RemoteSite, Unreached, site_at
from adapters.wire import SiteInfo, connections_of
from bot.settings.environment import Settings
from router.catalog.connection import Connections
from router.storage.clock import Clock
from router.storage.housekeeping import Housekeeping

Say = Callable[[str], None]

SITE_CHECK_SECONDS = 60.0
"""Seconds between two looks at what changed at the API's site."""
API_START_SECONDS = 30.0
"""Seconds that a start waits for the API: the two may be started at once."""


def remote_jobs(
    settings: Settings,
    address: ApiAddress,
    say: Say,
    clock: Clock,
    stack: ExitStack,
    housekeeping: Housekeeping | None = None,
) -> RemoteSite:
    """Return what another process does for this bot; it is let go of with the stack. Raises SettingsError.

    Without housekeeping, as for a command that is over soon, changes of the other site are not looked for.
    """
    client = ApiClient(address)
    stack.callback(client.close)
    waited = _waited_for(client, say, API_START_SECONDS)
    site = RemoteSite(client, waited, settings.home / "fetched", settings.results_kept, clock)
    if housekeeping:
        housekeeping.add(site.renew, SITE_CHECK_SECONDS)
        housekeeping.add(site.results.expire)
    return site


def remote_connections(address: ApiAddress, say: Say) -> Connections:
    """Return the connections of the API's site, without a word on how they are reached; raises SettingsError."""
    return connections_of(site_of(address, say))


def site_of(address: ApiAddress, say: Say = lambda text: None, patience: float = API_START_SECONDS) -> SiteInfo:
    """Return what the API says of its site; raises SettingsError if it does not within so many seconds."""
    with closing(ApiClient(address)) as client:
        return _waited_for(client, say, patience)


def _waited_for(client: ApiClient, say: Say, patience: float) -> SiteInfo:
    end = time.monotonic() + patience
    while True:
        try:
            return site_at(client)
        except Unreached:
            if time.monotonic() >= end:
                raise
        say(f"Waiting for the jobs API at {client.address}…")
        time.sleep(1)
