"""Hands files over where the bot has no address of its own: Teams asks the person, and gives a place in their OneDrive.

Teams lets bots do so in personal chats alone, and not in its clouds for governments. An offer is `offered`, then
`taken`, then `done`; what is kept of it goes after a day.
"""

import asyncio
import json
import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, func, or_, select, update

from adapters.chat.admission import TurnedAway, identify, tell
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import MessagePlace, Posted
from adapters.in_order import in_order
from adapters.rendering.attachment import Attached
from adapters.teams.access import is_here
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, References
from adapters.teams.failures import Undone
from adapters.teams.files import FILE_LIFETIME, Files
from adapters.teams.inbound import place_of, user_of
from adapters.teams.json_fields import Json, text
from adapters.teams.markdown import escaped
from adapters.teams.text_elements import small
from adapters.teams.uploads import NotUploaded, Uploads
from router.cards import Chart, File, Reply, Table, Text
from router.language.wording import size_words
from router.memory.draft import User
from router.storage.clock import Clock, now
from router.storage.database import Database, insert_new
from router.storage.tables import file_consents as consents

log = logging.getLogger("icc_bot")

CONSENT = "application/vnd.microsoft.teams.card.file.consent"
INFO = "application/vnd.microsoft.teams.card.file.info"

SENTENCE_MAX_CHARS = 3_000
OFFERED_FILES_MAX = 10
"""The number of files of one message that are offered; of more, the last."""

BELOW = "The file is offered below: press Allow there, and Teams puts it into your OneDrive."
OFFERED_IN_PRIVATE = (
    "The file is offered to whoever asked, in their own chat with me: Teams lets me hand over files nowhere else."
)
NO_PRIVATE_CHAT = (
    "The file is kept, but cannot be handed over here: Teams lets me do that only in a chat of our own, and there is "
    "none. Add me as an app for yourself and ask for it again, or have an administrator set TEAMS_PUBLIC_URL."
)
NO_FILES_IN_CLOUD = (
    "The file is kept, but cannot be handed over: this cloud of Microsoft lets bots hand over none. An administrator "
    "can change that by setting TEAMS_PUBLIC_URL."
)
NOT_OFFERED = "A file that belongs to this could not be offered. It is kept; ask for it again in a moment."
UNKNOWN_OFFER = (
    "I do not know that offer (any more): an offer is good for a day. Nothing was handed over; ask for the file again."
)
FOREIGN_OFFER = "That file was offered to somebody else. Nothing was handed over; ask me yourself."
NOWHERE = "Teams did not say where the file may be put, so nothing was done. It is kept: press Allow again."
DECLINED = "{} was not handed over, as you wished. Ask for it again when you want it."
GONE = "{} is gone with its rows, so nothing was put into your OneDrive. Ask again."
NOT_PUT = "{} could not be put into your OneDrive: {}. Ask for it again."


@dataclass(frozen=True, slots=True)
class FileOffer:
    """Files of a message for one person, with the chat where they can be had; None where there is none."""

    files: tuple[Attached, ...]
    person: str
    connection: str
    home: Reference | None


