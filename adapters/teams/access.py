"""Settings by which the bot reaches Teams, and whom of Teams it answers; read from the environment into one value."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import SecretStr

# Addresses that a token may be sent to, and those that rows may.


LOCALHOST = "localhost"

ONEDRIVE = frozenset({"sharepoint.com", "sharepoint.us", "sharepoint-mil.us", "sharepoint.cn"})
"""The domain of companies' OneDrives, in each of Microsoft's clouds."""


def is_loopback(host: str) -> bool:
    """Return whether this host name or address is this machine."""
    try:
        return host.lower() == LOCALHOST or ip_address(host).is_loopback
    except ValueError:
        return False


def host_of(url: str) -> str:
    """Return the host of an address; empty if there is none, or if somebody could read another one in it."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises if it is no number
        return parts.hostname or "" if parts.username is None else ""
    except ValueError:
        return ""


def is_here(url: str) -> bool:
    """Return whether an address leads to this machine."""
    return is_loopback(host_of(url))


def is_safe(url: str) -> bool:
    """Return whether what is sent to this address is read by nobody on the way: https, or this machine."""
    host, scheme = host_of(url), url.partition(":")[0].lower()
    return bool(host) and (scheme == "https" or (scheme == "http" and is_loopback(host)))


def is_under(url: str, domains: Iterable[str]) -> bool:
    """Return whether an address leads to a host of one of these domains, which are in lower case."""
    host = host_of(url).removesuffix(".")
    plain = re.fullmatch(r"[a-z0-9.-]+", host) is not None  # so that nobody reads another host in it
    return plain and any(f".{host}".endswith(f".{domain}") for domain in domains)


Kind = Literal["SingleTenant", "UserAssignedMSI", "MultiTenant"]
"""The type of a bot, in Azure's words: how it proves who it is, and whose it is."""

NO_SECRET = SecretStr("")

LOGIN = "https://login.microsoftonline.com"


@dataclass(frozen=True, slots=True)
class TeamsAccess:
    """Ids, credentials and addresses; no secret shows in its repr."""

    app_id: str = ""
    kind: Kind | None = None
    tenant: str = ""
    password: SecretStr = NO_SECRET
    certificate: Path | None = None
    """A PEM file with the private key and its certificate, in place of the password."""
    allowed: frozenset[str] = frozenset()
    """The tenants whose people are answered; none given means the app's own."""
    login_url: str = LOGIN
    openid_url: str = ""
    """The address that announces the keys of incoming tokens; empty means that of the cloud of `login_url`."""
    upload_hosts: frozenset[str] = frozenset()
    """The domains where files may be put, beside those of SharePoint."""
    local: bool = False
    """Without any token, for a client on this machine only."""

    @property
    def given(self) -> bool:
        """Return whether anything of Teams is set at all."""
        return bool(self.app_id or self.kind or self.tenant or self.password or self.certificate or self.allowed)

    @property
    def tenants(self) -> frozenset[str]:
        """The tenants whose people are answered, in lower case."""
        return self.allowed or frozenset(filter(None, [self.tenant]))
