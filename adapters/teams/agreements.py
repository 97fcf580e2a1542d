"""What people answer when they are asked whether a file may be put into their OneDrive."""

import asyncio
import logging
from pathlib import Path
from typing import Any

from adapters.chat.desk import Desk
from adapters.chat.gate import UNKNOWN
from adapters.chat.surface import Place, Undelivered
from adapters.teams.addresses import is_here
from adapters.teams.consents import Consent
from adapters.teams.inbound import key_of, tenant_of, user_of
from adapters.teams.reference import text
from adapters.teams.surface import TeamsSurface
from adapters.teams.upload import upload_of
from router.cards import File, Text

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
        """Begin to do what a person answered; returns the answer to the invoke."""
        self._desk.spawn(self._answer(activity))
        return {"status": 200}

    async def _answer(self, activity: Json) -> None:
        given = activity.get("value")
        value: Json = given if isinstance(given, dict) else {}
        consent = self._handover.consents.find(text(value.get("context"), "token"))
        if consent is None or consent.conversation != activity["conversation"]["id"]:
            await self._whisper(activity, OLD)
        elif consent.person != user_of(activity).id:
            log.warning("%s answered about a file that was offered to somebody else", user_of(activity).id)
            await self._whisper(activity, FOREIGN)
        elif value.get("action") == "accept":
            await self._accepted(activity, consent, value.get("uploadInfo"))
        elif value.get("action") == "decline" and (taken := self._taken(activity, consent)):
            self._handover.consents.end(taken.token)
            sentence = f"{taken.name} was not handed over, as you wished. Ask for it again when you want it."
            await self._handover.say(taken, sentence)

    async def _accepted(self, activity: Json, consent: Consent, info: Any) -> None:
        upload = upload_of(info)
        # A Teams that is elsewhere names no place on this machine; a person's client may.
        if upload is None or (is_here(upload.url) and not is_here(activity["serviceUrl"])):
            await self._whisper(activity, NOWHERE)
            return
        try:
            refused = await self._refused(activity, consent)
        except Undelivered as error:
            log.warning("who accepted a file is not known: %s", error)
            await self._whisper(activity, UNKNOWN)
            return
        if taken := self._taken(activity, consent, "" if refused else upload.to_json()):
            if refused:
                self._handover.consents.end(taken.token)
                await self._handover.say(taken, refused)
            else:
                await self._handover.put(taken, upload)

    def _taken(self, activity: Json, consent: Consent, upload: str = "") -> Consent | None:
        """Use the offer up; None where it was before, as by the same answer that Teams delivers again."""
        message = text(activity, "replyToId") or consent.message
        taken = self._handover.consents.take(consent.token, message, upload)
        return self._handover.consents.find(consent.token) if taken else None

    async def _refused(self, activity: Json, consent: Consent) -> str:
        """Return why the person may not have the file (any more), empty where they may."""
        person = await self._surface.person(tenant_of(activity), user_of(activity))
        file = File(consent.name, Path(consent.path), "", consent.connection)
        card = await asyncio.to_thread(self._desk.outlet.router.past.redraw, person.user, file)
        return card.body if isinstance(card, Text) else ""

    async def _whisper(self, activity: Json, sentence: str) -> None:
        key = key_of(activity)
        try:
            await self._surface.whisper(Place(key.team, key.channel, key.thread), user_of(activity), sentence)
        except Undelivered as error:
            log.warning("%s could not be told: %s", user_of(activity).id, error)
