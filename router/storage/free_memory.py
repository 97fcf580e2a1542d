"""Gives memory that is free back to the system: what a start, a large file or a chart took for a moment."""

import ctypes

MEMORY_SECONDS = 60.0
"""Seconds from one time to the next: it takes a few milliseconds."""


def trim_malloc() -> None:
    """Give back what is free; only glibc keeps it until it is asked."""
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
