"""Puts drawings into channels: one at a time a channel, each exactly once, simpler where Slack refuses."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from slack_sdk.errors import SlackApiError

from adapters.slack.blocks import Attached, Drawn, Richness
from adapters.slack.clients import UNSURE, Clients, error_of, is_unsure

log = logging.getLogger("icc_bot")

MARK = "icc_bot_message"
"""The event_type of the metadata by which a message is found whose posting was not confirmed."""

TRIES = 6
"""How often a message is posted whose arrival is uncertain; each time it is looked for first."""

OUTSIDE = frozenset({"not_in_channel", "channel_not_found", "is_archived", "restricted_action", "user_not_in_channel"})
"""Slack's words for a channel that the bot cannot write to."""

GONE = frozenset({"message_not_found", "cant_update_message", "edit_window_closed"})
"""Slack's words for a message that cannot be changed any more."""

NO_DRAWING_HELPS = frozenset(
    {
        "invalid_auth",
        "not_authed",
        "account_inactive",
        "token_revoked",
        "missing_scope",
        "thread_not_found",
        "no_permission",
    }
)

Make = Callable[[Richness], Drawn]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message goes: a thread of a channel, or the top of it; `channel` may be a person's id."""

    team: str
    channel: str
    thread: str = ""


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that is there."""

    channel: str
    ts: str


class Writer:
    """Writes into all channels; `pause` is the unit of waiting between tries, in seconds."""

    def __init__(self, clients: Clients, pause: float = 0.5) -> None:
        self._clients, self._pause = clients, pause
        self._locks: dict[tuple[str, str], tuple[asyncio.Lock, int]] = {}

    async def show(self, place: Place, make: Make, id: str, tries: int = TRIES) -> Posted:
        """Post a message with what is attached to it; `id` is the same when it is posted again.

        Raises SlackApiError or an error of the network where it could not be posted.
        """
        async with self._alone(place):
            posted, drawn = await self._richest(make, lambda drawn: self._post(place, drawn, id, tries))
            await self._attach(place, posted, drawn.files)
        return posted

    async def redraw(self, place: Place, posted: Posted, make: Make, attach: bool = False) -> Posted:
        """Draw a message anew in its place; where it is gone, post it."""

        async def update(drawn: Drawn) -> Posted:
            client = await self._clients.of(place.team)
            await client.chat_update(
                channel=posted.channel, ts=posted.ts, text=drawn.text, blocks=list(drawn.blocks)
            )
            return posted

        try:
            async with self._alone(place):
                _, drawn = await self._richest(make, update)
                if attach:
                    await self._attach(place, posted, drawn.files)
            return posted
        except SlackApiError as error:
            if error_of(error) not in GONE:
                raise
        return await self.show(place, make, f"{posted.ts} again")

    async def whisper(self, place: Place, user: str, text: str) -> None:
        """Tell one person something that nobody else sees, and that they need not keep."""
        client = await self._clients.of(place.team)
        await client.chat_postEphemeral(
            channel=place.channel, user=user, text=text, thread_ts=place.thread or None
        )

    async def remove(self, place: Place, posted: Posted) -> None:
        """Delete a message; where that fails, it stays."""
        try:
            client = await self._clients.of(place.team)
            await client.chat_delete(channel=posted.channel, ts=posted.ts)
        except (SlackApiError, *UNSURE) as error:
            log.warning("a message could not be deleted: %s", _word(error))

    async def find(self, place: Place, id: str, after: str = "") -> Posted | None:
        """Return the message with this id, if it is among the last of its thread."""
        client = await self._clients.of(place.team)
        where: dict[str, Any] = {"channel": place.channel, "include_all_metadata": True, "limit": 100}
        try:
            if place.thread:
                answer = await client.conversations_replies(ts=place.thread, oldest=after or place.thread, **where)
            else:
                answer = await client.conversations_history(oldest=after or "0", **where)
        except (SlackApiError, *UNSURE) as error:
            log.warning("messages of %s cannot be read: %s", place.channel, _word(error))
            return None
        messages: list[dict[str, Any]] = answer.get("messages", [])
        for message in messages:
            metadata = message.get("metadata") or {}
            if metadata.get("event_type") == MARK and metadata.get("event_payload", {}).get("id") == id:
                return Posted(place.channel, message["ts"])
        return None

    async def _post(self, place: Place, drawn: Drawn, id: str, tries: int) -> Posted:
        client = await self._clients.poster(place.team)
        for attempt in range(1, tries + 1):
            try:
                answer = await client.chat_postMessage(
                    channel=place.channel,
                    thread_ts=place.thread or None,
                    text=drawn.text,
                    blocks=list(drawn.blocks),
                    metadata={"event_type": MARK, "event_payload": {"id": id}},
                    unfurl_links=False,
                    unfurl_media=False,
                )
                return Posted(answer["channel"], answer["ts"])
            except (SlackApiError, *UNSURE) as error:
                if not is_unsure(error) or attempt == tries:
                    raise
                log.warning("it is uncertain whether a message arrived: %s", _word(error))
            await asyncio.sleep(self._pause * 2 ** (attempt - 1))
            # Slack may have posted it and lost the reply: nobody wants to read it twice.
            if found := await self.find(place, id):
                return found
        raise AssertionError("the last try returned or raised")

    async def _richest(self, make: Make, put: Callable[[Drawn], Any]) -> tuple[Posted, Drawn]:
        """Put the richest drawing that Slack takes."""
        for richness in sorted(Richness, reverse=True):
            drawn = make(richness)
            try:
                return await put(drawn), drawn
            except SlackApiError as error:
                word = error_of(error)
                if word in OUTSIDE | GONE | NO_DRAWING_HELPS or is_unsure(error) or richness == min(Richness):
                    raise
                log.warning("Slack refused a message (%s: %s); a simpler one follows", word, _details(error))
        raise AssertionError("the simplest drawing returned or raised")

    async def _attach(self, place: Place, posted: Posted, files: tuple[Attached, ...]) -> None:
        for file in files:
            client = await self._clients.of(place.team)
            content: dict[str, Any] = (
                {"content": file.content} if isinstance(file.content, str | bytes) else {"file": str(file.content)}
            )
            await client.files_upload_v2(
                channel=posted.channel,
                thread_ts=place.thread or posted.ts,
                filename=file.name,
                title=file.name,
                **content,
            )

    @asynccontextmanager
    async def _alone(self, place: Place) -> AsyncIterator[None]:
        """Wait until nobody else writes into the channel; a lock lives as long as somebody wants it."""
        name = (place.team, place.channel)
        lock, wanted = self._locks.get(name, (asyncio.Lock(), 0))
        self._locks[name] = (lock, wanted + 1)
        try:
            async with lock:
                yield
        finally:
            lock, wanted = self._locks[name]
            if wanted == 1:
                del self._locks[name]
            else:
                self._locks[name] = (lock, wanted - 1)


def _word(error: BaseException) -> str:
    return error_of(error) if isinstance(error, SlackApiError) else type(error).__name__


def _details(error: SlackApiError) -> str:
    metadata: Any = error.response.get("response_metadata") or {}
    return "; ".join(map(str, metadata.get("messages", [])))