class FileConsent:
    """Offers files, and puts those that are wanted; `possible` says whether this cloud has that at all."""

    def __init__(
        self,
        connector: Connector,
        references: References,
        files: Files,
        database: Database,
        uploads: Uploads,
        *,
        possible: bool,
        clock: Clock = now,
    ) -> None:
        self._connector, self._references, self._files, self._uploads = connector, references, files, uploads
        self._database, self.possible, self._clock = database, possible, clock

    def announce(self, activity: Json, offer: FileOffer, here: Reference) -> None:
        """Say in a message how its files can be had."""
        line = NO_PRIVATE_CHAT if self.possible else NO_FILES_IN_CLOUD
        if offer.home:
            line = BELOW if offer.home.conversation == here.conversation else OFFERED_IN_PRIVATE
        for attachment in activity.get("attachments", []):
            attachment["content"]["body"].append(small(line))
        if "attachments" not in activity:
            activity["text"] += f"\n\n{escaped(line, SENTENCE_MAX_CHARS)}"

    async def offer(self, offer: FileOffer, here: Reference, posted: Posted) -> None:
        """Ask the person about each file that was not offered with this message before."""
        if offer.home is None:
            return
        about = f"{posted.channel} {posted.id or secrets.token_hex(8)}"
        whole = True
        for file in offer.files[-OFFERED_FILES_MAX:]:
            try:
                await self._offer_one(file, offer, offer.home, about)
            except (Undone, OSError) as error:
                log.warning("%s could not be offered: %s", file.name, error)
                whole = False
        if not whole:
            try:
                await self._connector.send(here, _sentence(NOT_OFFERED))
            except Undone:
                log.warning("that a file could not be offered could not be said either")

    async def _offer_one(self, file: Attached, offer: FileOffer, home: Reference, about: str) -> None:
        path = await asyncio.to_thread(self._files.keep, file, home.conversation)
        size = (await asyncio.to_thread(path.stat)).st_size
        token = secrets.token_urlsafe(32)
        new = {"token": token, "path": str(path), "name": file.name, "person": offer.person, "about": about}
        where = {"conversation": home.conversation, "connection": offer.connection}
        if not await asyncio.to_thread(self._insert, new | where):
            return
        message = await self._connector.send(home, _consent_card(token, file.name, size))
        await asyncio.to_thread(self._change, consents.c.token == token, message=message)

    def _insert(self, new: dict[str, str]) -> bool:
        """Keep an offer; returns False where the same was made: one that never reached the person has no message."""
        row = {**new, "at": self._clock(), "state": "offered", "message": "", "upload": ""}
        same = (consents.c.about == new["about"]) & (consents.c.path == new["path"]) & (consents.c.message == "")
        with self._database.transaction() as database:
            if insert_new(database, consents, row):
                return True
            return database.execute(update(consents).where(same).values(row)).rowcount > 0

    # Answers: each counts once.

    async def answer(self, service: ConversationService, activity: Json) -> Json:
        """Note what a person answered, and begin to do it; returns the answer to the invoke."""
        given = activity.get("value")
        value: Json = given if isinstance(given, dict) else {}
        info, accepts = value.get("uploadInfo"), value.get("action") == "accept"
        offer = await asyncio.to_thread(self.find, text(value.get("context"), "token"))
        wrong = ""
        if offer is None or offer.conversation != activity["conversation"]["id"]:
            wrong = UNKNOWN_OFFER
        elif offer.person != user_of(activity).id:
            log.warning("%s answered about a file that was offered to somebody else", user_of(activity).id)
            wrong = FOREIGN_OFFER
        elif accepts and not _leads_somewhere(info, activity["serviceUrl"]):
            wrong = NOWHERE
        elif accepts or value.get("action") == "decline":
            message, upload = text(activity, "replyToId") or offer.message, json.dumps(info) if accepts else ""
            free = (consents.c.token == offer.token) & (consents.c.state == "offered")
            if await asyncio.to_thread(self._change, free, state="taken", message=message, upload=upload):
                service.spawn(self._conclude(service, offer.token))
        if wrong:
            service.spawn(tell(service.reply_sender.surface, place_of(activity), user_of(activity), wrong))
        return {"status": 200}

    async def resume(self, service: ConversationService) -> None:
        """Go on with what an earlier process had noted."""
        for offer in await asyncio.to_thread(self._found, consents.c.state == "taken"):
            service.spawn(self._conclude(service, offer.token))

    async def _conclude(self, service: ConversationService, token: str) -> None:
        """Do what a person answered, and have what came of it stand in place of the offer, for good."""
        this = consents.c.token == token
        if (offer := await asyncio.to_thread(self.find, token)) is None:
            return
        reference = await in_order(self._references.of, offer.conversation)
        shown = _sentence(DECLINED.format(offer.name))
        if offer.upload:
            place = MessagePlace(reference.tenant if reference else "", offer.conversation)
            surface = service.reply_sender.surface
            try:
                user = await identify(surface, place.team, User(offer.person))
            except TurnedAway as why:  # it stays offered
                log.warning("%s is not handed over: %s", offer.name, why)
                await asyncio.to_thread(self._change, this, state="offered", upload="")
                await tell(surface, place, User(offer.person), str(why))
                return
            path = Path(offer.path)
            result = path.stem if path.suffix else ""  # rows are named after their result, texts after their content
            file = File(offer.name, path, "", offer.connection, result)
            card = await asyncio.to_thread(service.reply_sender.router.history.redraw, user, file)
            shown = _sentence(card.body) if isinstance(card, Text) else await self._put(offer.name, path, offer.upload)
        await asyncio.to_thread(self._change, this, state="done", upload="")
        try:
            if reference:
                await self._connector.update(reference, offer.message, shown)
        except Undone as error:
            log.warning("what became of a file could not be said: %s", error)

    async def _put(self, name: str, path: Path, upload: str) -> Json:
        """Put a file where the person has it; returns what is shown in place of the offer."""
        info = json.loads(upload)
        try:
            await self._uploads.put(text(info, "uploadUrl"), path)
        except OSError:
            return _sentence(GONE.format(name))
        except NotUploaded as why:
            log.warning("%s could not be put: %s", name, why)
            return _sentence(NOT_PUT.format(name, why))
        return _info_card(text(info, "name") or name, info)

    # What is kept of the offers.

    def find(self, token: str) -> Row[Any] | None:
        """Return the offer that a token stands for; None where it was not made here, or is too old."""
        return next(iter(self._found(consents.c.token == token)), None)

    def _found(self, which: ColumnElement[bool]) -> Sequence[Row[Any]]:
        young = consents.c.at > self._clock() - FILE_LIFETIME
        with self._database.reading() as database:
            return database.execute(select(consents).where(which, young)).all()

    def expire(self) -> None:
        """Forget offers that are too old."""
        self._delete(consents.c.at <= self._clock() - FILE_LIFETIME)

    def forget(self, conversation: str) -> None:
        """Delete what was offered in a chat, or is about messages of a channel."""
        about = f"{conversation} "
        self._delete(
            or_(consents.c.conversation == conversation, func.substr(consents.c.about, 1, len(about)) == about)
        )

    def _change(self, where: ColumnElement[bool], **values: str) -> bool:
        with self._database.transaction() as database:
            return database.execute(update(consents).where(where).values(values)).rowcount > 0

    def _delete(self, where: ColumnElement[bool]) -> None:
        with self._database.transaction() as database:
            database.execute(delete(consents).where(where))


