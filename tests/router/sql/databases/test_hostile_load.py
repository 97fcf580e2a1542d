"""Eight people who ask for too much, for a while: the measurement, which takes ten minutes, is in `tests/bench`."""

import pytest

from tests.bench.bench_hostile_load import run


@pytest.mark.thorough
@pytest.mark.parametrize(("seconds", "answered"), [(4, 1), pytest.param(20, 5, marks=pytest.mark.thorough)])
def test_heavy_and_hostile_queries_hold_up_nobody(seconds: int, answered: int) -> None:
    """The bot stays small, Stop works within a second, and other people's small queries within three.

    Both have twice that here, where other tests run beside it.
    """
    found = run(seconds, timeout=min(5, seconds / 2))

    assert [] == found.wrong
    assert found.gained < 400 * 2**20
    assert max(found.small) < 2 * 3
    assert max(found.stops, default=0) < 2 * 1
    assert len(found.small) > answered
