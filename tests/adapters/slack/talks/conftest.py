"""One bot for each transport, which all talks share; each talk is looked over at its end."""

from collections.abc import Iterator

import pytest

from tests.adapters.slack.talks.house import House, opened
from tests.platforms.slack.troubles import Troubles

BOTH = ["socket", "http"]


@pytest.fixture(scope="session", params=BOTH)
def shared_house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The house of one transport."""
    with opened(tmp_path_factory.mktemp("house") / request.param, request.param) as house:
        yield house


@pytest.fixture
def house(shared_house: House) -> Iterator[House]:
    """The house, for one talk: Slack refused nothing, disliked nothing, and was acknowledged in time."""
    slack = shared_house.slack
    slack.wait_delivered()
    calls, faults, acks = len(slack.calls), len(slack.faults), len(slack.acks)
    shared_house.explained.clear()
    slack.troubles = Troubles()
    yield shared_house
    shared_house.demand_sound(calls, faults, acks)
