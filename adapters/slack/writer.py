"""Puts drawings into channels: one at a time a channel, each exactly once, simpler where Slack refuses."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from time import time
from typing import Any
from uuid import uuid4

from slack_sdk.errors import SlackApiError

from adapters.attached import Attached
from adapters.chat.alone import Alone
from adapters.chat.recent import Recent
from adapters.chat.surface import Place, Posted
from adapters.slack.clients import FAILED, UNSURE, Clients, error_of, is_lost, is_unsure, word_of
from adapters.slack.drawn import Drawn, Richness
from adapters.slack.refusals import GONE, NO_DRAWING_HELPS, OUTSIDE
from adapters.slack.uploads import upload

log = logging.getLogger("icc_bot")

MARK = "icc_bot_message"
"""The event_type of the metadata by which a message is found whose posting was not confirmed."""

TRIES = 6
"""How often a message is posted whose arrival is uncertain; each time it is looked for first."""

ASIDE = "user_not_in_channel"
"""Slack's word for a person who is not in the channel in which they shall be told something."""

AGO = 600.0
"""Seconds before a message was first sent from which on it is looked for: clocks differ."""

PAGES = 5
"""How many pages of a thread are read in search of a message."""

PERSON = ("U", "W")
"""How a person's id begins."""

NOT_UPLOADED = "I could not upload {name} here. Everything else is kept; ask for it again in a moment."

Make = Callable[[Richness], Drawn]


