"""What people answer when they are asked whether a file may be put into their OneDrive."""

import asyncio
import logging
from pathlib import Path
from typing import Any

from adapters.chat.desk import Desk
from adapters.chat.gate import TurnedAway, identify, tell
from adapters.chat.surface import Place
from adapters.teams.addresses import is_here
from adapters.teams.consents import Consent
from adapters.teams.fields import text
from adapters.teams.inbound import key_of, user_of
from adapters.teams.surface import TeamsSurface
from adapters.teams.upload import Upload, upload_of
from router.cards import File, Text
from router.memory import User

log = logging.getLogger("icc_bot")

OLD = (
    "I do not know that offer (any more): an offer is good for a day. Nothing was handed over; ask for the file again."
)
FOREIGN = "That file was offered to somebody else. Nothing was handed over; ask me yourself."
NOWHERE = "Teams did not say where the file may be put, so nothing was done. It is kept: press Allow again."

Json = dict[str, Any]


class Agreements:
    """Takes the answers; each counts once."""

    def __init__(self, desk: Desk, surface: TeamsSurface) -> None:
        self._desk, self._surface, self._handover = desk, surface, surface.handover

    def take(self, activity: Json) -> Json:
        """Note what a person answered, and begin to do it; returns the answer to the invoke."""
        given = activity.get("value")
        value: Json = given if isinstance(given, dict) else {}
        consent = self._handover.consents.find(text(value.get("context"), "token"))
        if consent is None or consent.conversation != activity["conversation"]["id"]:
            self._desk.spawn(self._whisper(activity, OLD))
        elif consent.person != user_of(activity).id:
            log.warning("%s answered about a file that was offered to somebody else", user_of(activity).id)
            self._desk.spawn(self._whisper(activity, FOREIGN))
        elif value.get("action") == "accept":
            self._accepted(activity, consent, value.get("uploadInfo"))
        elif value.get("action") == "decline" and (taken := self._taken(activity, consent)):
            sentence = f"{taken.name} was not handed over, as you wished. Ask for it again when you want it."
            self._desk.spawn(self._end(taken, sentence))
        return {"status": 200}

    def resume(self) -> None:
        """Go on with what an earlier process had noted."""
        self._handover.resume(lambda consent, upload: self._desk.spawn(self._put(consent, upload)))

    def _accepted(self, activity: Json, consent: Consent, info: Any) -> None:
        upload = upload_of(info)
        # A Teams that is elsewhere names no place on this machine; a person's client may.
        if upload is None or (is_here(upload.url) and not is_here(activity["serviceUrl"])):
            self._desk.spawn(self._whisper(activity, NOWHERE))
        elif taken := self._taken(activity, consent, upload.to_json()):
            self._desk.spawn(self._put(taken, upload))

    def _taken(self, activity: Json, consent: Consent, upload: str = "") -> Consent | None:
        """Use the offer up; None where it was before, as by the same answer that Teams delivers again."""
        message = text(activity, "replyToId") or consent.message
        taken = self._handover.consents.take(consent.token, message, upload)
        return self._handover.consents.find(consent.token) if taken else None

    async def _put(self, consent: Consent, upload: Upload) -> None:
        """Put a file where its person has it, if they may have it; it stays offered where nobody says who they are."""
        reference = self._surface.references.of(consent.conversation)
        place = Place(reference.tenant if reference else "", consent.conversation)
        try:
            user = await identify(self._surface, place.team, User(consent.person))
        except TurnedAway as why:
            log.warning("%s is not handed over: %s", consent.name, why)
            self._handover.consents.release(consent.token)
            await tell(self._surface, place, User(consent.person), str(why))
            return
        path = Path(consent.path)
        result = path.stem if path.suffix else ""  # rows are named after their result, texts after their content
        file = File(consent.name, path, "", consent.connection, result)
        card = await asyncio.to_thread(self._desk.outlet.router.past.redraw, user, file)
        if isinstance(card, Text):
            await self._end(consent, card.body)
        else:
            await self._handover.put(consent, upload)

    async def _end(self, consent: Consent, sentence: str) -> None:
        """Have a sentence stand in place of the offer, for good."""
        self._handover.consents.end(consent.token)
        await self._handover.say(consent, sentence)

    async def _whisper(self, activity: Json, sentence: str) -> None:
        key = key_of(activity)
        await tell(self._surface, Place(key.team, key.channel, key.thread), user_of(activity), sentence)
