"""Which addresses a token may be sent to, and which ones rows may."""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

LOCALHOST: Final = "localhost"

ONEDRIVE: Final = frozenset({"sharepoint.com", "sharepoint.us", "sharepoint-mil.us", "sharepoint.cn"})
"""What the OneDrives of companies are under, in each of Microsoft's clouds."""


def is_loopback(host: str) -> bool:
    """Tell whether this host name or address is this machine."""
    try:
        return host.lower() == LOCALHOST or ip_address(host).is_loopback
    except ValueError:
        return False


def is_here(url: str) -> bool:
    """Tell whether an address leads to this machine."""
    try:
        return is_loopback(urlsplit(url).hostname or "")
    except ValueError:
        return False


def is_safe(url: str) -> bool:
    """Tell whether what is sent to this address is read by nobody on the way: https, or this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port  # raises where it is no number
    except ValueError:
        return False
    if parts.username is not None or not host:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host))


def is_under(url: str, domains: Iterable[str]) -> bool:
    """Tell whether an address leads to a host of one of these domains, which are in lower case."""
    try:
        host = (urlsplit(url).hostname or "").removesuffix(".")
    except ValueError:
        return False
    plain = re.fullmatch(r"[a-z0-9.-]+", host) is not None  # so that nobody reads another host in it
    return plain and any(f".{host}".endswith(f".{domain}") for domain in domains)
