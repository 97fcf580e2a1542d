"""The Home tab of somebody who has much repeated."""

from pathlib import Path

from adapters.slack.home import HOME_SCHEDULES_MAX, home_view
from bot.wiring.bot import built
from router.cards import Option
from router.jobs.feedback import AnsweredQuestion
from router.memory.draft import User
from router.schedules.listing import ListedSchedule
from tests.support.bot_settings import settings_of

MOST_BLOCKS = 100
ANA = User("slack:UANA", "Ana")


def test_it_has_no_more_blocks_than_slack_takes(tmp_path: Path) -> None:
    """Of many, the first are shown, and how to see the others."""
    ways = (Option("repeat:resume:T-1", "Resume"), Option("repeat:stop:T-1", "Stop", "danger"))
    repeated = [ListedSchedule(f"T-{n}", f"query {n}", "every hour", ways) for n in range(50)]
    asked = [AnsweredQuestion(str(n), "slack/T1/C1/1.2", ANA.id, "shop", "why?", "SELECT 1", "1 row") for n in range(8)]
    with built(settings_of({"ICC_BOT_HOME": str(tmp_path)}), demo=True) as bot:
        view = home_view(ANA, bot.services, asked, repeated, "You stopped this.")
        few = home_view(ANA, bot.services, asked, repeated[:HOME_SCHEDULES_MAX])
    assert len(view["blocks"]) + 20 <= MOST_BLOCKS  # so many databases are listed
    assert f"query {HOME_SCHEDULES_MAX - 1}*" in str(view)
    assert f"query {HOME_SCHEDULES_MAX}*" not in str(view)
    assert "30 more: type `schedules`" in str(view)
    assert "more: type" not in str(few)
