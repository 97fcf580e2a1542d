"""The listener of the bot in Teams: each activity is answered at once, and what was heard is handed over."""

import asyncio
import logging
import math
from collections.abc import Sequence
from dataclasses import replace
from time import time
from typing import Any, Final
from zlib import crc32

from botbuilder.core import TurnContext
from botbuilder.schema import ChannelAccount

from adapters.chat.admission import TurnedAway, identify, tell
from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.conversation_service import ConversationService
from adapters.chat.inbox import EVENT_LIFETIME
from adapters.chat.surface import Heard
from adapters.in_order import in_order
from adapters.teams.botbuilder.activities import received
from adapters.teams.botbuilder.adapter import ConnectorAdapter
from adapters.teams.botbuilder.handler import TeamsHandler
from adapters.teams.clicks import Clicks
from adapters.teams.consent_answers import ConsentAnswers
from adapters.teams.controls import matching
from adapters.teams.conversations import Reference, reference_of
from adapters.teams.failures import Undone
from adapters.teams.feedback import Thumbs, known
from adapters.teams.home import is_home, show_home
from adapters.teams.inbound import heard_message, is_shared, menu_in, tenant_of, user_of
from adapters.teams.json_fields import text
from adapters.teams.message import suggested
from adapters.teams.message_action import MessageAction
from adapters.teams.surface import TeamsSurface
from router.language.wording import truncate
from router.memory.draft import User
from router.policy import examples
from router.turn import Said

log = logging.getLogger("icc_bot")

Json = dict[str, Any]

WELCOME_IN_PRIVATE: Final = (
    "Hi! What would you like to know? Ask in your own words. I show you the SQL first, and nothing runs until you "
    "press Run."
)
WELCOME_AMONG_OTHERS: Final = (
    "Hi! What would you like to know? Mention me with your question, in your own words. I show you the SQL first, and "
    "nothing runs until you press Run."
)
OLD_MESSAGE: Final = (
    "You changed an old message ({}), which I leave as it was. Please send it as a new message; I read that one."
)
QUOTED_EDIT_MAX_CHARS: Final = 60

EDIT_KNOWN_SECONDS: Final = EVENT_LIFETIME.total_seconds() - 3600.0
"""Seconds for which it is known for sure whether a message was taken."""
FILE_CONTENT_TYPE: Final = "application/vnd.microsoft.teams.file.download.info"
PICTURE_PREFIX: Final = "image/"

FILES_ALONE: Final = "I can't read files or pictures, so I left yours unopened. Please write your question."
FILES_BESIDE_WORDS: Final = "I can't read files or pictures, so I left yours unopened and used only your words."


