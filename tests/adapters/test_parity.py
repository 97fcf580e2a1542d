"""The golden talks on every platform: the same words, buttons, menus, forms, tables and charts as without one."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache, lru_cache
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

from bot.wiring.bot import Bot
from tests.parity.chat import Chat
from tests.parity.differences import ALL, DIFFERENCES, Platform, expected_on
from tests.parity.site import ParitySite
from tests.parity.slack import SlackChat, slack_stage
from tests.parity.teams import TeamsChat, teams_stage
from tests.parity.web import Page, WebChat, web_stage
from tests.platforms.slack.stand_in import Slack
from tests.platforms.teams.stand_in import Teams
from tests.support.golden_talk import FOLDER, in_words
from tests.support.postgres import PostgresServer, fresh_database
from tests.support.transcript import play, write

INDEX = FOLDER / "stages.md"
NOT_ON_THE_PAGE = re.compile(r"^@(as|private|humans channel)\b", re.MULTILINE)
"""A talk on the page is seen by nobody but who began it, and there are no channels in which people could be asked."""
NOT_PLAYED = re.compile(r"^@killed\b|^@private$(.|\n)*^@due$", re.MULTILINE)
"""Processes are killed by adapters/*/talks; what is repeated of one's own is asked in one's own messages there."""
SPECIAL = (
    "compare_approvals",
    "glossary_strangers",
    "glossary_terms",
    "handoff_channel",
    "keep_examples",
    "read_chart_kinds",
    "read_own_sql",
    "read_private",
    "read_unmatched",
    "repeat_query",
    "understand_clarify",
    "understand_plan",
    "write_failures",
)
"""Talks in which platforms differ, or draw what no stage alone asks for: channels, strangers, charts, news."""
OVER_A_SERVER = ("compare_typed", "repeat_query", "send_email", "write_second_thoughts")
"""Talks with each kind of job: played also if any process may work on them."""


def talks_through_all_stages() -> set[str]:
    """Return few talks that go through every stage together, by the index of stages: a greedy set cover."""
    stages = defaultdict(set)
    for stage, names in re.findall(r"^\| (\w+) \| \d+ \| (.+) \|$", INDEX.read_text(encoding="utf-8"), re.MULTILINE):
        for name in names.split(", "):
            if not NOT_PLAYED.search(text_of(name)):
                stages[name].add(stage)
    found, left = set(), set().union(*stages.values())
    while left:
        name = max(sorted(stages), key=lambda each: len(stages[each] & left))
        found.add(name)
        left -= stages[name]
    return found


@cache
def text_of(name: str) -> str:
    """Return a talk as it is written down."""
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def has_mail(name: str) -> bool:
    """Return whether the bot has a mail server in a talk."""
    return "\n@mail\n" in text_of(name)


PLAYED = sorted(talks_through_all_stages() | {*SPECIAL, *OVER_A_SERVER}, key=lambda name: (has_mail(name), name))
"""Talks in which the bot has a mail server come last, with a bot of their own."""


def played_on(platform: Platform) -> list[ParameterSet]:
    """Return the talks of a platform: each is an everyday test on one platform; CI plays special ones on all."""
    found = []
    for number, name in enumerate(PLAYED):
        places: list[Platform] = (
            ["slack", "teams"] if NOT_ON_THE_PAGE.search(text_of(name)) else ["slack", "teams", "web"]
        )
        everyday = platform == places[number % len(places)]
        if everyday or (name in SPECIAL and platform in places):
            found.append(pytest.param(name, marks=() if everyday else pytest.mark.thorough))
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


def require_played(name: str, platform: Platform, player: Chat) -> None:
    """Fail unless people see on the platform what the bare router says, but for the differences that are known."""
    title, steps = in_words(name)
    expected = expected_on(platform, steps)

    assert write(title, expected) == write(title, play(expected, player))
    assert player.complaints() == []


@pytest.mark.parametrize("name", played_on("slack"))
def test_a_talk_in_slack(name: str, slack: Stages[Slack]) -> None:
    """People see in Slack what the bare router says."""
    require_played(name, "slack", SlackChat(*slack(has_mail(name))))


@pytest.mark.parametrize("name", played_on("teams"))
def test_a_talk_in_teams(name: str, teams: Stages[Teams]) -> None:
    """People see in Teams what the bare router says."""
    require_played(name, "teams", TeamsChat(*teams(has_mail(name))))


@pytest.mark.parametrize("name", played_on("web"))
def test_a_talk_on_the_page(name: str, page: Stages[Page]) -> None:
    """People see on the web page what the bare router says."""
    require_played(name, "web", WebChat(*page(has_mail(name))))


@pytest.mark.thorough
@pytest.mark.parametrize("name", OVER_A_SERVER)
def test_a_talk_in_slack_over_the_shared_queue(name: str, shared_slack: Stages[Slack]) -> None:
    """The talk is the same where any process may work on it."""
    require_played(name, "slack", SlackChat(*shared_slack(has_mail(name))))


@pytest.mark.thorough
@pytest.mark.parametrize("name", OVER_A_SERVER[:1])
def test_a_talk_in_teams_over_the_shared_queue(name: str, shared_teams: Stages[Teams]) -> None:
    """The talk is the same where any process may work on it."""
    require_played(name, "teams", TeamsChat(*shared_teams(has_mail(name))))


@pytest.mark.thorough
def test_each_difference_is_one() -> None:
    """Without one of the differences, some talk would be expected to go otherwise."""
    talks = [in_words(name)[1] for name in PLAYED]
    found = {platform: [expected_on(platform, talk) for talk in talks] for platform in ALL}

    for difference in DIFFERENCES:
        others = [each for each in DIFFERENCES if each is not difference]
        for platform in difference.where:
            assert found[platform] != [expected_on(platform, talk, others) for talk in talks], difference.reason
