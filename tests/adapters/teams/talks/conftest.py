"""One bot that all talks of a module share; each talk is looked over at its end."""

from collections.abc import Iterator

import pytest

from tests.adapters.teams.talks.site import TeamsSite, opened
from tests.platforms.teams.troubles import Troubles


@pytest.fixture(scope="package")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TeamsSite]:
    """The site of all talks."""
    with opened(tmp_path_factory.mktemp("site") / "teams") as site:
        yield site


@pytest.fixture
def site(shared_site: TeamsSite) -> Iterator[TeamsSite]:
    """The site, for one talk: Teams refused nothing, disliked nothing, and was answered in time."""
    teams = shared_site.teams
    teams.wait_posted()
    calls, faults, posts = len(teams.calls), len(teams.faults), len(teams.posts)
    teams.troubles = Troubles()
    yield shared_site
    shared_site.slow.clear()
    shared_site.require_sound(calls, faults, posts)
