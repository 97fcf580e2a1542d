"""The golden talks on every platform: the same words, buttons, menus, forms, tables and charts."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

from bot.wiring.bot import Bot
from tests.parity.chat import Chat
from tests.parity.differences import DIFFERENCES, Difference, Platform, expected_on
from tests.parity.site import ParitySite
from tests.parity.slack import SlackChat, slack_stage
from tests.parity.teams import TeamsChat, teams_stage
from tests.parity.web import Page, WebChat, web_stage
from tests.platforms.slack.stand_in import Slack
from tests.platforms.teams.stand_in import Teams
from tests.support.postgres import PostgresServer, fresh_database
from tests.support.transcript import play, read, write

FOLDER = Path(__file__).parent.parent / "conversations"
KILLED = "the process is killed in the midst of a step; adapters/*/talks kill the real ones"
NOT_PLAYED = {file.stem: KILLED for file in FOLDER.glob("*.txt") if "\n@killed " in file.read_text(encoding="utf-8")}
NOT_PLAYED["repeat_private"] = (
    "what is asked in one's own messages is not asked in the thread; talks of each platform hold it"
)
NO_CHANNELS = "the page has no channels in which people could be asked"
NOT_ON_THE_PAGE = {
    "compare_approvals": "a talk on the page is seen by nobody but who began it",
    "compare_strangers": "a talk on the page is seen by nobody but who began it",
    "glossary_strangers": "a talk on the page is seen by nobody but who began it",
    "read_strangers": "a talk on the page is seen by nobody but who began it",
    "read_private": "nobody else looks at a page, so that nothing is private there",
    "handoff_channel": NO_CHANNELS,
    "handoff_strangers": NO_CHANNELS,
    "handoff_unasked": NO_CHANNELS,
    "repeat_strangers": "a talk on the page is seen by nobody but who began it",
    "write_strangers": "a talk on the page is seen by nobody but who began it",
}
MAILED = [file.stem for file in FOLDER.glob("*.txt") if "\n@mail\n" in file.read_text(encoding="utf-8")]
"""Talks in which the bot has a mail server: they come last, with a bot of their own."""
PLAYED = sorted({file.stem for file in FOLDER.glob("*.txt")} - set(NOT_PLAYED), key=lambda name: (name in MAILED, name))


def played_on(platform: Platform) -> list[ParameterSet]:
    """Return the talks of a platform; every second is an everyday test on one of its platforms; CI plays all on all."""
    found = []
    for number, name in enumerate(PLAYED):
        places: list[Platform] = ["slack", "teams"] if name in NOT_ON_THE_PAGE else ["slack", "teams", "web"]
        if platform in places:
            # Every day, all talks are played without a platform, and every second one on one of its platforms.
            everyday = number % 2 == 0 and platform == places[number // 2 % len(places)]
            marks = () if everyday else pytest.mark.thorough
            found.append(pytest.param(name, marks=marks))
    return found


P = TypeVar("P")
Stages = Callable[[bool], tuple[P, ParitySite, Bot]]
"""Gives what a talk is played on, with a mail server or without."""


@contextmanager
def one_by_one(open: Callable[[bool], AbstractContextManager[tuple[P, ParitySite, Bot]]]) -> Iterator[Stages[P]]:
    """Keep one stage open at a time."""
    with ExitStack() as stack:

        @lru_cache(maxsize=1)
        def stage(mails: bool) -> tuple[P, ParitySite, Bot]:
            stack.close()
            return stack.enter_context(open(mails))

        yield stage


@pytest.fixture(name="slack", scope="module")
def _slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages[Slack]]:
    with one_by_one(lambda mails: slack_stage(tmp_path_factory.mktemp("slack"), mails)) as stage:
        yield stage


@pytest.fixture(name="teams", scope="module")
def _teams(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages[Teams]]:
    with one_by_one(lambda mails: teams_stage(tmp_path_factory.mktemp("teams"), mails)) as stage:
        yield stage


@pytest.fixture(name="page", scope="module")
def _page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages[Page]]:
    with one_by_one(lambda mails: web_stage(tmp_path_factory.mktemp("web"), mails)) as stage:
        yield stage


Stage = Callable[..., AbstractContextManager[tuple[P, ParitySite, Bot]]]


@contextmanager
def over_a_server(stage: Stage[P], folders: pytest.TempPathFactory, server: PostgresServer) -> Iterator[Stages[P]]:
    """Keep one stage open at a time, whose bot keeps its state in a database of its own."""

    @contextmanager
    def open(mails: bool) -> Iterator[tuple[P, ParitySite, Bot]]:
        with (
            fresh_database(server) as database,
            stage(folders.mktemp("shared"), mails, state=database.owner_url) as opened,
        ):
            yield opened

    with one_by_one(open) as stages:
        yield stages


@pytest.fixture(name="shared_slack", scope="module")
def _shared_slack(tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer) -> Iterator[Stages[Slack]]:
    with over_a_server(slack_stage, tmp_path_factory, postgres_server) as stages:
        yield stages


@pytest.fixture(name="shared_teams", scope="module")
def _shared_teams(tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer) -> Iterator[Stages[Teams]]:
    with over_a_server(teams_stage, tmp_path_factory, postgres_server) as stages:
        yield stages


def demand_played(name: str, platform: Platform, player: Chat) -> None:
    """Fail unless people see on the platform what is written down, but for the differences that are written down."""
    title, steps = read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    expected = expected_on(platform, steps)

    assert write(title, expected) == write(title, play(expected, player))
    assert player.complaints() == []


@pytest.mark.parametrize("name", played_on("slack"))
def test_a_talk_in_slack(name: str, slack: Stages[Slack]) -> None:
    """People see in Slack what is written down."""
    demand_played(name, "slack", SlackChat(*slack(name in MAILED)))


@pytest.mark.parametrize("name", played_on("teams"))
def test_a_talk_in_teams(name: str, teams: Stages[Teams]) -> None:
    """People see in Teams what is written down."""
    demand_played(name, "teams", TeamsChat(*teams(name in MAILED)))


@pytest.mark.parametrize("name", played_on("web"))
def test_a_talk_on_the_page(name: str, page: Stages[Page]) -> None:
    """People see on the web page what is written down."""
    demand_played(name, "web", WebChat(*page(name in MAILED)))


@pytest.mark.thorough
@pytest.mark.parametrize("name", PLAYED[::2])
def test_a_talk_in_slack_over_the_shared_queue(name: str, shared_slack: Stages[Slack]) -> None:
    """The talk is the same where any process may work on it."""
    demand_played(name, "slack", SlackChat(*shared_slack(name in MAILED)))


@pytest.mark.thorough
@pytest.mark.parametrize("name", PLAYED[1::2])
def test_a_talk_in_teams_over_the_shared_queue(name: str, shared_teams: Stages[Teams]) -> None:
    """The talk is the same where any process may work on it."""
    demand_played(name, "teams", TeamsChat(*shared_teams(name in MAILED)))


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.reason)
def test_a_difference_is_one(difference: Difference) -> None:
    """Without this difference, some talk would be expected to go otherwise."""
    others = [each for each in DIFFERENCES if each is not difference]
    talks = [read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))[1] for name in PLAYED]

    for platform in difference.where:
        assert any(expected_on(platform, talk) != expected_on(platform, talk, others) for talk in talks)
