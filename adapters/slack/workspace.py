"""The one workspace of a bot that has one token."""

from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.clients import FAILED, word_of
from router.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace's id, and the bot's ids there: as a user, and as a bot."""

    team: str
    user: str
    bot: str


async def own_workspace(client: AsyncWebClient) -> Workspace:
    """Return the workspace that the client's token belongs to; raises SettingsError where Slack does not say."""
    try:
        answer = await client.auth_test()
    except FAILED as error:
        raise SettingsError(
            [f"SLACK_BOT_TOKEN: Slack does not say whose it is ({word_of(error)}). Start again in a minute."]
        ) from error
    return Workspace(str(answer["team_id"]), str(answer["user_id"]), str(answer.get("bot_id", "")))