class TeamsListeners(TeamsHandler):
    """Takes every activity that was let in."""

    def __init__(self, service: ConversationService, surface: TeamsSurface) -> None:
        super().__init__()
        self.service, self.surface = service, surface
        self.clicks = Clicks(service, surface)
        self.consent_answers = ConsentAnswers(service, surface)
        self.thumbs, self.message_action = Thumbs(service, surface), MessageAction(service, surface)
        self._adapter = ConnectorAdapter(surface.connector)
        self._membership = Membership(service, surface)
        self._too_late: BoundedCache[str, bool] = BoundedCache()

    async def on_activity(self, activity: Json) -> Json | None:
        """Take one activity; returns the answer to an invoke, None for what is not known."""
        return await self._adapter.process(activity, self.on_turn)

    async def on_turn(self, turn_context: TurnContext) -> None:
        """Note where the bot is spoken to, then call the method for this kind of activity."""
        activity = received(turn_context)
        if takes_away(activity):
            await self._membership.leave(activity)
            return
        here = reference_of(activity), user_of(activity).id, not is_shared(activity)
        await in_order(self.surface.references.keep, *here)
        await super().on_turn(turn_context)

    async def on_message_activity(self, turn_context: TurnContext) -> None:
        """Take what somebody wrote."""
        activity = received(turn_context)
        value = activity.get("value")
        if isinstance(value, dict) and "v" in value:  # an old client, which knows no Action.Execute
            await self.clicks.submitted(activity, value)
            return
        heard = await in_order(heard_message, activity, self.service.reply_sender.shown)
        if brings_files(activity):
            await take_brought(self.service, self.surface, heard)
        elif is_home(heard):
            self.service.spawn(show_home(self.service, self.surface, heard, activity))
        else:
            await self.service.take(heard)

    async def on_teams_message_edit(self, turn_context: TurnContext) -> None:
        """Take a message that was changed."""
        await change(self.service, self.surface, received(turn_context), self._too_late)

    async def on_teams_message_soft_delete(self, turn_context: TurnContext) -> None:
        """End what is worked on for a message that was taken back."""
        await take_back(self.service, received(turn_context))

    async def on_members_added_activity(self, members_added: list[ChannelAccount], turn_context: TurnContext) -> None:
        """Greet whoever has the bot for the first time."""
        await self._membership.come(received(turn_context))

    async def on_card_action(self, activity: Json) -> Json:
        """Take a click."""
        return await self.clicks.invoked(activity)

    async def on_file_consent(self, activity: Json) -> Json:
        """Take the answer to the offer of a file."""
        return await self.consent_answers.take(activity)

    async def on_feedback_form(self, activity: Json) -> Json:
        """Ask what was right or wrong."""
        return self.thumbs.form(activity)

    async def on_feedback(self, activity: Json) -> Json:
        """Keep a thumb, with what was written."""
        return await self.thumbs.take(activity)

    async def on_message_action(self, activity: Json) -> Json | None:
        """Show the words of a message, as a question to be asked."""
        return self.message_action.form(activity)

    async def on_message_action_submit(self, activity: Json) -> Json | None:
        """Ask what was sent."""
        return await self.message_action.take(activity)

    async def on_search(self, activity: Json) -> Json:
        """Offer the entries of a long menu that fit what is typed; none to strangers, whom Teams lets type too."""
        value = activity.get("value")
        menu = await in_order(menu_in, text(value, "dataset"), activity, self.service.reply_sender.shown)
        if menu and await known(self.surface, activity) is None:
            menu = None
        found = matching(menu, text(value, "queryText")) if menu else []
        body = {
            "statusCode": 200,
            "type": "application/vnd.microsoft.search.searchResponse",
            "value": {"results": found},
        }
        return {"status": 200, "body": body}


# The bot's comings and goings: it greets a conversation, and forgets what it keeps of one.


def welcome(personal: bool, questions: Sequence[str]) -> dict[str, Any]:
    """Return the first message of a conversation; in a person's own chat, with questions to begin with."""
    if not personal:
        return {"type": "message", "text": WELCOME_AMONG_OTHERS, "textFormat": "markdown"}
    return {"type": "message", "text": WELCOME_IN_PRIVATE, "textFormat": "markdown", **suggested(questions)}


def takes_away(activity: Json) -> bool:
    """Tell whether the bot was taken out of the conversation: nothing can be said in it any more."""
    match activity["type"]:
        case "installationUpdate":
            # An upgrade removes the older version, and is none of this.
            return text(activity, "action") == "remove"
        case "conversationUpdate":
            return _names_bot(activity, "membersRemoved")
        case _:
            return False


