"""The wait that a server asks for by HTTP's Retry-After."""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import time


def retry_after_seconds(headers: Mapping[str, str]) -> float:
    """Return the seconds after which somebody wants to be asked again, 0 if they do not say."""
    given = headers.get("Retry-After", "")
    try:
        return max(0.0, float(given) if given.isdecimal() else parsedate_to_datetime(given).timestamp() - time())
    except ValueError:
        return 0.0
