"""Threads that the bot begins itself: a command has none."""

import logging
from dataclasses import replace

from slack_sdk.errors import SlackApiError
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.chat.surface import Heard, Place
from adapters.slack.clients import UNSURE, error_of
from adapters.slack.drawn import Drawn, Richness
from adapters.slack.inbound import is_direct
from adapters.slack.mrkdwn import fitted
from adapters.slack.refusals import OUTSIDE
from adapters.slack.writer import Writer
from router.turn import Said

log = logging.getLogger("icc_bot")

NOT_THERE = "I am not in that channel, so I answer you in our direct messages. `/invite` me to be asked there."
LONGEST = 2900


async def begin(writer: Writer, heard: Heard, respond: str = "", again: bool = False) -> Heard:
    """Post the words of a command and return the input in the thread under them.

    Where the bot is not in the channel, the thread begins in the person's direct messages, and `respond`, the address
    that came with the command, is told so. `again`: they may be there already.
    """
    assert isinstance(heard.input, Said)
    key, id, root = heard.key, heard.user.id.removeprefix("slack:"), f"{heard.event} root"
    words = f"<@{id}> asks: {fitted(heard.input.text, LONGEST)}"

    def make(richness: Richness) -> Drawn:
        block = {"type": "section", "text": {"type": "mrkdwn", "text": words}, "expand": True}
        return Drawn(words, (block,) if richness > Richness.TEXT else (), ())

    asked, home = Place(key.team, key.channel or id), Place(key.team, id)
    posted = (await writer.find(asked, root) or await writer.find(home, root)) if again else None
    try:
        posted = posted or await writer.show(asked, make, root)
    except SlackApiError as error:
        if error_of(error) not in OUTSIDE:
            raise
        posted = await writer.show(home, make, root)
        await _respond(respond)
    return replace(
        heard, key=replace(key, channel=posted.channel, thread=posted.id), shared=not is_direct(posted.channel)
    )


async def _respond(url: str) -> None:
    if not url:
        return
    try:
        await AsyncWebhookClient(url).send(text=NOT_THERE, response_type="ephemeral")
    except UNSURE as error:
        log.info("a command could not be answered in its channel: %s", type(error).__name__)
