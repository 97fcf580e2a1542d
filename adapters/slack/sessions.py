"""What Slack shows of a thread as an agent's session: at work, waiting for an approval, idle, or closed."""

import logging
from typing import Literal

from adapters.slack.clients import FAILED, Clients, word_of
from router.memory import Memory, Stage, ThreadKey

log = logging.getLogger("icc_bot")

Status = Literal["processing", "active", "suspended", "closed"]


def standing(memory: Memory | None) -> Status:
    """Return the session's status between two turns: suspended while it waits for an approval."""
    stage = memory.stage if memory else Stage.DONE
    if stage in (Stage.CONFIRM_GENERATED_SQL, Stage.CONFIRM_USER_SQL):
        return "suspended"
    return "closed" if stage == Stage.DONE else "active"


async def set_status(clients: Clients, key: ThreadKey, status: Status) -> str:
    """Have Slack show the status, and return its word for why it does not; then nothing is lost."""
    try:
        client = await clients.of(key.team)
        await client.agents_sessions_setStatus(channel_id=key.channel, thread_ts=key.thread, status=status)
    except FAILED as error:
        log.debug("the status of %s could not be set: %s", key, word_of(error))
        return word_of(error)
    return ""
