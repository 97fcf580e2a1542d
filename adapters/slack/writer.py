"""Puts drawings into channels: one at a time a channel, each exactly once, simpler if Slack refuses."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from time import time
from typing import Any
from uuid import uuid4

from slack_sdk.errors import SlackApiError, SlackRequestError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.keyed_lock import KeyedLock
from adapters.chat.surface import MessagePlace, Posted
from adapters.rendering.attachment import Attached
from adapters.slack.clients import FAILED, UNSURE_ERRORS, Clients, error_of, is_lost, is_unsure, word_of
from adapters.slack.drawing import Draw, SlackMessage
from adapters.slack.errors import OF_THIS_TOKEN, is_of_this_drawing, is_outside
from router.observing.metrics import RETRIES

# Uploads: a file goes up once, also if Slack's replies get lost.


UPLOAD_TRIES = 3
UPLOAD_RETRY_SECONDS = 0.5
"""Seconds before the second try."""


async def upload(client: AsyncWebClient, place: MessagePlace, *files: Attached, comment: str = "") -> None:
    """Upload files into a thread, as one message with a comment; raises one of FAILED if they could not be."""
    sent: list[dict[str, str | None]] = [{"id": await _sent(client, file), "title": file.name} for file in files]
    try:
        await client.files_completeUploadExternal(
            files=sent,
            channel_id=place.channel,
            thread_ts=place.thread or None,
            initial_comment=comment or None,
        )
    except SlackApiError as error:
        if error_of(error) != "file_not_found":
            raise
        # It is there: the reply was lost, and the step was repeated.


async def _sent(client: AsyncWebClient, file: Attached) -> str:
    """Send the file's bytes, and return the id that Slack gave it."""
    content = file.content.encode() if isinstance(file.content, str) else file.content
    length = len(content) if isinstance(content, bytes) else (await asyncio.to_thread(content.stat)).st_size
    described = {"alt_txt": file.alt} if file.alt else {}
    for attempt in range(1, UPLOAD_TRIES + 1):
        # An address takes a file once; if the reply to that was lost, all begins again.
        where = await client.files_getUploadURLExternal(filename=file.name, length=length, **described)
        try:
            await _put(client, where["upload_url"], content)
            return str(where["file_id"])
        except (SlackRequestError, *UNSURE_ERRORS):
            if attempt == UPLOAD_TRIES:
                raise
        await asyncio.sleep(UPLOAD_RETRY_SECONDS * 2 ** (attempt - 1))
    raise AssertionError("the last try returned or raised")


async def respond(url: str, text: str) -> bool:
    """Answer a command or a press at its own address, to the person alone; return whether Slack took it.

    That takes neither a scope nor that the bot is in the channel: Slack takes it for half an hour, five times.
    """
    if not url:
        return False
    try:
        answer = await AsyncWebhookClient(url).send(text=text, response_type="ephemeral", replace_original=False)
    except UNSURE_ERRORS as error:
        log.info("something could not be answered at its own address: %s", type(error).__name__)
        return False
    return answer.status_code == 200


async def _put(client: AsyncWebClient, url: str, content: bytes | Path) -> None:
    """Send bytes piece by piece: slack_sdk would hold all of them, and the loop, at once."""
    assert client.session is not None
    with BytesIO(content) if isinstance(content, bytes) else await asyncio.to_thread(content.open, "rb") as body:
        async with client.session.post(url, data=body) as answer:
            if answer.status != 200:
                raise SlackRequestError(f"the upload was answered with {answer.status}")


log = logging.getLogger("icc_bot")

METADATA_EVENT_TYPE = "icc_bot_message"
"""The event_type of the metadata by which a message is found whose posting was not confirmed."""

POST_TRIES = 6
"""The number of times that a message is posted whose arrival is uncertain; each time it is looked for first."""

CLOCK_SKEW_SECONDS = 600.0
"""Seconds before a message was first sent from which on it is looked for: clocks differ."""

SEARCHED_PAGES_MAX = 5
"""The pages of a thread that are read in search of a message."""

PERSON_ID_PREFIXES = ("U", "W")
"""The letters that a person's id begins with."""

NOT_UPLOADED = "I could not upload {name} here. Everything else is kept; ask for it again in a moment."

HANDED_OVER = "Here is the file."


