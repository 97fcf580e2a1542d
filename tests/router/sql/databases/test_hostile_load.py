"""Eight people who ask for too much, for half a minute: the measurement, which takes ten, is in `tests/bench`."""

from tests.bench.bench_hostile_load import run


def test_heavy_and_hostile_queries_hold_up_nobody() -> None:
    """The bot stays small, Stop works within a second, and other people's small queries within three.

    Both have twice that here, where other tests run beside it.
    """
    found = run(20, timeout=5)

    assert [] == found.wrong
    assert found.gained < 400 * 2**20
    assert max(found.small) < 2 * 3
    assert max(found.stops, default=0) < 2 * 1
    assert len(found.small) > 5
