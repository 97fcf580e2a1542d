"""A Slack whose people talk with several processes of the bot."""

from collections.abc import Iterator

import pytest

from adapters.slack.scopes import OPTIONAL_SCOPES, SCOPES
from tests.platforms.slack.stand_in import Slack
from tests.support.replicas import TALKS


@pytest.fixture(name="slack")
def _slack() -> Iterator[Slack]:
    with Slack() as slack:
        slack.scopes = {*SCOPES, *OPTIONAL_SCOPES}
        for number in range(TALKS):
            slack.channel(f"C{100 + number}")
            slack.user(f"U{number}", f"Ana {number}", f"ana{number}@example.com")
        yield slack
