"""How long to wait until something that Microsoft put off is asked again."""

import random
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import time
from typing import Final

LONGEST: Final = 60.0
"""The longest wait between two tries, in seconds, whatever is asked for."""


def wait_of(pause: float, tries: int, headers: Mapping[str, str] | None = None) -> float:
    """Return the seconds until the next try, after so many, twice as long each time.

    `pause` is the unit, in seconds; what the headers of the last answer ask for comes on top.
    """
    wait: float = pause * 2 ** (tries - 1) * random.uniform(0.5, 1.5)  # noqa: S311 - guards nothing
    return min(wait + _asked_for(headers or {}), LONGEST)


def _asked_for(headers: Mapping[str, str]) -> float:
    """Return the seconds after which somebody wants to be asked again, 0 where they do not say."""
    given = headers.get("Retry-After", "")
    try:
        return max(0.0, float(given) if given.isdecimal() else parsedate_to_datetime(given).timestamp() - time())
    except ValueError:
        return 0.0
