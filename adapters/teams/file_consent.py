"""Hands files over if the bot has no address of its own: Teams asks the person, and gives a place in their OneDrive.

Teams lets bots do so in personal chats alone, and not in its clouds for governments. An offer is a sealed token, which
holds all of it and is good for a day: nothing is kept here.
"""

import asyncio
import logging
import secrets
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from adapters.chat.admission import TurnedAway, identify, send_privately
from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import Posted
from adapters.ordered_calls import call_in_order
from adapters.rendering.attachment import Attached
from adapters.teams.access import is_here
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, References
from adapters.teams.failures import Undone
from adapters.teams.files import FILE_LIFETIME, Files
from adapters.teams.inbound import place_of, user_of
from adapters.teams.json_fields import Json, text
from adapters.teams.markdown import escaped
from adapters.teams.text_elements import draw_small
from adapters.teams.uploads import NotUploaded, Uploads
from router.cards import Chart, File, Reply, Table, Text
from router.language.wording import size_words
from router.memory.draft import User

log = logging.getLogger("icc_bot")

CONSENT = "application/vnd.microsoft.teams.card.file.consent"
FILE_INFO_TYPE = "application/vnd.microsoft.teams.card.file.info"

SENTENCE_MAX_CHARS = 3_000
OFFERED_FILES_MAX = 10
"""The number of files of one message that are offered; of more, the last."""

OFFERED_BELOW = "The file is offered below: press Allow there, and Teams puts it into your OneDrive."
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
NO_UPLOAD_ADDRESS = "Teams did not say where the file may be put, so nothing was done. It is kept: press Allow again."
DECLINED = "{} was not handed over, as you wished. Ask for it again when you want it."
GONE = "{} is gone with its rows, so nothing was put into your OneDrive. Ask again."
NOT_PUT = "{} could not be put into your OneDrive: {}. Ask for it again."


@dataclass(frozen=True, slots=True)
class FileOffer:
    """Files of a message for one person, with the chat where they can be had; None if there is none."""

    files: tuple[Attached, ...]
    person: str
    connection: str
    home: Reference | None


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """The file that a token stands for, to whom it was offered, and in which chat."""

    name: str
    path: str
    connection: str
    person: str
    conversation: str


class FileConsent:
    """Offers files, and puts those that are wanted; `possible` says whether this cloud has that at all."""

    def __init__(
        self, connector: Connector, references: References, files: Files, uploads: Uploads, *, possible: bool
    ) -> None:
        self._connector, self._references, self._files, self._uploads = connector, references, files, uploads
        self.possible = possible
        self._offered: BoundedCache[tuple[str, str], bool] = BoundedCache()
        """The messages and files that were offered not long ago: a message may be drawn again."""
        self._answered: BoundedCache[str, bool] = BoundedCache()
        """The tokens that were answered not long ago: Teams may deliver an answer again."""

    def announce(self, activity: Json, offer: FileOffer, here: Reference) -> None:
        """Say in a message how its files can be had."""
        line = NO_PRIVATE_CHAT if self.possible else NO_FILES_IN_CLOUD
        if offer.home:
            line = OFFERED_BELOW if offer.home.conversation == here.conversation else OFFERED_IN_PRIVATE
        for attachment in activity.get("attachments", []):
            attachment["content"]["body"].append(draw_small(line))
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
        if (about, str(path)) in self._offered:
            return
        offered = OfferedFile(file.name, str(path), offer.connection, offer.person, home.conversation)
        await self._connector.send(home, _consent_card(self._files.seal(astuple(offered)), file.name, size))
        self._offered[about, str(path)] = True

    async def answer(self, service: ConversationService, activity: Json) -> Json:
        """Take what a person answered, once, and begin to do it; returns the answer to the invoke."""
        given = activity.get("value")
        value: Json = given if isinstance(given, dict) else {}
        info, accepts = value.get("uploadInfo"), value.get("action") == "accept"
        token = text(value.get("context"), "token")
        offer = self.find(token)
        wrong = ""
        if offer is None or offer.conversation != activity["conversation"]["id"]:
            wrong = UNKNOWN_OFFER
        elif offer.person != user_of(activity).id:
            log.warning("%s answered about a file that was offered to somebody else", user_of(activity).id)
            wrong = FOREIGN_OFFER
        elif accepts and not _leads_somewhere(info, activity["serviceUrl"]):
            wrong = NO_UPLOAD_ADDRESS
        elif (accepts or value.get("action") == "decline") and token not in self._answered:
            self._answered[token] = True
            service.spawn(self._conclude(service, activity, offer, info if accepts else None))
        if wrong:
            service.spawn(send_privately(service.reply_sender.surface, place_of(activity), user_of(activity), wrong))
        return {"status": 200}

    async def _conclude(
        self, service: ConversationService, activity: Json, offer: OfferedFile, upload: Json | None
    ) -> None:
        """Do what a person answered, and have what came of it stand in place of the offer, for good."""
        shown = _sentence(DECLINED.format(offer.name))
        if upload is not None:
            surface, place = service.reply_sender.surface, place_of(activity)
            try:
                user = await identify(surface, place.team, User(offer.person))
            except TurnedAway as why:  # it stays offered
                log.warning("%s is not handed over: %s", offer.name, why)
                self._answered.pop(text(activity["value"]["context"], "token"), None)
                await send_privately(surface, place, User(offer.person), str(why))
                return
            path = Path(offer.path)
            result = path.stem if path.suffix else ""  # rows are named after their result, texts after their content
            file = File(offer.name, path, "", offer.connection, result)
            card = await asyncio.to_thread(service.reply_sender.router.history.redraw, user, file)
            shown = _sentence(card.body) if isinstance(card, Text) else await self._put(offer.name, path, upload)
        try:
            reference = await call_in_order(self._references.of, offer.conversation)
            if reference:
                await self._connector.update(reference, text(activity, "replyToId"), shown)
        except Undone as error:
            log.warning("what became of a file could not be said: %s", error)

    async def _put(self, name: str, path: Path, info: Json) -> Json:
        """Put a file where the person has it; returns what is shown in place of the offer."""
        try:
            await self._uploads.put(text(info, "uploadUrl"), path)
        except OSError:
            return _sentence(GONE.format(name))
        except NotUploaded as why:
            log.warning("%s could not be put: %s", name, why)
            return _sentence(NOT_PUT.format(name, why))
        return _info_card(text(info, "name") or name, info)

    def find(self, token: str) -> OfferedFile | None:
        """Return the offer that a token stands for; None if it was not made here, or is too old."""
        values = self._files.unseal(token, FILE_LIFETIME.total_seconds())
        return OfferedFile(*values) if values and len(values) == len(fields(OfferedFile)) else None


def _leads_somewhere(info: Any, service_url: str) -> bool:
    """Return whether an `uploadInfo` holds an address that may be meant.

    A Teams that is elsewhere names no place on this machine; a person's client may.
    """
    url = text(info, "uploadUrl")
    return bool(url) and (not is_here(url) or is_here(service_url))


def connection_of(reply: Reply) -> str:
    """Return where the rows of a reply came from, empty if it has none."""
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
    attachment = {"contentType": FILE_INFO_TYPE, "contentUrl": url, "name": name, "content": content}
    return {"type": "message", "summary": said, "attachments": [attachment]}


def _sentence(words: str) -> Json:
    return {"type": "message", "text": escaped(words, SENTENCE_MAX_CHARS), "textFormat": "markdown"}
