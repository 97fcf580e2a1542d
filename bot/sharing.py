"""The arguments of processes that share the work: `icc-bot worker`, and those that take in what it works on."""

import argparse
from functools import partial
from typing import Final

QUEUES: Final = ("slack", "teams", "web")
"""The names of all queues: one a platform, and the page."""

TALKS_AT_ONCE: Final = 256
TALKS_MAX: Final = 1024
"""Talks that one process works on at once: unless told otherwise, and at most.

The first is `adapters.turns.WORKERS`, whose import no help waits for; a test holds them together.
"""


def add_worker(command: argparse.ArgumentParser) -> None:
    """Give `icc-bot worker` its arguments."""
    command.add_argument(
        "--queues",
        type=_queues,
        default=[],
        metavar="NAMES",
        help="whose talks it works on, with commas: slack,teams,web (default: every platform that is set up; "
        "the page only if named)",
    )
    command.add_argument(
        "--connections",
        type=_connections,
        metavar="NAMES",
        help="the connections whose databases it opens, with commas, or none; other workers open the rest (default: "
        "all). Where no platform is set up, it does the jobs on these databases and nothing else",
    )
    add_concurrency(command, least=1)
    add_sample(command)
    command.set_defaults(run=_run_worker)


def add_sample(command: argparse.ArgumentParser) -> None:
    """Add the word that the sample company is meant, where there is no connections.toml."""
    command.add_argument(
        "--sample", action="store_true", help="a trial on an invented company, as every card says; no connections.toml"
    )


def add_concurrency(command: argparse.ArgumentParser, least: int) -> None:
    """Let a command be told how many talks it works on at once."""
    none = "; 0 leaves all to `icc-bot worker`" if least == 0 else ""
    command.add_argument(
        "--concurrency",
        type=partial(_talks_at_once, least=least),
        default=TALKS_AT_ONCE,
        metavar="N",
        help=f"how many talks it works on at once (default: {TALKS_AT_ONCE}){none}",
    )


def _talks_at_once(text: str, least: int) -> int:
    if not text.isdecimal() or not least <= int(text) <= TALKS_MAX:
        raise argparse.ArgumentTypeError(f"{text} is no number from {least} to {TALKS_MAX}")
    return int(text)


def _queues(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in QUEUES:
            raise argparse.ArgumentTypeError(f'"{name}" is no queue; there are {", ".join(QUEUES)}')
    return names


def _connections(text: str) -> list[str]:
    names = {name.strip().casefold(): name.strip() for name in text.split(",") if name.strip()}
    if not names:
        raise argparse.ArgumentTypeError('no connection is named; write "none" to open no database')
    return [] if list(names) == ["none"] else list(names.values())


def _run_worker(given: argparse.Namespace) -> int:
    from bot.commands.worker import serve_worker

    return serve_worker(given.queues, given.concurrency, given.connections, given.sample)
