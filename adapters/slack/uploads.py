"""Uploads a file once, also where Slack's replies get lost."""

import asyncio
from io import BytesIO
from pathlib import Path

from slack_sdk.errors import SlackApiError, SlackRequestError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.attached import Attached
from adapters.slack.clients import UNSURE, error_of

TRIES = 3
PAUSE = 0.5
"""Seconds before the second try."""


async def upload(client: AsyncWebClient, channel: str, thread: str, file: Attached) -> None:
    """Upload a file into a thread; raises one of FAILED where it could not be."""
    id = await _sent(client, file)
    try:
        await client.files_completeUploadExternal(
            files=[{"id": id, "title": file.name}], channel_id=channel, thread_ts=thread
        )
    except SlackApiError as error:
        if error_of(error) != "file_not_found":
            raise
        # It is there: the reply was lost, and the step was repeated.


async def _sent(client: AsyncWebClient, file: Attached) -> str:
    """Send the file's bytes, and return the id that Slack gave it."""
    content = file.content.encode() if isinstance(file.content, str) else file.content
    length = len(content) if isinstance(content, bytes) else (await asyncio.to_thread(content.stat)).st_size
    for attempt in range(1, TRIES + 1):
        # An address takes a file once; where the reply to that was lost, all begins again.
        where = await client.files_getUploadURLExternal(filename=file.name, length=length)
        try:
            await _put(client, where["upload_url"], content)
            return str(where["file_id"])
        except (SlackRequestError, *UNSURE):
            if attempt == TRIES:
                raise
        await asyncio.sleep(PAUSE * 2 ** (attempt - 1))
    raise AssertionError("the last try returned or raised")


async def _put(client: AsyncWebClient, url: str, content: bytes | Path) -> None:
    """Send bytes piece by piece: slack_sdk would hold all of them, and the loop, at once."""
    assert client.session is not None
    with BytesIO(content) if isinstance(content, bytes) else await asyncio.to_thread(content.open, "rb") as body:
        async with client.session.post(url, data=body) as answer:
            if answer.status != 200:
                raise SlackRequestError(f"the upload was answered with {answer.status}")
