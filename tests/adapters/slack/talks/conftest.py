"""One bot, which all talks share; each talk is looked over at its end."""

from collections.abc import Iterator

import pytest

from tests.adapters.slack.talks.site import SlackSite, opened
from tests.platforms.slack.troubles import Troubles
from tests.support.slack_bot import Mode


@pytest.fixture(scope="session")
def shared_site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackSite]:
    """The site, over a socket unless a test names another transport."""
    transport: Mode = getattr(request, "param", "socket")
    with opened(tmp_path_factory.mktemp("site") / transport, transport) as site:
        yield site


@pytest.fixture
def site(shared_site: SlackSite) -> Iterator[SlackSite]:
    """The site, for one talk: Slack refused nothing, disliked nothing, and was acknowledged in time."""
    slack = shared_site.slack
    slack.wait_delivered()
    calls, faults, acks = len(slack.calls), len(slack.faults), len(slack.acks)
    shared_site.explained.clear()
    slack.troubles = Troubles()
    yield shared_site
    shared_site.require_sound(calls, faults, acks)
