"""Where the bot answers, and where results are for the asker alone."""

from dataclasses import dataclass

from router.catalog.people import EVERYBODY
from router.memory import ThreadKey


@dataclass(frozen=True, slots=True)
class Channels:
    """Channels by platform and id, such as "slack:C0123ABCD", or "*" for all.

    `allowed` is None where the file does not say: then the bot answers wherever it was invited.
    """

    allowed: frozenset[str] | None = None
    private: frozenset[str] = frozenset()

    def allow(self, key: ThreadKey) -> bool:
        """Tell whether the bot answers in the channel of this thread."""
        return self.allowed is None or _listed(key, self.allowed)

    def keep_private(self, key: ThreadKey) -> bool:
        """Tell whether results in the channel of this thread are for the asker alone."""
        return _listed(key, self.private)


def _listed(key: ThreadKey, names: frozenset[str]) -> bool:
    return EVERYBODY in names or f"{key.platform}:{key.channel}" in names
