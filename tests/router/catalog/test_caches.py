"""Results that are worked out of a value once."""

import gc
from weakref import ref

from router.catalog.caches import weakly_cached


class Thing:
    def __init__(self, name: str) -> None:
        self.name = name


def test_it_is_worked_out_once_for_each_object() -> None:
    """Objects are told apart by what they are, not by what they equal."""
    asked: list[str] = []

    @weakly_cached
    def shout(thing: Thing) -> str:
        asked.append(thing.name)
        return thing.name.upper()

    a, b = Thing("a"), Thing("a")
    assert ["A", "A", "A"] == [shout(a), shout(a), shout(b)]
    assert ["a", "a"] == asked


def test_it_is_forgotten_with_the_object() -> None:
    """What was worked out lives no longer than what it was worked out of, and is never taken for another's."""

    @weakly_cached
    def shout(thing: Thing) -> Thing:
        return Thing(thing.name.upper())

    values = []
    for number in range(100):  # each lies where the one before it lay
        value = shout(Thing(f"n{number}"))
        assert value.name == f"N{number}"
        values.append(ref(value))
    del value
    gc.collect()
    assert not [value for value in values if value() is not None]
