"""The one workspace of a bot that has one token."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.clients import FAILED, word_of

log = logging.getLogger("icc_bot")

AGAIN = 3.0
"""Seconds after which Slack is asked anew."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace's id, and the bot's ids there: as a user, and as a bot."""

    team: str
    user: str
    bot: str


@dataclass(slots=True)
class Own:
    """The workspace that the bot's token belongs to; None until Slack has said which it is."""

    known: Workspace | None = None

    async def ask(self, client: AsyncWebClient, tell: Callable[[str], None]) -> None:
        """Ask until Slack says it; whoever runs the bot is told once that it does not."""
        told = False
        while self.known is None:
            try:
                answer = await client.auth_test()
                self.known = Workspace(str(answer["team_id"]), str(answer["user_id"]), str(answer.get("bot_id", "")))
            except FAILED as error:
                log.warning("Slack does not say whose the bot's token is: %s", word_of(error))
                if not told:
                    tell(
                        f"SLACK_BOT_TOKEN: Slack does not say whose it is ({word_of(error)}). Nobody is answered "
                        "before it does; I go on asking."
                    )
                told = True
                await asyncio.sleep(AGAIN)
