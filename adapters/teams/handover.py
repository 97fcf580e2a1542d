"""Hands files over where the bot has no address of its own: Teams asks the person, and gives a place in their OneDrive.

Teams lets bots do so in personal chats alone, and not in its clouds for governments.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from adapters.attached import Attached
from adapters.chat.surface import Posted
from adapters.teams.connector import Connector
from adapters.teams.consents import Consent, Consents
from adapters.teams.markdown import escaped
from adapters.teams.offer import LONGEST, draw_file_there, draw_offer, draw_sentence
from adapters.teams.reference import Reference
from adapters.teams.references import References
from adapters.teams.texts import small
from adapters.teams.undone import Dead, Declined, Undone
from adapters.teams.upload import Upload
from adapters.teams.uploads import NotUploaded, Uploads
from router.cards import Chart, File, Reply, Table

log = logging.getLogger("icc_bot")

Json = dict[str, Any]

MOST: Final = 10
"""How many files of one message are offered; of more, the last."""

BELOW = "The file is offered below: press Allow there, and Teams puts it into your OneDrive."
ASIDE = "The file is offered to whoever asked, in their own chat with me: Teams lets me hand over files nowhere else."
NO_CHAT = (
    "The file is kept, but cannot be handed over here: Teams lets me do that only in a chat of our own, and there is "
    "none. Add me as an app for yourself and ask for it again, or have an administrator set TEAMS_PUBLIC_URL."
)
NO_WAY = (
    "The file is kept, but cannot be handed over: this cloud of Microsoft lets bots hand over none. An administrator "
    "can change that by setting TEAMS_PUBLIC_URL."
)
NOT_OFFERED = "A file that belongs to this could not be offered. It is kept; ask for it again in a moment."


@dataclass(frozen=True, slots=True)
class Offer:
    """Files of a message for one person, with the chat where they can be had; None where there is none."""

    files: tuple[Attached, ...]
    person: str
    connection: str
    home: Reference | None


class Handover:
    """Offers files, and puts those that are wanted; `possible` tells whether this cloud has that at all."""

    def __init__(
        self, connector: Connector, references: References, consents: Consents, uploads: Uploads, *, possible: bool
    ) -> None:
        self._connector, self._references, self.consents, self._uploads = connector, references, consents, uploads
        self.possible = possible

    def announce(self, activity: Json, offer: Offer, here: Reference) -> None:
        """Say in a message how its files can be had."""
        line = NO_CHAT if self.possible else NO_WAY
        if offer.home:
            line = BELOW if offer.home.conversation == here.conversation else ASIDE
        for attachment in activity.get("attachments", []):
            attachment["content"]["body"].append(small(line))
        if "attachments" not in activity:
            activity["text"] += f"\n\n{escaped(line, LONGEST)}"

    async def offer(self, offer: Offer | None, here: Reference, posted: Posted) -> None:
        """Ask the person about each file that was not offered with this message before."""
        if offer is None or offer.home is None:
            return
        about = f"{posted.channel} {posted.id or secrets.token_hex(8)}"
        whole = True
        for file in offer.files[-MOST:]:
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

    async def _offered(self, file: Attached, offer: Offer, home: Reference, about: str) -> None:
        consent = self.consents.offer(file, offer.person, home.conversation, about, offer.connection)
        if consent:
            await self._ask(consent, home)

    async def _ask(self, consent: Consent, home: Reference) -> None:
        try:
            size = (await asyncio.to_thread(consent.path.stat)).st_size
            message = await self._connector.send(home, draw_offer(consent, size))
        except (Undone, OSError) as error:
            self.consents.drop(consent.token)
            if isinstance(error, Dead):
                self._references.bury(home.conversation)
            raise
        self.consents.place(consent.token, message)

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
        self.consents.end(consent.token)

    async def say(self, consent: Consent, sentence: str) -> Consent:
        """Have a sentence stand in place of the offer, and return where it stands."""
        return await self._show(consent, draw_sentence(sentence))

    def resume(self, put: Callable[[Consent, Upload], object]) -> None:
        """Have that be put which an earlier process had begun to; what cannot be read is given up."""
        for consent, stored in self.consents.left():
            try:
                upload = Upload.from_json(stored)
            except (ValueError, TypeError):
                log.exception("where %s was to be put cannot be read", consent.name)
                self.consents.end(consent.token)
                continue
            put(consent, upload)

    async def _offer_again(self, consent: Consent) -> None:
        renewed = self.consents.renew(consent)
        if home := self._references.of(consent.conversation):
            try:
                await self._ask(renewed, home)
            except (Undone, OSError) as error:
                log.warning("a file could not be offered once more: %s", error)

    async def _show(self, consent: Consent, activity: Json) -> Consent:
        """Have a message stand in place of the offer; below it, where Teams does not let it be changed."""
        reference = self._references.of(consent.conversation)
        if reference is None:
            log.warning("nothing can be said about a file any more: its conversation is not known")
            return consent
        try:
            if consent.message:
                with suppress(Declined):
                    await self._connector.update(reference, consent.message, activity)
                    return consent
            message = await self._connector.send(reference, activity)
            self.consents.place(consent.token, message)
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
