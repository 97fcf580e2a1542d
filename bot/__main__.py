"""The program: one command, its exit status, and the end of the process."""

import atexit
import ctypes
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NoReturn

from bot.command_line import run_command
from router.errors import BotError, SettingsError

THREAD_ARENAS_MAX: Final = 2
_M_ARENA_MAX: Final = -8
"""glibc's number of the setting, in malloc.h."""


def start() -> NoReturn:
    """Run the program, and end its process once nothing is left to do.

    The interpreter is not taken down: its last steps stop daemon threads wherever they are, and one that stands in a
    library written in C++ aborts the process, which a service manager takes for a crash.
    """
    status = 0
    try:
        main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def main(argv: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    os.umask(0o077)  # questions, SQL and results are for nobody else on this machine
    keep_few_arenas()
    try:
        raise SystemExit(run_command(arguments))
    except SettingsError as error:
        print("icc-bot cannot start:", *(f"- {problem}" for problem in error.problems), sep="\n", file=sys.stderr)
        raise SystemExit(2) from None
    except BotError as error:
        print(f"icc-bot: {error}", file=sys.stderr)
        raise SystemExit(1) from None
    except (KeyboardInterrupt, BrokenPipeError):
        raise SystemExit(130) from None


def keep_few_arenas() -> None:
    """Let threads share a few of the C library's arenas; does nothing if there is no glibc.

    By itself glibc keeps one a thread, up to eight a processor, and each keeps what it once had: with many large rows
    under way the process is twice as large.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, THREAD_ARENAS_MAX)


if __name__ == "__main__":
    start()
