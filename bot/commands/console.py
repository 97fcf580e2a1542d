"""`icc-bot console`: holds one talk in this terminal."""

import secrets
import sys
from collections.abc import Iterator
from getpass import getuser

from adapters.console import hold_talk
from bot.command_line import Say
from bot.commands.service import log_to
from bot.settings.environment import Settings
from bot.tracing import send_traces
from bot.wiring.bot import build_bot
from router.memory.draft import User


def serve_console(settings: Settings, say: Say, thread: str = "") -> int:
    """Hold one talk in this terminal; the exit status is 0 when it came to its end or the input did."""
    log_to(settings)
    with (
        send_traces(settings),
        build_bot(settings, say=lambda text: print(text, file=sys.stderr), repeats=False) as bot,
    ):
        user = User(f"console:{getuser()}", getuser(), settings.email)
        hold_talk(bot.router, user, thread or secrets.token_hex(4), _whole_lines(), sys.stdout, sys.stderr)
    return 0


def _whole_lines() -> Iterator[str]:
    """Yield the lines of standard input; bytes that are no text become question marks."""
    for line in sys.stdin.buffer:
        yield line.decode(errors="replace")
