"""The listener of the bot in Teams: each activity is answered at once, and what was heard is handed over."""

import asyncio
import logging
import math
from dataclasses import replace
from time import time
from zlib import crc32

from botbuilder.core import TurnContext
from botbuilder.schema import ChannelAccount

from adapters.chat.admission import send_privately
from adapters.chat.conversation_service import ConversationService
from adapters.chat.inbox import EVENT_LIFETIME
from adapters.chat.surface import Heard
from adapters.ordered_calls import call_in_order
from adapters.teams.botbuilder.adapter import TurnAdapter, received_activity
from adapters.teams.botbuilder.handler import TeamsHandler
from adapters.teams.clicks import Clicks
from adapters.teams.controls import matching
from adapters.teams.conversations import reference_of
from adapters.teams.feedback import Thumbs, find_rater
from adapters.teams.home import greet, is_home, show_home
from adapters.teams.inbound import channel_of, heard_message, is_shared, menu_in, tenant_of, user_of
from adapters.teams.json_fields import Json, text
from adapters.teams.message_action import MessageAction
from adapters.teams.surface import TeamsSurface
from router.turn import Said

log = logging.getLogger("icc_bot")

EDIT_KNOWN_SECONDS = EVENT_LIFETIME.total_seconds() - 3600.0
"""Seconds for which it is known for sure whether a message was taken."""
FILE_CONTENT_TYPE = "application/vnd.microsoft.teams.file.download.info"
PICTURE_PREFIX = "image/"

FILES_UNREAD = "I can't read files or pictures, so I left yours unopened. I go by what you write."


