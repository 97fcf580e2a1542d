"""Looks whether the bot is in a channel that it is to write to; it writes nothing there."""

from aiohttp import ClientError
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.finding import Finding
from adapters.slack.access import Access
from adapters.slack.check import SECONDS

REMEDIES = {
    "not_in_channel": "the bot is not in it: type /invite @icc-bot there",
    "channel_not_found": "there is no such channel, or it is private and the bot is not in it: type /invite @icc-bot "
    "there, or copy its id from “View channel details”",
    "is_archived": "it is archived",
}


async def check_channel(access: Access, about: str, channel: str) -> Finding:
    """Return whether the bot is in a channel; Slack tells that to whoever may read it."""
    client = AsyncWebClient(base_url=access.api_url, timeout=SECONDS)
    try:
        await client.conversations_history(token=access.bot_token.get_secret_value().strip(), channel=channel, limit=1)
    except SlackApiError as error:
        word = str(error.response.get("error"))
        if word in REMEDIES:
            return Finding("FAILED", about, f"slack:{channel}: {REMEDIES[word]}.")
        return Finding("warning", about, f"slack:{channel}: Slack answered {word}, so that it could not be looked at.")
    except (SlackClientError, ClientError, OSError, TimeoutError, ValueError) as error:
        return Finding("warning", about, f"slack:{channel}: Slack cannot be reached ({type(error).__name__}).")
    return Finding("ok", about, f"slack:{channel}: the bot is in it.")
