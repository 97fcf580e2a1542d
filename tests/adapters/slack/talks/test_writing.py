"""Talks that write and e-mail, in Slack: `tests.support.writing_talks` holds them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.adapters.slack.talks.scene import SlackScene, slack_place
from tests.platforms.slack.stand_in import Slack
from tests.support.writing_scene import Place, Scene
from tests.support.writing_talks import RESTARTS, TALKS, what_is_private_stays_so


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, Slack]]:
    """One bot for the talks in which it stays."""
    with (
        slack_place(tmp_path_factory.mktemp("writing") / "site") as (place, slack),
        SlackScene(place, slack=slack).at_work(),
    ):
        yield place, slack


@pytest.fixture
def writing(shared: tuple[Place, Slack]) -> Iterator[tuple[Place, Slack]]:
    """The bot for one talk, in which Slack refuses nothing and dislikes nothing."""
    place, slack = shared
    refused, faults = len(slack.refused), len(slack.faults)
    place.post.letters.clear()
    yield shared
    assert ([], []) == (slack.refused[refused:], slack.faults[faults:])


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk.__name__)
def test_a_talk(writing: tuple[Place, Slack], talk: Callable[[Scene], None]) -> None:
    """The talk goes as it is told there."""
    place, slack = writing
    talk(SlackScene(place, slack=slack))


def test_what_is_private(writing: tuple[Place, Slack]) -> None:
    """In a channel whose results are for the asker alone, nobody else reads where one goes."""
    place, slack = writing
    what_is_private_stays_so(SlackScene(place, "CSECRET", slack=slack))


@pytest.mark.parametrize("talk", RESTARTS, ids=lambda talk: talk.__name__)
def test_a_restart(tmp_path: Path, talk: Callable[[Scene], None]) -> None:
    """The talk goes on as it is told there when another process takes over."""
    with slack_place(tmp_path / "site") as (place, slack):
        talk(SlackScene(place, slack=slack))
        assert ([], []) == (slack.refused, slack.faults)
