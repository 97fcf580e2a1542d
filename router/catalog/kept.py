"""What is worked out of a value once, and kept as long as the value itself is."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import ReferenceType, ref

K = TypeVar("K")
V = TypeVar("V")


def kept(make: Callable[[K], V]) -> Callable[[K], V]:
    """Return the function so that it works once for each object, told apart by identity, and forgets with the object.

    For objects that never change. What `make` returns must not hold the object, which would live for ever. Two threads
    that come first may both do the work.
    """
    found: dict[int, tuple[ReferenceType[K], V]] = {}

    @wraps(make)
    def get(of: K) -> V:
        key = id(of)
        entry = found.get(key)
        if entry is not None and entry[0]() is of:
            return entry[1]
        value = make(of)
        found[key] = (ref(of, lambda gone: _forget(found, key, gone)), value)
        return value

    return get


def _forget(found: dict[int, tuple[ReferenceType[K], V]], key: int, gone: ReferenceType[K]) -> None:
    """Drop the entry of an object that is gone, unless another one has its place by now."""
    entry = found.get(key)
    if entry is not None and entry[0] is gone:
        del found[key]
