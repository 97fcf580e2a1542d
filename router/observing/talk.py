"""The talk that the present thread works for, and the trace of what it works on: they stand in the log's lines."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traced:
    """A talk's key as text, and an id of one input of it: 32 hexadecimal digits, as OpenTelemetry has them.

    `span` is what the tracer keeps of the span at hand, if there is one.
    """

    thread: str = ""
    trace: str = ""
    span: object = None


UNTRACED = Traced()
_PRESENT: ContextVar[Traced] = ContextVar("traced", default=UNTRACED)


def present_work() -> Traced:
    """Return what the present thread works on; empty if it is nobody's."""
    return _PRESENT.get()


@contextmanager
def work_on(thread: str, trace: str = "") -> Iterator[Traced]:
    """Work on something until the end of the block, under a new trace unless one is given."""
    with go_on(Traced(thread, trace or secrets.token_hex(16))) as traced:
        yield traced


@contextmanager
def go_on(traced: Traced) -> Iterator[Traced]:
    """Go on with what another thread works on, until the end of the block."""
    before = _PRESENT.set(traced)
    try:
        yield _PRESENT.get()
    finally:
        _PRESENT.reset(before)