class Writer:
    """Writes into all channels; `pause` is the unit of waiting between tries, in seconds."""

    def __init__(self, clients: Clients, pause: float = 0.5) -> None:
        self._clients, self._pause = clients, pause
        self._alone = Alone()
        self._directs: Recent[tuple[str, str], str] = Recent()

    async def show(self, place: Place, make: Make, id: str, tries: int = TRIES) -> Posted:
        """Post a message with what is attached to it; `id` is the same when it is posted again.

        Raises one of FAILED where it could not be posted.
        """
        place = self._known(place)
        async with self._alone.at((place.team, place.channel)):
            posted, drawn = await self._richest(make, lambda drawn: self._post(place, drawn, id, tries))
            if posted.channel != place.channel:
                self._directs[place.team, place.channel] = posted.channel
        # Outside the lock: a long upload holds nobody up.
        await self._attach(place, posted, drawn.files)
        return posted

    async def redraw(self, place: Place, posted: Posted, make: Make, id: str = "") -> Posted:
        """Draw a message anew in its place; raises SlackApiError with a word of GONE where it cannot be changed.

        With an `id` it is another message from now on, which is found by this, and what is attached is uploaded.
        """
        marked: dict[str, Any] = {"metadata": _mark(id)} if id else {}

        async def update(drawn: Drawn) -> Posted:
            client = await self._clients.of(place.team)
            await client.chat_update(
                channel=posted.channel, ts=posted.id, text=drawn.text, blocks=list(drawn.blocks), **marked
            )
            return posted

        async with self._alone.at((place.team, posted.channel)):
            _, drawn = await self._richest(make, update)
        if id:
            await self._attach(place, posted, drawn.files)
        return posted

    async def whisper(self, place: Place, user: str, text: str) -> None:
        """Tell one person something that nobody else sees, and that they need not keep."""
        client = await self._clients.of(place.team)
        try:
            await client.chat_postEphemeral(channel=place.channel, user=user, text=text, thread_ts=place.thread or None)
        except SlackApiError as error:
            if error_of(error) != ASIDE:
                raise
            # Who only looks into a channel can press its buttons, and cannot be told anything there.
            await self.show(Place(place.team, user), lambda richness: Drawn(text), f"whisper {uuid4()}")

    async def remove(self, place: Place, posted: Posted) -> None:
        """Delete a message; where that fails, it stays."""
        try:
            client = await self._clients.of(place.team)
            await client.chat_delete(channel=posted.channel, ts=posted.id)
        except FAILED as error:
            if word_of(error) != "message_not_found":  # as after a reply that was lost
                log.warning("a message could not be deleted: %s", word_of(error))

    async def find(self, place: Place, id: str, since: float = 0.0) -> Posted | None:
        """Return the message with this id that was posted into the thread after this moment of the wall clock.

        Without the scope that reads the channel, none is found.
        """
        place = self._known(place)
        if place.channel[:1] in PERSON:
            return None  # nothing was sent there yet, as far as this process knows; Slack would refuse the question
        oldest = max(place.thread, f"{max(since - AGO, 0.0):.6f}")
        where: dict[str, Any] = {"channel": place.channel, "oldest": oldest, "include_all_metadata": True}
        cursor: str | None = None
        try:
            client = await self._clients.of(place.team)
            for _ in range(PAGES):
                if place.thread:
                    answer = await client.conversations_replies(ts=place.thread, limit=200, cursor=cursor, **where)
                else:
                    answer = await client.conversations_history(limit=200, cursor=cursor, **where)
                messages: list[dict[str, Any]] = answer.get("messages", [])
                for message in messages:
                    if _id_of(message) == id:
                        return Posted(place.channel, message["ts"])
                cursor = (answer.get("response_metadata") or {}).get("next_cursor")
                if not cursor:
                    break
        except FAILED as error:
            log.warning("messages of %s cannot be read: %s", place.channel, word_of(error))
        return None

    async def _post(self, place: Place, drawn: Drawn, id: str, tries: int) -> Posted:
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
            except (SlackApiError, *UNSURE) as error:
                if not is_unsure(error):
                    raise
                log.warning("it is uncertain whether a message arrived: %s", word_of(error))
                failure = failure if failure and is_lost(failure) else error
            await asyncio.sleep(self._pause * 2 ** (attempt - 1))
            # Slack may have posted it and lost the reply: nobody wants to read it twice.
            if found := await self.find(place, id, began):
                return found
        assert failure
        raise failure

    async def _richest(self, make: Make, put: Callable[[Drawn], Any]) -> tuple[Posted, Drawn]:
        """Put the richest drawing that Slack takes."""
        for richness in sorted(Richness, reverse=True):
            drawn = await asyncio.to_thread(make, richness)  # a picture of a chart takes its time
            try:
                return await put(drawn), drawn
            except SlackApiError as error:
                word = error_of(error)
                if word in OUTSIDE | GONE | NO_DRAWING_HELPS or is_unsure(error) or richness == min(Richness):
                    raise
                log.warning("Slack refused a message (%s: %s); a simpler one follows", word, _details(error))
        raise AssertionError("the simplest drawing returned or raised")

    async def _attach(self, place: Place, posted: Posted, files: tuple[Attached, ...]) -> None:
        """Upload files below a message; where that fails, the thread is told, and the message stays."""
        thread = place.thread or posted.id
        for file in files:
            try:
                await upload(await self._clients.of(place.team), posted.channel, thread, file)
            except (*FAILED, OSError) as error:  # also where the file has expired meanwhile
                log.warning("a file could not be uploaded: %s", word_of(error))
                sorry = Drawn(NOT_UPLOADED.format(name=file.name))
                await self._post(Place(place.team, posted.channel, thread), sorry, f"{posted.id} {file.name}", TRIES)

    def _known(self, place: Place) -> Place:
        """Return the place with the channel of a person's direct messages, where that is known by now."""
        return replace(place, channel=self._directs.get((place.team, place.channel), place.channel))


def _mark(id: str) -> dict[str, Any]:
    return {"event_type": MARK, "event_payload": {"id": id}}


def _id_of(message: dict[str, Any]) -> str:
    metadata = message.get("metadata") or {}
    ours = metadata.get("event_type") == MARK
    return str(metadata.get("event_payload", {}).get("id", "")) if ours else ""


def _details(error: SlackApiError) -> str:
    metadata: Any = error.response.get("response_metadata") or {}
    return "; ".join(map(str, metadata.get("messages", [])))
