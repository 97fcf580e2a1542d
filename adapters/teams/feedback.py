"""Thumbs below a result: Teams asks what was right or wrong, and both are kept with the answer."""

import asyncio
import logging
from typing import Any

from adapters.chat.admission import TurnedAway, identify
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import offer_example, rated_in
from adapters.ordered_calls import call_in_order
from adapters.teams.inbound import channel_of, is_shared, tenant_of, user_of
from adapters.teams.json_fields import Json, text
from adapters.teams.surface import TeamsSurface
from router.language.outside_json import parse_json
from router.memory.draft import User

log = logging.getLogger("icc_bot")

STRANGER_AFTER_SECONDS = 2.0
"""Seconds after which somebody who presses or types, and is not known by then, counts as a stranger."""
COMMENT_MAX_CHARS = 2_000
COMMENT = "feedbackText"
"""The name of the input in Teams' form."""


async def find_rater(surface: TeamsSurface, activity: Json) -> User | None:
    """Return who acts; None if they are a stranger, or may be one."""
    try:
        return await identify(surface, tenant_of(activity), user_of(activity), STRANGER_AFTER_SECONDS)
    except TurnedAway as why:
        log.warning("%s was refused: %s", user_of(activity).id, why)
        return None


class Thumbs:
    """Takes the thumbs of all conversations."""

    def __init__(self, service: ConversationService, surface: TeamsSurface) -> None:
        self._service, self._surface = service, surface

    async def take(self, activity: Json) -> Json:
        """Keep a thumb; what is neither up nor down is none, and neither is a stranger's."""
        reaction = text(_given(activity), "reaction")
        user = await find_rater(self._surface, activity) if reaction in ("like", "dislike") else None
        if user is None:
            return {"status": 200, "body": {}}
        base, sender = channel_of(activity), self._service.reply_sender
        message = await call_in_order(sender.shown.message, base, text(activity, "replyToId"))
        result, past = rated_in(message.reply) if message else "", sender.router.history
        await asyncio.to_thread(past.rate, user, result, reaction == "like", _comment(activity))
        key = await asyncio.to_thread(past.may_keep, user, result) if reaction == "like" else None
        if key and key.team == tenant_of(activity):
            shared = key.channel != base or is_shared(activity)
            await self._service.take(offer_example(key, user, result, shared=shared))
        return {"status": 200, "body": {}}


def _given(activity: Json) -> Any:
    """Return what was pressed, and what was written with it."""
    value = activity.get("value")
    return value.get("actionValue") if isinstance(value, dict) else None


def _comment(activity: Json) -> str:
    """Return what was written with a thumb: JSON in a text, or nothing."""
    try:
        given = parse_json(text(_given(activity), "feedback") or "{}")
    except ValueError:
        return ""
    return text(given, COMMENT).strip()[:COMMENT_MAX_CHARS]
