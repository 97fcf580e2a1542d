"""Uploads a file once, also where Slack's replies get lost."""

from typing import Any

from slack_sdk.errors import SlackApiError, SlackRequestError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.clients import error_of
from adapters.slack.drawn import Attached

TRIES = 3


async def upload(client: AsyncWebClient, channel: str, thread: str, file: Attached) -> None:
    """Upload a file into a thread; raises one of FAILED where it could not be."""
    given = "content" if isinstance(file.content, str | bytes) else "file"
    content: dict[str, Any] = {given: file.content if given == "content" else str(file.content)}
    for attempt in range(1, TRIES + 1):
        try:
            await client.files_upload_v2(
                channel=channel, thread_ts=thread, filename=file.name, title=file.name, **content
            )
            return
        except SlackApiError as error:
            if error_of(error) != "file_not_found":
                raise
            return  # it is there: the reply to the last step was lost, and the step was repeated
        except SlackRequestError:
            # An address takes a file once; where the reply to that was lost, all begins again.
            if attempt == TRIES:
                raise
