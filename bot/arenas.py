"""How the C library hands out memory to threads."""

import ctypes
import sys
from contextlib import suppress

_M_ARENA_MAX = -8
"""glibc's number of the setting, in malloc.h."""


def keep_few_arenas(most: int = 2) -> None:
    """Let threads share a few arenas; does nothing where there is no glibc.

    By itself glibc keeps one a thread, up to eight a processor, and each keeps what it once had: with many large rows
    under way the process is twice as large.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, most)
