"""The command line: `icc-bot demo`, and what those who run the bot need."""

import argparse
import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from bot.commands.arguments import parser
from router.errors import BotError, SettingsError

THREAD_ARENAS_MAX: Final = 2
_M_ARENA_MAX: Final = -8
"""glibc's number of the setting, in malloc.h."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    os.umask(0o077)  # questions, SQL and results are for nobody else on this machine
    keep_few_arenas()
    try:
        raise SystemExit(run(arguments))
    except SettingsError as error:
        print("icc-bot cannot start:", *(f"- {problem}" for problem in error.problems), sep="\n", file=sys.stderr)
        raise SystemExit(2) from None
    except BotError as error:
        print(f"icc-bot: {error}", file=sys.stderr)
        raise SystemExit(1) from None
    except (KeyboardInterrupt, BrokenPipeError):
        raise SystemExit(130) from None


def run(argv: list[str]) -> int:
    """Run the command that `argv` names and return its exit status."""
    if argv[:1] == ["guard"]:  # it has a help and an exit status of its own
        from bot.commands.guard import run as guard
        from bot.commands.guard import scope_of

        return guard(argv[1:], scope_of)
    given = parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = given.run
    return command(given)


def keep_few_arenas() -> None:
    """Let threads share a few of the C library's arenas; does nothing where there is no glibc.

    By itself glibc keeps one a thread, up to eight a processor, and each keeps what it once had: with many large rows
    under way the process is twice as large.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, THREAD_ARENAS_MAX)


if __name__ == "__main__":
    main()
