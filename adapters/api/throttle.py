"""The throttle of wrong tokens: by the client's address and overall, in bounded memory.

A right token is let in whatever others sent, also from the same address, which may be that of a proxy.
"""

import time
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

WINDOW_SECONDS: Final = 60.0
WRONG_TOKENS_OF_ADDRESS_MAX: Final = 60
WRONG_TOKENS_MAX: Final = 1_000
"""Of all addresses together, within a window."""
ADDRESSES_MAX: Final = 5_000
"""Addresses that are counted by themselves; the others count overall."""


class WrongTokens:
    """Counts the wrong tokens of the present window; used by one event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._began = clock, clock()
        self._counts: dict[str, int] = {}
        self._all = 0

    def count(self, client: str) -> int:
        """Count one more; return 0, or the seconds to wait if these are too many."""
        now = self._clock()
        if now - self._began >= WINDOW_SECONDS:
            self._began, self._all = now, 0
            self._counts.clear()
        self._all += 1
        place = place_of(client)
        if place in self._counts or len(self._counts) < ADDRESSES_MAX:
            self._counts[place] = self._counts.get(place, 0) + 1
        if self._all <= WRONG_TOKENS_MAX and self._counts.get(place, 0) <= WRONG_TOKENS_OF_ADDRESS_MAX:
            return 0
        return max(1, int(self._began + WINDOW_SECONDS - now) + 1)

    def __len__(self) -> int:
        """Return how many addresses are counted."""
        return len(self._counts)


def place_of(client: str) -> str:
    """Return what an address is counted as: one of IPv6 as its network of 64 bits, which one machine may have whole."""
    try:
        address = ip_address(client)
    except ValueError:
        return client[:100]
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or ip_network((int(address) >> 64 << 64, 64)))
    return client
