"""How many examples a property is held to: few in each run, many where somebody has the time."""

import os
from typing import Final

THOROUGH: Final = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def examples(few: int) -> int:
    """Return the number for this run; HYPOTHESIS_PROFILE=thorough tries twenty times as many."""
    return 20 * few if THOROUGH else few
