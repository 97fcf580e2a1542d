"""The golden talks on every platform: the same words, buttons, menus, forms, tables and charts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.wiring import Bot
from tests.parity.chat import Chat
from tests.parity.differences import DIFFERENCES, Difference, Platform, expected_on
from tests.parity.house import House
from tests.parity.slack import SlackChat, slack_stage
from tests.parity.teams import TeamsChat, teams_stage
from tests.parity.web import Page, WebChat, web_stage
from tests.platforms.slack import Slack
from tests.platforms.teams import Teams
from tests.transcript import play, read, write

FOLDER = Path(__file__).parent.parent / "conversations"
NOT_PLAYED = {
    "read_interrupted": "the process is killed in the midst of a step; adapters/*/talks kill the real ones",
}
NOT_ON_THE_PAGE = {
    "read_strangers": "a talk on the page is seen by nobody but who began it",
    "read_private": "nobody else looks at a page, so that nothing is private there",
}
# Talks that write are no part of this: the databases here are for reading.
PLAYED = sorted({path.stem for path in FOLDER.glob("read_*.txt")} - set(NOT_PLAYED))


@pytest.fixture(name="slack", scope="module")
def _slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Slack, House, Bot]]:
    with slack_stage(tmp_path_factory.mktemp("slack")) as stage:
        yield stage


@pytest.fixture(name="teams", scope="module")
def _teams(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Teams, House, Bot]]:
    with teams_stage(tmp_path_factory.mktemp("teams")) as stage:
        yield stage


@pytest.fixture(name="page", scope="module")
def _page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Page, House, Bot]]:
    with web_stage(tmp_path_factory.mktemp("web")) as stage:
        yield stage


def demand_played(name: str, platform: Platform, player: Chat) -> None:
    """Fail unless people see on the platform what is written down, but for the differences that are written down."""
    title, steps = read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    expected = expected_on(platform, steps)

    assert write(title, expected) == write(title, play(expected, player))
    assert player.complaints() == []


@pytest.mark.parametrize("name", PLAYED)
def test_a_talk_in_slack(name: str, slack: tuple[Slack, House, Bot]) -> None:
    """People see in Slack what is written down."""
    demand_played(name, "slack", SlackChat(*slack))


@pytest.mark.parametrize("name", PLAYED)
def test_a_talk_in_teams(name: str, teams: tuple[Teams, House, Bot]) -> None:
    """People see in Teams what is written down."""
    demand_played(name, "teams", TeamsChat(*teams))


@pytest.mark.parametrize("name", sorted(set(PLAYED) - set(NOT_ON_THE_PAGE)))
def test_a_talk_on_the_page(name: str, page: tuple[Page, House, Bot]) -> None:
    """People see on the web page what is written down."""
    demand_played(name, "web", WebChat(*page))


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.reason)
def test_a_difference_is_one(difference: Difference) -> None:
    """Without this difference, some talk would be expected to go otherwise."""
    others = [each for each in DIFFERENCES if each is not difference]
    talks = [read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))[1] for name in PLAYED]

    for platform in difference.where:
        assert any(expected_on(platform, talk) != expected_on(platform, talk, others) for talk in talks)
