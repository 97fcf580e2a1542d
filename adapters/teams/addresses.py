"""Which addresses a token may be sent to."""

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

LOCALHOST: Final = "localhost"


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
