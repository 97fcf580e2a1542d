"""The house whose jobs API the bot uses: its databases, its rules, and everything that is done there."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import TypeAdapter

from adapters.remote.jobs import RemoteJobs
from adapters.remote.link import Link
from adapters.remote.results import RemoteResults
from adapters.remote.tables import RemoteTables
from adapters.remote.trouble import Away, Missing, understood
from adapters.wire import WIRE
from adapters.wire.house import House, connections_of, rules_of
from router.catalog.connection import Connections
from router.errors import BotError, JobFailed, SettingsError

log = logging.getLogger("icc_bot")

_HOUSE = TypeAdapter(House)


class Unreached(SettingsError):
    """Nobody answers at the address that the settings name."""


def house_at(link: Link) -> House:
    """Return what the API says of its house; raises SettingsError where the bot cannot use it."""
    try:
        found, _ = link.changed("/v1/house", "") or ({}, "")
        if found.get("wire") != WIRE:
            raise SettingsError([_other_version(str(found.get("version", "")))])
        return understood(_HOUSE, found)
    except Missing:
        raise SettingsError(
            [f"BASE_URL: {link.address} answers, and is no jobs API that a bot can use, or one of an earlier version."]
        ) from None
    except Away as error:
        raise Unreached([f"BASE_URL: {link.address} cannot be reached. Is icc-bot api at work there?"]) from error
    except BotError as error:
        raise SettingsError([f"BASE_URL: {link.address}: {error}"]) from None


class RemoteSite:
    """Everything of another house; `connections` follow its file."""

    def __init__(self, link: Link, house: House, files: Path, kept: timedelta, clock: Callable[[], datetime]) -> None:
        self.link, self.connections, self.office = link, _connections(house), rules_of(house)
        self.catalog = RemoteTables(link, self.connections, clock)
        self.results = RemoteResults(link, files, kept)
        self.jobs = RemoteJobs(link)
        self._tag = ""

    def renew(self) -> None:
        """Take over what changed in the house; raises JobFailed where that cannot be known now."""
        found = self.link.changed("/v1/house", self._tag)
        if found is None:
            return
        given, tag = found
        if given.get("wire") != WIRE:
            raise JobFailed(_other_version(str(given.get("version", ""))))
        self.connections.renew(_connections(understood(_HOUSE, given)))
        self._tag = tag


def _connections(house: House) -> Connections:
    try:
        return connections_of(house)
    except (ValueError, KeyError, TypeError):
        raise JobFailed(_other_version(house.version)) from None


def _other_version(version: str) -> str:
    return (
        f"BASE_URL: the jobs API there is of another version ({version[:20]}), and it and this bot do not understand "
        "one another. Bring both to the same version of icc-bot."
    )
