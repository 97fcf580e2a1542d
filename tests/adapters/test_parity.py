"""The golden talks on every platform: the same words, buttons, menus, forms, tables and charts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.wiring import Bot
from tests.parity.differences import expected_on
from tests.parity.house import House
from tests.parity.slack import SlackChat, slack_stage
from tests.platforms.slack import Slack
from tests.transcript import play, read, write

FOLDER = Path(__file__).parent.parent / "conversations"
PLAYED = (
    "read_generated read_own_sql read_first_message read_databases read_tables read_second_thoughts read_back "
    "read_strangers read_private"
).split()


@pytest.fixture(name="slack", scope="module")
def _slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Slack, House, Bot]]:
    with slack_stage(tmp_path_factory.mktemp("slack")) as stage:
        yield stage


@pytest.mark.parametrize("name", PLAYED)
def test_a_talk_in_slack(name: str, slack: tuple[Slack, House, Bot]) -> None:
    """People see in Slack what is written down."""
    title, steps = read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    expected = expected_on("slack", steps)
    played = play(expected, SlackChat(*slack))

    assert write(title, expected) == write(title, played)
