"""Hands files over where the bot has no address of its own: Teams asks the person, and gives a place in their OneDrive.

Teams lets bots do so in personal chats alone, and not in its clouds for governments.
"""

import asyncio
import json
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from adapters.chat.surface import Posted
from adapters.in_order import in_order
from adapters.rendering.attachment import Attached
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, References
from adapters.teams.failures import Dead, Declined, Undone
from adapters.teams.file_offers import Consent, Consents
from adapters.teams.json_fields import text
from adapters.teams.markdown import escaped
from adapters.teams.text_elements import small
from adapters.teams.uploads import NotUploaded, Uploads
from router.cards import Chart, File, Reply, Table
from router.language.wording import size_words

# The address that a person has a file put to, as Teams says when they allow it.


@dataclass(frozen=True, slots=True)
class Upload:
    """`url` takes the bytes, and whoever knows it may write there; the rest is what people open the file by."""

    url: str = field(repr=False)
    content_url: str
    unique_id: str
    file_type: str
    name: str

    def to_json(self) -> str:
        """Return it as text to be stored."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, stored: str) -> "Upload":
        """Return what was stored."""
        return cls(**json.loads(stored))


def upload_of(info: Any) -> Upload | None:
    """Return the `uploadInfo` of an activity; None where it holds no address."""
    if not (url := text(info, "uploadUrl")):
        return None
    return Upload(url, text(info, "contentUrl"), text(info, "uniqueId"), text(info, "fileType"), text(info, "name"))


# Messages about an offered file: the question, and what became of it.


CONSENT: Final = "application/vnd.microsoft.teams.card.file.consent"
INFO: Final = "application/vnd.microsoft.teams.card.file.info"

SENTENCE_MAX_CHARS: Final = 3_000

Json = dict[str, Any]


def draw_offer(consent: Consent, size: int) -> Json:
    """Return the question whether a file of so many bytes may be put into the person's OneDrive."""
    context = {"token": consent.token}
    content = {
        "description": f"{size_words(size)}, for your OneDrive.",
        "sizeInBytes": size,
        "acceptContext": context,
        "declineContext": context,
    }
    return {
        "type": "message",
        "summary": f"File: {consent.name}",
        "attachments": [{"contentType": CONSENT, "name": consent.name, "content": content}],
    }


def draw_file_there(consent: Consent, upload: Upload) -> Json:
    """Return the file itself, which is in the person's OneDrive now."""
    name = upload.name or consent.name
    if not upload.content_url or not upload.unique_id:
        return draw_sentence(f"{name} is in your OneDrive.")
    content = {"uniqueId": upload.unique_id, "fileType": upload.file_type or name.rpartition(".")[2]}
    attachment = {"contentType": INFO, "contentUrl": upload.content_url, "name": name, "content": content}
    return {"type": "message", "summary": f"{name} is in your OneDrive.", "attachments": [attachment]}


def draw_sentence(text: str) -> Json:
    """Return plain text as a message."""
    return {"type": "message", "text": escaped(text, SENTENCE_MAX_CHARS), "textFormat": "markdown"}


log = logging.getLogger("icc_bot")


OFFERED_FILES_MAX: Final = 10
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


@dataclass(frozen=True, slots=True)
class FileOffer:
    """Files of a message for one person, with the chat where they can be had; None where there is none."""

    files: tuple[Attached, ...]
    person: str
    connection: str
    home: Reference | None


