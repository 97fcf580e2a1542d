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

ROOT = Path(__file__).parents[2]
OURS = ("adapters", "bot", "router")
STORAGE, WIRING = ("router", "storage"), ("bot", "wiring")
IN_ORDER = ("adapters", "in_order.py")
"""Makes a call elsewhere where the database is slow."""

_seen: list[str] = []


def _places(frame: FrameType | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the parts of each of our files that is at work, the innermost first, with where in it."""
    while frame:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / ".venv"):
            yield path.relative_to(ROOT).parts, f"{path.relative_to(ROOT)}:{frame.f_lineno}"
        frame = frame.f_back


def _look(*_: Any) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    places = [(parts, where) for parts, where in _places(sys._getframe(1)) if parts[:2] != STORAGE]
    if any(parts[:2] == WIRING or parts == IN_ORDER for parts, _ in places):
        return  # a bot is built before anybody is heard
    files = [parts for parts, _ in groupby(parts for parts, _ in places)]
    tests = next((number for number, parts in enumerate(files) if parts[0] not in OURS), len(files))
    # A test may ask a store itself; whoever else does so is two files away from the test, or no test's.
    if tests >= 2 or (tests == len(files) == 1):
        _seen.append(" < ".join(where for _, where in places[:4]))


event.listen(Engine, "before_cursor_execute", _look)


@pytest.fixture(autouse=True)
def _nothing_blocks() -> Iterator[None]:
    """Fail the test in which a database was asked on an event loop."""
    _seen.clear()
    yield
    assert not _seen, f"asked on the event loop: {_seen[0]}"
