"""How many examples a property is held to: few every day, many in CI, very many where somebody has the time."""

import os
from typing import Final

PROFILE: Final = os.environ.get("HYPOTHESIS_PROFILE", "few")
"""`few`, the same in each run; `many`, which CI tries, and others in each run; `thorough`, twenty times as many."""


def examples(many: int) -> int:
    """Return the number for this run, by the number that the profile `many` tries."""
    return {"few": min(many, max(5, many // 5)), "many": many, "thorough": 20 * many}[PROFILE]