class Writer:
    """Writes into all channels; `pause` is the unit of waiting between tries, in seconds."""

    def __init__(self, clients: Clients, pause: float = 0.5) -> None:
        self._clients, self._pause = clients, pause
        self._locks = KeyedLock()
        self._directs: BoundedCache[tuple[str, str], str] = BoundedCache()

    async def show(self, place: MessagePlace, draw: Draw, id: str, tries: int = POST_TRIES) -> Posted:
        """Post a message with what is attached to it; `id` is the same when it is posted again.

        Raises one of FAILED if it could not be posted.
        """
        place = self._known(place)
        async with self._locks.at((place.team, place.channel)):
            posted, drawn = await self._drawn(draw, lambda drawn: self._post(place, drawn, id, tries))
            if posted.channel != place.channel:
                self._directs[place.team, place.channel] = posted.channel
        # Outside the lock: a long upload holds nobody up.
        await self._attach(place, posted, drawn.files)
        return posted

    async def hand_over(self, place: MessagePlace, message: SlackMessage, id: str) -> Posted:
        """Post files as a message of their own, its text as their comment; if that fails, a sentence says so.

        Slack does not tell which message that is. Raises one of FAILED if nothing can be posted there at all.
        """
        place = self._known(place)
        if place.channel[:1] in PERSON_ID_PREFIXES:  # a file goes into a conversation, which a message opens
            return await self.show(place, lambda rich: replace(message, text=message.text or HANDED_OVER), id)
        if sorry := await self._uploaded(place, message.files, message.text):
            said = SlackMessage("\n\n".join(filter(None, (message.text, sorry))))
            return await self.show(place, lambda rich: said, id)
        return Posted(place.channel, "")

    async def redraw(self, place: MessagePlace, posted: Posted, draw: Draw, id: str = "") -> Posted:
        """Draw a message again in its place; raises SlackApiError with a word of GONE if it cannot be changed.

        With an `id` it is another message from now on, which is found by this, and what is attached is uploaded.
        """
        marked: dict[str, Any] = {"metadata": _mark(id)} if id else {}

        async def update(drawn: SlackMessage) -> Posted:
            client = await self._clients.of(place.team)
            await client.chat_update(
                channel=posted.channel, ts=posted.id, text=drawn.text, blocks=list(drawn.blocks), **marked
            )
            return posted

        async with self._locks.at((place.team, posted.channel)):
            _, drawn = await self._drawn(draw, update)
        if id:
            await self._attach(place, posted, drawn.files)
        return posted

    async def whisper(self, place: MessagePlace, user: str, text: str) -> None:
        """Send one person a text that nobody else sees, and that they need not keep.

        If Slack does not take it in the channel, as when the bot or the person is not in it, they are told as an
        answer to what they did there, or else in a direct message.
        """
        client = await self._clients.of(place.team)
        try:
            await client.chat_postEphemeral(channel=place.channel, user=user, text=text, thread_ts=place.thread or None)
        except SlackApiError as error:
            if is_unsure(error):
                raise
            log.info("%s cannot be told anything in %s: %s", user, place.channel, word_of(error))
            if await respond(place.respond, text):
                return
            if error_of(error) in OF_THIS_TOKEN:
                raise
            await self.show(MessagePlace(place.team, user), lambda rich: SlackMessage(text), f"whisper {uuid4()}")

    async def remove(self, place: MessagePlace, posted: Posted) -> None:
        """Delete a message; if that fails, it stays."""
        try:
            client = await self._clients.of(place.team)
            await client.chat_delete(channel=posted.channel, ts=posted.id)
        except FAILED as error:
            if word_of(error) != "message_not_found":  # as after a reply that was lost
                log.warning("a message could not be deleted: %s", word_of(error))

    async def find(self, place: MessagePlace, id: str, since: float = 0.0) -> Posted | None:
        """Return the message with this id that was posted into the thread after this moment of the wall clock.

        Without the scope that reads the channel, none is found.
        """
        place = self._known(place)
        if place.channel[:1] in PERSON_ID_PREFIXES:
            return None  # nothing was sent there yet, as far as this process knows; Slack would refuse the question
        where: dict[str, Any] = {
            "channel": place.channel,
            "oldest": max(place.thread, f"{max(since - CLOCK_SKEW_SECONDS, 0.0):.6f}"),
            "include_all_metadata": True,
            "limit": 200,
        } | ({"ts": place.thread} if place.thread else {})
        try:
            client = await self._clients.of(place.team)
            read = client.conversations_replies if place.thread else client.conversations_history
            for _ in range(SEARCHED_PAGES_MAX):
                answer = await read(**where)
                messages: list[dict[str, Any]] = answer.get("messages", [])
                if ts := next((each["ts"] for each in messages if _id_of(each) == id), ""):
                    return Posted(place.channel, ts)
                where["cursor"] = (answer.get("response_metadata") or {}).get("next_cursor")
                if not where["cursor"]:
                    break
        except FAILED as error:
            log.warning("messages of %s cannot be read: %s", place.channel, word_of(error))
        return None

    async def _post(self, place: MessagePlace, drawn: SlackMessage, id: str, tries: int) -> Posted:
        client, began = await self._clients.poster(place.team), time()
        failure: Exception | None = None
        for attempt in range(1, tries + 1):
            try:
                answer = await client.chat_postMessage(
                    channel=place.channel,
                    thread_ts=place.thread or None,
                    text=drawn.text,
                    blocks=list(drawn.blocks),
                    metadata=_mark(id),
                    unfurl_links=False,
                    unfurl_media=False,
                )
                return Posted(answer["channel"], answer["ts"])
            except (SlackApiError, *UNSURE_ERRORS) as error:
                if not is_unsure(error):
                    raise
                log.warning("it is uncertain whether a message arrived: %s", word_of(error))
                failure = failure if failure and is_lost(failure) else error
            RETRIES.add("slack")
            await asyncio.sleep(self._pause * 2 ** (attempt - 1))
            # Slack may have posted it and lost the reply: nobody wants to read it twice.
            if found := await self.find(place, id, began):
                return found
        assert failure
        raise failure

    async def _drawn(self, draw: Draw, put: Callable[[SlackMessage], Awaitable[Posted]]) -> tuple[Posted, SlackMessage]:
        """Put a message; in words alone if Slack refuses its blocks."""
        drawn = await asyncio.to_thread(draw, True)  # a picture of a chart takes its time
        try:
            return await put(drawn), drawn
        except SlackApiError as error:
            if not is_of_this_drawing(error_of(error)) or is_unsure(error):
                raise
            log.warning("Slack refused a message (%s: %s); its words follow", error_of(error), _details(error))
        drawn = await asyncio.to_thread(draw, False)
        return await put(drawn), drawn

    async def _attach(self, place: MessagePlace, posted: Posted, files: tuple[Attached, ...]) -> None:
        """Upload files below a message; if that fails, the thread is told, and the message stays."""
        below = MessagePlace(place.team, posted.channel, place.thread or posted.id)
        if files and (sorry := await self._uploaded(below, files)):
            await self._post(below, SlackMessage(sorry), f"{posted.id} files", POST_TRIES)

    async def _uploaded(self, place: MessagePlace, files: tuple[Attached, ...], comment: str = "") -> str:
        """Upload files; returns a sentence if that failed. Raises SlackApiError if the place is not writable."""
        try:
            await upload(await self._clients.of(place.team), place, *files, comment=comment)
        except (*FAILED, OSError) as error:  # also if a file has expired meanwhile
            if isinstance(error, SlackApiError) and is_outside(error_of(error)):
                raise
            log.warning("a file could not be uploaded: %s", word_of(error))
            return NOT_UPLOADED.format(name=", ".join(file.name for file in files))
        return ""

    def _known(self, place: MessagePlace) -> MessagePlace:
        """Return the place with the channel of a person's direct messages, if that is known by now."""
        return replace(place, channel=self._directs.get((place.team, place.channel), place.channel))


def _mark(id: str) -> dict[str, Any]:
    return {"event_type": METADATA_EVENT_TYPE, "event_payload": {"id": id}}


def _id_of(message: dict[str, Any]) -> str:
    metadata = message.get("metadata") or {}
    ours = metadata.get("event_type") == METADATA_EVENT_TYPE
    return str(metadata.get("event_payload", {}).get("id", "")) if ours else ""


def _details(error: SlackApiError) -> str:
    metadata: Any = error.response.get("response_metadata") or {}
    return "; ".join(map(str, metadata.get("messages", [])))