class TeamsListeners(TeamsHandler):
    """Takes every activity that was let in."""

    def __init__(self, service: ConversationService, surface: TeamsSurface) -> None:
        self.clicks = clicks = Clicks(service, surface)
        message_action = MessageAction(service, surface)
        super().__init__(
            {
                "adaptiveCard/action": clicks.pressed,
                "task/fetch": clicks.opened,
                "task/submit": clicks.sent,
                "fileConsent/invoke": self._consented,
                "application/search": self._searched,
                "message/submitAction": Thumbs(service, surface).take,
                "composeExtension/fetchTask": message_action.form,
                "composeExtension/submitAction": message_action.take,
            }
        )
        self.service, self.surface = service, surface
        self._adapter = TurnAdapter()

    async def on_activity(self, activity: Json) -> Json | None:
        """Take one activity; returns the answer to an invoke, None for what is not known."""
        return await self._adapter.process(activity, self.on_turn)

    async def on_turn(self, turn_context: TurnContext) -> None:
        """Note where the bot is spoken to, then call the method for this kind of activity."""
        activity = received_activity(turn_context)
        if takes_away(activity):
            await self._leave(activity)
            return
        here = reference_of(activity), user_of(activity).id, not is_shared(activity)
        await call_in_order(self.surface.references.keep, *here)
        await super().on_turn(turn_context)

    async def on_members_added_activity(self, members_added: list[ChannelAccount], turn_context: TurnContext) -> None:
        """Greet people who have the bot for the first time, and nobody twice."""
        activity, first = received_activity(turn_context), self.service.reply_sender.shown.welcome
        place = activity["conversation"]["id"]
        if _names_bot(activity, "membersAdded") and await call_in_order(first, tenant_of(activity), place):
            self.service.spawn(greet(self.service, self.surface, activity))

    async def _leave(self, activity: Json) -> None:
        """Delete what is kept of the conversation, or of all channels of the team, that the bot was taken out of."""
        known = await call_in_order(self.surface.references.channels, reference_of(activity).team)
        # A chat may be taken away before anything of it was heard.
        for channel in {channel_of(activity), *known}:
            self.service.spawn(self._forget(tenant_of(activity), channel))

    async def _forget(self, tenant: str, channel: str) -> None:
        await call_in_order(self.surface.references.forget, channel)
        await self.service.forget(tenant, channel)
        await asyncio.to_thread(self.surface.files.forget, channel)

    async def on_message_activity(self, turn_context: TurnContext) -> None:
        """Take what somebody wrote."""
        activity = received_activity(turn_context)
        value = activity.get("value")
        if isinstance(value, dict) and "v" in value:  # an old client, which knows no Action.Execute
            await self.clicks.submitted(activity, value)
            return
        heard = await call_in_order(heard_message, activity, self.service.reply_sender.shown)
        if brings_files(activity):
            await self._take_brought(heard)
        elif is_home(heard):
            self.service.spawn(show_home(self.service, self.surface, heard, activity))
        else:
            await self.service.take(heard)

    async def _take_brought(self, heard: Heard) -> None:
        """Take the words that came with a file, if there are any, and say that the file is not read."""
        if _words(heard):
            fresh = await self.service.take(heard) is not None
        else:
            fresh = await call_in_order(self.service.inbox.note, heard)  # so that it is known when it comes again
        if fresh:
            self.service.spawn(send_privately(self.surface, heard.at, heard.user, FILES_UNREAD))

    async def on_teams_message_edit(self, turn_context: TurnContext) -> None:
        """Take a message as its author changed it; one that may be forgotten by now stays as it was."""
        activity = received_activity(turn_context)
        heard = heard_message(activity)
        if _age(activity) < EDIT_KNOWN_SECONDS:
            # The same change may come twice under two times; the words tell it from one that comes back to them.
            mark = f"changed {text(activity, 'timestamp')[:16]} {crc32(_words(heard).encode()):08x}"
            await self.service.change(heard, mark)

    async def on_teams_message_soft_delete(self, turn_context: TurnContext) -> None:
        """Take back what was asked by a message that its author deletes, as far as nothing was run."""
        heard = heard_message(received_activity(turn_context))
        await self.service.change(replace(heard, input=Said("")), "deleted")

    async def _consented(self, activity: Json) -> Json:
        """Take the answer to the offer of a file."""
        return await self.surface.file_consent.answer(self.service, activity)

    async def _searched(self, activity: Json) -> Json:
        """Offer the entries of a long menu that fit what is typed; none to strangers, whom Teams lets type too."""
        value = activity.get("value")
        menu = await call_in_order(menu_in, text(value, "dataset"), activity, self.service.reply_sender.shown)
        may = menu and await find_rater(self.surface, activity)
        found = matching(menu, text(value, "queryText")) if menu and may else []
        kind = "application/vnd.microsoft.search.searchResponse"
        return {"status": 200, "body": {"statusCode": 200, "type": kind, "value": {"results": found}}}


def takes_away(activity: Json) -> bool:
    """Return whether the bot was taken out of the conversation: nothing can be said in it any more."""
    match activity["type"]:
        case "installationUpdate":
            # An upgrade removes the older version, and is none of this.
            return text(activity, "action") == "remove"
        case "conversationUpdate":
            return _names_bot(activity, "membersRemoved")
        case _:
            return False


def _names_bot(activity: Json, field: str) -> bool:
    bot = text(activity["recipient"], "id")
    return any(text(member, "id") == bot for member in activity.get(field, []))


def _words(heard: Heard) -> str:
    return heard.input.text if isinstance(heard.input, Said) else ""


def _age(activity: Json) -> float:
    """Return the seconds since a message was sent, which its id says; infinite if it does not."""
    id = text(activity, "id")
    return time() - int(id) / 1000 if id.isascii() and id.isdecimal() and len(id) < 20 else math.inf


def brings_files(activity: Json) -> bool:
    """Return whether somebody sent a file or a picture."""
    kinds = [text(each, "contentType") for each in activity.get("attachments", [])]
    return any(kind == FILE_CONTENT_TYPE or kind.startswith(PICTURE_PREFIX) for kind in kinds)
