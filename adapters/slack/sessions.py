"""The agent's session that Slack shows of a thread: its status, its title, and who began it."""

import logging
from dataclasses import dataclass
from typing import Any, Final, Literal

from slack_sdk.errors import SlackApiError

from adapters.chat.bounded_cache import BoundedCache
from adapters.slack.clients import FAILED, Clients, error_of, word_of
from adapters.slack.errors import is_of_this_drawing
from router.language.wording import truncate
from router.memory.stage import Stage
from router.memory.thread import Memory, ThreadKey

log = logging.getLogger("icc_bot")

Status = Literal["processing", "active", "suspended", "closed"]

TITLE_MAX_CHARS: Final = 100
"""Characters of a title; Slack takes 200, and shows fewer in a list."""

SESSION_NOT_FOUND: Final = "session_not_found"
"""Slack's word for a thread that has no session, whatever its title."""


def standing(memory: Memory | None) -> Status:
    """Return the session's status between two turns: suspended while it waits for an approval."""
    stage = memory.stage if memory else Stage.DONE
    if stage in (Stage.CONFIRM_GENERATED_SQL, Stage.CONFIRM_USER_SQL):
        return "suspended"
    return "closed" if stage == Stage.DONE else "active"


def titled(text: str) -> str:
    """Return a text as the title of a session, in one line."""
    return truncate(" ".join(text.split()), TITLE_MAX_CHARS)


@dataclass(slots=True)
class Begun:
    """A thread that began not long ago: what was said first, and by whom, by Slack's id."""

    title: str
    by: str
    told: bool = False
    """True once Slack knows it: later statuses go without."""
    refused: bool = False
    """True once Slack took neither the title nor who began: the session stays without, whatever is heard again."""
    untitled: bool = False
    """True once a turn is over that asked nothing, such as a greeting: the first question gives the title then."""


class Sessions:
    """The sessions of all workspaces; where Slack does not show one, nothing is lost, and the log says so."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._begun: BoundedCache[ThreadKey, Begun] = BoundedCache()
        """Threads whose title may still change. After a restart a thread keeps the title that it has."""
        self.shown = True
        """False where Slack refused the last status, as of an app that is no agent."""

    def begin(self, key: ThreadKey, text: str, by: str) -> None:
        """Note what a thread begins with, until its session has a title."""
        if key not in self._begun and (title := titled(text)):
            self._begun[key] = Begun(title, by)

    async def show(self, key: ThreadKey, memory: Memory | None, working: bool) -> None:
        """Have Slack show that the bot works in a thread, or what it waits for there."""
        begun = self._begun.get(key)
        first = begun if begun and not begun.told and not begun.untitled else None
        try:
            await self._set(key, "processing" if working else standing(memory), first)
            if begun and not working:
                await self._title(key, begun, titled(memory.draft.question) if memory else "")
            self.shown = True
        except FAILED as error:
            self.shown = word_of(error) == "ratelimited"
            log.debug("the session of %s could not be shown: %s", key, word_of(error))

    async def _set(self, key: ThreadKey, status: Status, first: Begun | None) -> None:
        """Set the status; what Slack does not take of a new session's title and beginner is left out from then on."""
        client = await self._clients.of(key.team)
        call: dict[str, Any] = {"channel_id": key.channel, "thread_ts": key.thread, "status": status}
        if first is None:
            await client.agents_sessions_setStatus(**call)
            return
        try:
            await client.agents_sessions_setStatus(**call, title=first.title, initiator_user_id=first.by)
            first.told = True
        except SlackApiError as error:
            word = error_of(error)
            if not is_of_this_drawing(word) or word == SESSION_NOT_FOUND:
                raise
            log.warning("the session of %s has no title: %s", key, word_of(error))
            first.told = first.refused = True
            await client.agents_sessions_setStatus(**call)

    async def _title(self, key: ThreadKey, begun: Begun, question: str) -> None:
        """Name the session by its first question, where what was said first was none; only once."""
        if not question:
            begun.untitled = True
            return
        self._begun.pop(key, None)
        if begun.untitled and not begun.refused:
            client = await self._clients.of(key.team)
            await client.agents_sessions_rename(channel_id=key.channel, thread_ts=key.thread, title=question)
