"""No database is asked on an event loop, except in order: meanwhile, nobody else would be heard there."""

import asyncio
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

ROOT = f"{Path(__file__).parents[2]}/"
OURS = ("adapters/", "bot/", "router/")
STORAGE = "router/storage/"
MAY = ("bot/wiring/", "adapters/ordered_calls.py")
"""Those that may: a bot is built before anybody is heard, and what is asked in order is asked elsewhere when slow."""

_seen: list[str] = []


def _places(frame: FrameType | None) -> Iterator[tuple[str, int]]:
    """Yield each of our files that is at work, the innermost first, with the line in it."""
    while frame:
        path = frame.f_code.co_filename
        if path.startswith(ROOT) and "/.venv/" not in path:
            yield path.removeprefix(ROOT), frame.f_lineno
        frame = frame.f_back


def _look(*_: Any) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    places: list[tuple[str, int]] = []
    for path, line in _places(sys._getframe(1)):
        if path.startswith(MAY):
            return
        if not path.startswith(STORAGE):
            places.append((path, line))
    files = [path for path, _ in groupby(path for path, _ in places)]
    tests = next((number for number, path in enumerate(files) if not path.startswith(OURS)), len(files))
    # A test may ask a store itself; any other caller is two files away from the test, or no test's.
    if tests >= 2 or (tests == len(files) == 1):
        _seen.append(" < ".join(f"{path}:{line}" for path, line in places[:4]))


event.listen(Engine, "before_cursor_execute", _look)


@pytest.fixture(autouse=True)
def _nothing_blocks() -> Iterator[None]:
    """Fail the test in which a database was asked on an event loop."""
    _seen.clear()
    yield
    assert not _seen, f"asked on the event loop: {_seen[0]}"
