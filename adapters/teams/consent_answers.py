"""Takes people's answers to whether a file may be put into their OneDrive."""

import asyncio
import logging
from pathlib import Path
from typing import Any

from adapters.chat.admission import TurnedAway, identify, tell
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import MessagePlace
from adapters.in_order import in_order
from adapters.teams.access import is_here
from adapters.teams.file_consent import Upload, upload_of
from adapters.teams.file_offers import Consent
from adapters.teams.inbound import key_of, user_of
from adapters.teams.json_fields import text
from adapters.teams.surface import TeamsSurface
from router.cards import File, Text
from router.memory.draft import User

log = logging.getLogger("icc_bot")

Json = dict[str, Any]

UNKNOWN_OFFER = (
    "I do not know that offer (any more): an offer is good for a day. Nothing was handed over; ask for the file again."
)
FOREIGN_OFFER = "That file was offered to somebody else. Nothing was handed over; ask me yourself."
NOWHERE = "Teams did not say where the file may be put, so nothing was done. It is kept: press Allow again."


class ConsentAnswers:
    """Takes the answers; each counts once."""

    def __init__(self, service: ConversationService, surface: TeamsSurface) -> None:
        self._service, self._surface, self._file_consent = service, surface, surface.file_consent

    async def take(self, activity: Json) -> Json:
        """Note what a person answered, and begin to do it; returns the answer to the invoke."""
        given = activity.get("value")
        value: Json = given if isinstance(given, dict) else {}
        token = text(value.get("context"), "token")
        consent = await asyncio.to_thread(self._file_consent.consents.find, token)
        if consent is None or consent.conversation != activity["conversation"]["id"]:
            self._service.spawn(self._whisper(activity, UNKNOWN_OFFER))
        elif consent.person != user_of(activity).id:
            log.warning("%s answered about a file that was offered to somebody else", user_of(activity).id)
            self._service.spawn(self._whisper(activity, FOREIGN_OFFER))
        elif value.get("action") == "accept":
            await self._accepted(activity, consent, value.get("uploadInfo"))
        elif value.get("action") == "decline" and (taken := await self._taken(activity, consent)):
            sentence = f"{taken.name} was not handed over, as you wished. Ask for it again when you want it."
            self._service.spawn(self._end(taken, sentence))
        return {"status": 200}

    async def resume(self) -> None:
        """Go on with what an earlier process had noted."""
        await self._file_consent.resume(lambda consent, upload: self._service.spawn(self._put(consent, upload)))

    async def _accepted(self, activity: Json, consent: Consent, info: Any) -> None:
        upload = upload_of(info)
        # A Teams that is elsewhere names no place on this machine; a person's client may.
        if upload is None or (is_here(upload.url) and not is_here(activity["serviceUrl"])):
            self._service.spawn(self._whisper(activity, NOWHERE))
        elif taken := await self._taken(activity, consent, upload.to_json()):
            self._service.spawn(self._put(taken, upload))

    async def _taken(self, activity: Json, consent: Consent, upload: str = "") -> Consent | None:
        """Use the offer up; None where it was before, as by the same answer that Teams delivers again."""
        message = text(activity, "replyToId") or consent.message
        consents = self._file_consent.consents
        taken = await asyncio.to_thread(consents.take, consent.token, message, upload)
        return await asyncio.to_thread(consents.find, consent.token) if taken else None

    async def _put(self, consent: Consent, upload: Upload) -> None:
        """Put a file where its person has it, if they may have it; it stays offered where nobody says who they are."""
        reference = await in_order(self._surface.references.of, consent.conversation)
        place = MessagePlace(reference.tenant if reference else "", consent.conversation)
        try:
            user = await identify(self._surface, place.team, User(consent.person))
        except TurnedAway as why:
            log.warning("%s is not handed over: %s", consent.name, why)
            await asyncio.to_thread(self._file_consent.consents.release, consent.token)
            await tell(self._surface, place, User(consent.person), str(why))
            return
        path = Path(consent.path)
        result = path.stem if path.suffix else ""  # rows are named after their result, texts after their content
        file = File(consent.name, path, "", consent.connection, result)
        card = await asyncio.to_thread(self._service.reply_sender.router.history.redraw, user, file)
        if isinstance(card, Text):
            await self._end(consent, card.body)
        else:
            await self._file_consent.put(consent, upload)

    async def _end(self, consent: Consent, sentence: str) -> None:
        """Have a sentence stand in place of the offer, for good."""
        await asyncio.to_thread(self._file_consent.consents.end, consent.token)
        await self._file_consent.say(consent, sentence)

    async def _whisper(self, activity: Json, sentence: str) -> None:
        key = key_of(activity)
        await tell(self._surface, MessagePlace(key.team, key.channel, key.thread), user_of(activity), sentence)