class FileConsentFlow:
    """Offers files, and puts those that are wanted; `possible` tells whether this cloud has that at all."""

    def __init__(
        self, connector: Connector, references: References, consents: Consents, uploads: Uploads, *, possible: bool
    ) -> None:
        self._connector, self._references, self.consents, self._uploads = connector, references, consents, uploads
        self.possible = possible

    def announce(self, activity: Json, offer: FileOffer, here: Reference) -> None:
        """Say in a message how its files can be had."""
        line = NO_PRIVATE_CHAT if self.possible else NO_FILES_IN_CLOUD
        if offer.home:
            line = BELOW if offer.home.conversation == here.conversation else OFFERED_IN_PRIVATE
        for attachment in activity.get("attachments", []):
            attachment["content"]["body"].append(small(line))
        if "attachments" not in activity:
            activity["text"] += f"\n\n{escaped(line, SENTENCE_MAX_CHARS)}"

    async def offer(self, offer: FileOffer | None, here: Reference, posted: Posted) -> None:
        """Ask the person about each file that was not offered with this message before."""
        if offer is None or offer.home is None:
            return
        about = f"{posted.channel} {posted.id or secrets.token_hex(8)}"
        whole = True
        for file in offer.files[-OFFERED_FILES_MAX:]:
            try:
                await self._offered(file, offer, offer.home, about)
            except Dead as error:
                log.warning("files could not be offered: %s", error)
                whole = False
                break
            except (Undone, OSError) as error:
                log.warning("%s could not be offered: %s", file.name, error)
                whole = False
        if whole:
            return
        try:
            await self._connector.send(here, draw_sentence(NOT_OFFERED))
        except Undone:
            log.warning("that a file could not be offered could not be said either")

    async def _offered(self, file: Attached, offer: FileOffer, home: Reference, about: str) -> None:
        made = file, offer.person, home.conversation, about, offer.connection
        consent = await asyncio.to_thread(self.consents.offer, *made)
        if consent:
            await self._ask(consent, home)

    async def _ask(self, consent: Consent, home: Reference) -> None:
        try:
            size = (await asyncio.to_thread(consent.path.stat)).st_size
            message = await self._connector.send(home, draw_offer(consent, size))
        except (Undone, OSError) as error:
            await asyncio.to_thread(self.consents.drop, consent.token)
            if isinstance(error, Dead):
                await in_order(self._references.bury, home.conversation)
            raise
        await asyncio.to_thread(self.consents.place, consent.token, message)

    async def put(self, consent: Consent, upload: Upload) -> None:
        """Put a file where the person has it, and show it in place of the offer; say so where that cannot be done."""
        name = consent.name
        consent = await self.say(consent, f"{name} is on its way into your OneDrive…")
        try:
            await self._uploads.put(upload.url, consent.path)
        except OSError:
            await self.say(consent, f"{name} is gone with its rows, so nothing was put into your OneDrive. Ask again.")
        except NotUploaded as why:
            log.warning("%s could not be put into the OneDrive of %s: %s", name, consent.person, why)
            sentence = f"{name} could not be put into your OneDrive: {why}. It is kept; here it is offered once more."
            await self.say(consent, sentence)
            await self._offer_again(consent)
            return
        else:
            await self._show(consent, draw_file_there(consent, upload))
        await asyncio.to_thread(self.consents.end, consent.token)

    async def say(self, consent: Consent, sentence: str) -> Consent:
        """Have a sentence stand in place of the offer, and return where it stands."""
        return await self._show(consent, draw_sentence(sentence))

    async def resume(self, put: Callable[[Consent, Upload], object]) -> None:
        """Have that be put which an earlier process had begun to; what cannot be read is given up."""
        for consent, stored in await asyncio.to_thread(self.consents.left):
            try:
                upload = Upload.from_json(stored)
            except (ValueError, TypeError):
                log.exception("where %s was to be put cannot be read", consent.name)
                await asyncio.to_thread(self.consents.end, consent.token)
                continue
            put(consent, upload)

    async def _offer_again(self, consent: Consent) -> None:
        renewed = await asyncio.to_thread(self.consents.renew, consent)
        if home := await in_order(self._references.of, consent.conversation):
            try:
                await self._ask(renewed, home)
            except (Undone, OSError) as error:
                log.warning("a file could not be offered once more: %s", error)

    async def _show(self, consent: Consent, activity: Json) -> Consent:
        """Have a message stand in place of the offer; below it, where Teams does not let it be changed."""
        reference = await in_order(self._references.of, consent.conversation)
        if reference is None:
            log.warning("nothing can be said about a file any more: its conversation is not known")
            return consent
        try:
            if consent.message:
                with suppress(Declined):
                    await self._connector.update(reference, consent.message, activity)
                    return consent
            message = await self._connector.send(reference, activity)
            await asyncio.to_thread(self.consents.place, consent.token, message)
            if consent.message:
                await self._connector.delete(reference, consent.message)
            return replace(consent, message=message)
        except Undone as error:
            log.warning("what became of a file could not be said: %s", error)
            return consent


def connection_of(reply: Reply) -> str:
    """Return where the rows of a reply came from, empty where it has none."""
    cards = (card for card in reply.cards if isinstance(card, File | Table | Chart))
    return next((card.connection for card in cards if card.connection), "")