def _leads_somewhere(info: Any, service_url: str) -> bool:
    """Return whether an `uploadInfo` holds an address that may be meant.

    A Teams that is elsewhere names no place on this machine; a person's client may.
    """
    url = text(info, "uploadUrl")
    return bool(url) and (not is_here(url) or is_here(service_url))


def connection_of(reply: Reply) -> str:
    """Return where the rows of a reply came from, empty where it has none."""
    cards = (card for card in reply.cards if isinstance(card, File | Table | Chart))
    return next((card.connection for card in cards if card.connection), "")


def _consent_card(token: str, name: str, size: int) -> Json:
    """Return the question whether a file of so many bytes may be put into the person's OneDrive."""
    context = {"token": token}
    content = {
        "description": f"{size_words(size)}, for your OneDrive.",
        "sizeInBytes": size,
        "acceptContext": context,
        "declineContext": context,
    }
    attached = {"contentType": CONSENT, "name": name, "content": content}
    return {"type": "message", "summary": f"File: {name}", "attachments": [attached]}


def _info_card(name: str, info: Json) -> Json:
    """Return the file itself, which is in the person's OneDrive now."""
    said = f"{name} is in your OneDrive."
    url, id, kind = (text(info, each) for each in ("contentUrl", "uniqueId", "fileType"))
    if not url or not id:
        return _sentence(said)
    content = {"uniqueId": id, "fileType": kind or name.rpartition(".")[2]}
    attachment = {"contentType": INFO, "contentUrl": url, "name": name, "content": content}
    return {"type": "message", "summary": said, "attachments": [attachment]}


def _sentence(words: str) -> Json:
    return {"type": "message", "text": escaped(words, SENTENCE_MAX_CHARS), "textFormat": "markdown"}
