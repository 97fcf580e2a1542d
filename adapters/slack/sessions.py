"""The agent's session that Slack shows of a thread: its status, its title, and who began it."""

import logging
from typing import Any, Final, Literal

from adapters.chat.bounded_cache import BoundedCache
from adapters.slack.clients import FAILED, Clients, word_of
from router.language.wording import truncate
from router.memory.stage import Stage
from router.memory.thread import Memory, ThreadKey

log = logging.getLogger("icc_bot")

Status = Literal["processing", "active", "suspended", "closed"]

TITLE_MAX_CHARS: Final = 100
"""Characters of a title; Slack takes 200, and shows fewer in a list."""


def standing_status(memory: Memory | None) -> Status:
    """Return the session's status between two turns: suspended while it waits for an approval."""
    stage = memory.stage if memory else Stage.DONE
    if stage in (Stage.CONFIRM_GENERATED_SQL, Stage.CONFIRM_USER_SQL):
        return "suspended"
    return "closed" if stage == Stage.DONE else "active"


def make_title(text: str) -> str:
    """Return a text as the title of a session, in one line."""
    return truncate(" ".join(text.split()), TITLE_MAX_CHARS)


class Sessions:
    """The sessions of all workspaces; if Slack does not show one, nothing is lost, and the log says so."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._begun: BoundedCache[ThreadKey, tuple[str, str]] = BoundedCache()
        """First message and its author of threads that began not long ago; empty once Slack has them."""
        self.shown = True
        """False if Slack refused the last status, as of an app that is no agent."""

    def begin(self, key: ThreadKey, text: str, by: str) -> None:
        """Note what a thread begins with, which is the title of its session."""
        if key not in self._begun:
            self._begun[key] = (make_title(text), by)

    async def show(self, key: ThreadKey, memory: Memory | None, working: bool) -> None:
        """Have Slack show that the bot works in a thread, or what it waits for there."""
        status = "processing" if working else standing_status(memory)
        call: dict[str, Any] = {"channel_id": key.channel, "thread_ts": key.thread, "status": status}
        title, by = self._begun.get(key, ("", ""))
        if title:
            self._begun[key] = ("", "")
        named = {"title": title, "initiator_user_id": by} if title else {}
        try:
            client = await self._clients.of(key.team)
            await client.agents_sessions_setStatus(**call, **named)
            self.shown = True
        except FAILED as error:
            self.shown = word_of(error) == "ratelimited"
            log.debug("the session of %s could not be shown: %s", key, word_of(error))
