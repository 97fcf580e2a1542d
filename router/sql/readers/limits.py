"""What a child may take of the machine. The system holds these limits, whatever the engine does."""

import os
import resource
import signal
import time
from contextlib import suppress

FILE_MAX_BYTES = 2 * 2**30
"""Of one temporary file: nothing else is written."""

CPU_SPARE = 5
"""Seconds of processor time beyond a statement's time-out; the bot ends the statement long before."""


def limit(memory: int) -> None:
    """Bind this process to so many bytes of memory, and make it the first to go where the machine has none left."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which ends its children
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, FILE_MAX_BYTES),
    ):
        with suppress(ValueError, OSError):  # a stricter limit holds already, or the system has none
            resource.setrlimit(what, (most, most))
    with suppress(OSError):  # Linux alone has it
        place = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        try:
            os.write(place, b"1000")
        finally:
            os.close(place)


def allow(seconds: float, threads: int) -> None:
    """Let this process compute that long on so many threads from now on; then the system ends it."""
    used = time.process_time()
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds * threads) + CPU_SPARE, most))