class Membership:
    """The bot's comings and goings."""

    def __init__(self, service: ConversationService, surface: TeamsSurface) -> None:
        self._service, self._surface = service, surface

    async def come(self, activity: Json) -> None:
        """Greet whoever has the bot for the first time, and nobody twice."""
        if not _names_bot(activity, "membersAdded"):
            return
        welcome, place = self._service.reply_sender.shown.welcome, activity["conversation"]["id"]
        if await in_order(welcome, tenant_of(activity), place):
            user = None if is_shared(activity) else user_of(activity)
            self._service.spawn(self._greet(reference_of(activity), user))

    async def leave(self, activity: Json) -> None:
        """Delete what is kept of the conversation, or of all channels of the team, that the bot was taken out of."""
        base, team = activity["conversation"]["id"].partition(";")[0], reference_of(activity).team
        # A chat may be taken away before anything of it was heard.
        for channel in {base, *await in_order(self._surface.references.channels, team)}:
            self._service.spawn(self._forget(tenant_of(activity), channel))

    async def _greet(self, reference: Reference, user: User | None) -> None:
        questions = await self._questions(reference.tenant, user) if user else ()
        try:
            await self._surface.connector.send(reference, welcome(user is not None, questions))
        except Undone as error:
            log.warning("a conversation could not be greeted: %s", error)

    async def _questions(self, tenant: str, user: User) -> tuple[str, ...]:
        """Return what this person may begin with; nothing while it is not certain who they are."""
        try:
            known = await identify(self._surface, tenant, user)
        except TurnedAway:
            return ()
        return examples(self._service.services.connections, known)

    async def _forget(self, tenant: str, channel: str) -> None:
        await in_order(self._surface.references.forget, channel)
        await asyncio.to_thread(self._surface.file_consent.consents.forget, channel)
        await self._service.forget(tenant, channel)
        await asyncio.to_thread(self._surface.downloads.forget, channel)


def _names_bot(activity: Json, field: str) -> bool:
    bot = text(activity["recipient"], "id")
    return any(text(member, "id") == bot for member in activity.get(field, []))


# Messages that are changed or taken back after they were sent.


async def change(
    service: ConversationService, surface: TeamsSurface, activity: Json, told: BoundedCache[str, bool]
) -> None:
    """Take a message as its author changed it; whoever changes a very old one hears that it stays as it was.

    `told` holds the messages whose author heard that.
    """
    if text(activity["channelData"], "eventType") != "editMessage":
        return  # restored, or of a kind that is not known
    heard = heard_message(activity)
    if _age(activity) < EDIT_KNOWN_SECONDS:
        words = heard.input.text if isinstance(heard.input, Said) else ""
        # The same change may come twice under two times; the words tell it from one that comes back to them.
        await service.change(heard, f"changed {text(activity, 'timestamp')[:16]} {crc32(words.encode()):08x}")
    elif heard.event not in told:
        told[heard.event] = True
        service.spawn(_tell(surface, heard, OLD_MESSAGE))


async def _tell(surface: TeamsSurface, heard: Heard, sentence: str) -> None:
    words = " ".join(heard.input.text.split()) if isinstance(heard.input, Said) else ""
    await tell(surface, heard.at, heard.user, sentence.format(f"“{truncate(words, QUOTED_EDIT_MAX_CHARS)}”"))


def _age(activity: Json) -> float:
    """Return the seconds since a message was sent, which its id tells; infinite where it does not."""
    id = text(activity, "id")
    return time() - int(id) / 1000 if id.isascii() and id.isdecimal() and len(id) < 20 else math.inf


async def take_back(service: ConversationService, activity: Json) -> None:
    """Take back what was asked by a message that its author deletes, as far as nothing was run."""
    heard = heard_message(activity)
    await service.change(replace(heard, input=Said("")), "deleted")


# Files and pictures from people: the bot reads none, and says so once.


def brings_files(activity: dict[str, Any]) -> bool:
    """Tell whether somebody sent a file or a picture."""
    kinds = [text(each, "contentType") for each in activity.get("attachments", [])]
    return any(kind == FILE_CONTENT_TYPE or kind.startswith(PICTURE_PREFIX) for kind in kinds)


async def take_brought(service: ConversationService, surface: TeamsSurface, heard: Heard) -> None:
    """Take the words that came with a file, if there are any, and say that the file is not read."""
    if isinstance(heard.input, Said) and not heard.input.text:
        fresh = await in_order(service.inbox.note, heard)  # so that it is known when it comes again
        sentence = FILES_ALONE
    else:
        fresh, sentence = await service.take(heard) is not None, FILES_BESIDE_WORDS
    if fresh:
        service.spawn(tell(surface, heard.at, heard.user, sentence))
