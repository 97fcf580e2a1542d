"""Another process's installation: its connections and rules, and what stands for its tables, results and jobs."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from adapters.remote.catalog import RemoteCatalog
from adapters.remote.client import ApiAway, ApiClient, ApiMissing, parse_answer
from adapters.remote.jobs import RemoteJobs
from adapters.remote.results import RemoteResults
from adapters.wire import SiteInfo, connections_of, rules_of
from router.catalog.connection import Connections
from router.errors import BotError, JobFailed, SettingsError

OTHER_VERSION: Final = (
    "BASE_URL: the jobs API there is of another version, and it and this bot do not understand one another. Bring both "
    "to the same version of icc-bot."
)


_SITE = TypeAdapter(SiteInfo)


class Unreached(SettingsError):
    """Nobody answers at the address that the settings name."""


def site_at(client: ApiClient) -> SiteInfo:
    """Return what the API says of its site; raises SettingsError if the bot cannot use it."""
    try:
        return SiteInfo.model_validate(client.get("/v1/site"))
    except ValidationError:
        raise SettingsError([OTHER_VERSION]) from None
    except ApiMissing:
        raise SettingsError(
            [
                f"BASE_URL: {client.address} answers, and is no jobs API that a bot can use, or one of an earlier "
                "version."
            ]
        ) from None
    except ApiAway as error:
        raise Unreached([f"BASE_URL: {client.address} cannot be reached. Is icc-bot api at work there?"]) from error
    except BotError as error:
        raise SettingsError([f"BASE_URL: {client.address}: {error}"]) from None


class RemoteSite:
    """Everything of another site; `connections` follow its file."""

    def __init__(
        self, client: ApiClient, site: SiteInfo, files: Path, kept: timedelta, clock: Callable[[], datetime]
    ) -> None:
        self._client, self._known = client, site
        self.connections, self.mail_config = _connections(site), rules_of(site)
        self.catalog = RemoteCatalog(client, self.connections, clock)
        self.results = RemoteResults(client, files, kept)
        self.jobs = RemoteJobs(client)

    def renew(self) -> None:
        """Take over what changed at the site; raises JobFailed if that cannot be known now."""
        found = parse_answer(_SITE, self._client.get("/v1/site"))
        if found != self._known:
            self.connections.renew(_connections(found))
            self.catalog.forget()
            self._known = found


def _connections(site: SiteInfo) -> Connections:
    try:
        return connections_of(site)
    except (ValueError, KeyError, TypeError):
        raise JobFailed(OTHER_VERSION) from None
