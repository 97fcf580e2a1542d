"""The Home tab of somebody of whom there is much to tell."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from adapters.slack.home import HOME_CONNECTIONS_MAX, HOME_SCHEDULES_MAX, HomeFacts, home_view
from bot.wiring.bot import Bot, build_bot
from router.approval_requests import WaitingApproval
from router.cards import Option
from router.catalog.connection import Connections
from router.jobs.feedback import AnsweredQuestion
from router.jobs.job_entry import JobEntry, JobState, Request
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.schedules.listing import ListedSchedule
from router.storage.clock import now
from tests.support.bot_settings import settings_of

MOST_BLOCKS = 100
ANA = User("slack:UANA", "Ana")
ACME = "https://acme.slack.com"
KEY = ThreadKey("slack", "T1", "C1", "1795000000.000100")
WAYS = (Option("repeat:resume:T-1", "Resume"), Option("repeat:stop:T-1", "Stop", "danger"))


def much(count: int) -> HomeFacts:
    """Return what there is to tell of somebody who has so much of everything."""
    asked = [
        AnsweredQuestion(str(n), "slack/T1/C1/1.2", ANA.id, "shop", "why?", "SELECT 1", "1 row") for n in range(count)
    ]
    jobs = [
        JobEntry(str(n), Request(str(n), "read_sql", {}, thread=str(KEY)), JobState.RUNNING, 1, 1234, now())
        for n in range(count)
    ]
    approvals = [WaitingApproval(KEY, f"revenue {n} <!channel>", now(), "Shop", "Bob") for n in range(count)]
    repeated = [ListedSchedule(f"T-{n}", f"query {n}", "every hour", WAYS) for n in range(count)]
    return HomeFacts(asked[:8], repeated, approvals, jobs, "You stopped this.")


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bot]:
    """A bot over the sample company."""
    with build_bot(settings_of({"ICC_BOT_HOME": str(tmp_path_factory.mktemp("home"))}), demo=True) as bot:
        yield bot


def test_it_has_no_more_blocks_than_slack_takes(bot: Bot) -> None:
    """Of many, the first are shown, and how many more there are."""
    demo = next(iter(bot.services.connections.values()))
    many = Connections(replace(demo, name=f"c{n}", readers=None, examples=("why?",)) for n in range(30))
    view = home_view(ANA, replace(bot.services, connections=many), much(50), ACME)
    few = home_view(ANA, bot.services, much(1), ACME)
    assert len(view["blocks"]) <= MOST_BLOCKS
    assert f"query {HOME_SCHEDULES_MAX - 1}*" in str(view)
    assert f"query {HOME_SCHEDULES_MAX}*" not in str(view)
    assert f"{50 - HOME_SCHEDULES_MAX} more. Type `schedules`" in str(view)
    assert f"{30 - HOME_CONNECTIONS_MAX} more." in str(view)
    assert " more." not in str(few)
