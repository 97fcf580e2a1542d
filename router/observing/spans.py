"""Spans: what is being done, from when to when, and as part of what; for tracing, which few use.

No attribute holds SQL, a question, a name of a person, or an error's words: those of a database quote rows.
"""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Final, Protocol

Attribute = str | int | float | bool


class Span(Protocol):
    """Something that is being done."""

    def note(self, **attributes: Attribute) -> None:
        """Add what has become known of it."""


class Tracer(Protocol):
    """Begins spans."""

    def __call__(
        self, name: str, detail: str, attributes: Mapping[str, Attribute], /
    ) -> AbstractContextManager[Span]: ...


class _Unseen:
    """The span of what nobody traces."""

    def __enter__(self) -> "_Unseen":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def note(self, **attributes: Attribute) -> None:
        pass


UNSEEN: Final = _Unseen()
_TRACERS: list[Tracer] = []


def span(name: str, detail: str = "", **attributes: Attribute) -> AbstractContextManager[Span]:
    """Have the block seen as a span; `name` is the kind of work, `detail` which of few: a stage, a task, a platform.

    An attribute whose name Python keeps for itself has an underscore behind it (`from_`).
    """
    return _TRACERS[-1](name, detail, attributes) if _TRACERS else UNSEEN


@contextmanager
def traced_by(tracer: Tracer) -> Iterator[None]:
    """Have spans begun by a tracer until the end of the block."""
    _TRACERS.append(tracer)
    try:
        yield
    finally:
        _TRACERS.remove(tracer)
