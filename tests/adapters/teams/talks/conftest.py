"""One bot that all talks of a module share; each talk is looked over at its end."""

from collections.abc import Iterator

import pytest

from tests.adapters.teams.talks.house import House, opened
from tests.platforms.teams.troubles import Troubles


@pytest.fixture(scope="package")
def shared_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The house of all talks."""
    with opened(tmp_path_factory.mktemp("house") / "teams") as house:
        yield house


@pytest.fixture
def house(shared_house: House) -> Iterator[House]:
    """The house, for one talk: Teams refused nothing, disliked nothing, and was answered in time."""
    teams = shared_house.teams
    teams.wait_posted()
    calls, faults, posts = len(teams.calls), len(teams.faults), len(teams.posts)
    teams.troubles = Troubles()
    yield shared_house
    shared_house.slow.clear()
    shared_house.demand_sound(calls, faults, posts)
