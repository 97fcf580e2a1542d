"""Memory that is free goes back to the system."""

import ctypes
from pathlib import Path

import pytest

from router.storage.free_memory import trim_malloc

TEXTS, TEXT_BYTES = 100_000, 1_000


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc keeps it")
def test_what_is_free_goes_back() -> None:
    """Also where a little of it is still in use here and there."""
    texts = [bytes(TEXT_BYTES) for _ in range(TEXTS)]
    kept = texts[:: TEXTS // 100]
    full = resident()
    del texts
    trim_malloc()
    assert len(kept) == 100
    assert full - resident() > TEXTS * TEXT_BYTES // 2


def resident() -> int:
    """Return the bytes of memory that this process has."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(lines["VmRSS"].split()[0]) * 1024
