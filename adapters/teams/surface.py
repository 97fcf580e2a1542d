"""Teams as a surface of the conversation service: drawings become activities, and the connector's errors end here."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from adapters.chat.profiles import Lookups
from adapters.chat.surface import PROGRESS_AFTER_SECONDS, Heard, MessagePlace, Person, Posted, Shape, Undelivered
from adapters.ordered_calls import call_in_order
from adapters.rendering.controls import QuestionRef
from adapters.teams.calls import BRIEF_CALL_TRIES, CALL_TRIES
from adapters.teams.cloud import PUBLIC
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, References
from adapters.teams.failures import Dead, Declined, MessageGone, Unanswered, Undone, is_lasting
from adapters.teams.file_consent import FileConsent, FileOffer, connection_of
from adapters.teams.files import Files
from adapters.teams.markdown import escaped
from adapters.teams.message import CARD_SIZES_BYTES, draw_message
from router.cards import Form, Progress
from router.memory.draft import User
from router.memory.thread import Memory, ThreadKey

log = logging.getLogger("icc_bot")

T = TypeVar("T")

WHISPER_MAX_CHARS = 3_000


def link_to(key: ThreadKey, client: str) -> str:
    """Return the address of a thread of a channel, or of a group chat; `client` is where people open Teams."""
    channel, _, message = key.thread.partition(";messageid=")
    if not message:
        return f"{client}/l/chat/{quote(key.channel, safe='')}/conversations"
    where = urlencode({"tenantId": key.team, "parentMessageId": message})
    return f"{client}/l/message/{quote(channel, safe='')}/{quote(message, safe='')}?{where}"


ANONYMOUS, GUEST = "anonymous", "guest"
"""The roles of people who joined a meeting without an account, and of those whom a company invited."""

GUEST_MARK = "#ext#"
"""Stands in the name that a directory gives to somebody of another one."""


def person_of(member: Mapping[str, str], user: User, tenants: frozenset[str] | None) -> Person:
    """Return a member as a person; one of none of these tenants is a stranger, without tenants nobody is.

    People of other companies write in shared channels, group chats and meetings, and anybody can have any address in a
    tenant of their own: an address is believed only of the own people. A guest is somebody whom the own company let in,
    with an address that another one gave them.
    """
    role, name = member["userRole"].casefold(), member["userPrincipalName"]
    stranger = tenants is not None and (role == ANONYMOUS or member["tenantId"].casefold() not in tenants)
    guest = role == GUEST or GUEST_MARK in name.casefold()
    email = "" if stranger or guest else member["email"] or name
    return Person(User(user.id, member["name"] or user.name, email, guest=guest), stranger)


class TeamsSurface:
    """All conversations of the bot."""

    progress_after = PROGRESS_AFTER_SECONDS
    tells_of_closed_forms = False
    picks_channels = False

    def __init__(
        self,
        connector: Connector,
        references: References,
        files: Files,
        file_consent: FileConsent,
        tenants: frozenset[str] | None,
        client: str = PUBLIC.client,
    ) -> None:
        """Take people of none of the tenants for strangers; with None, as on this machine alone, nobody."""
        self.connector, self.references, self.files, self.file_consent = connector, references, files, file_consent
        self._tenants, self._client = tenants, client
        self._people: Lookups[tuple[str, str], Person] = Lookups()

    # Messages.

    async def show(self, place: MessagePlace, shape: Shape, id: str, *, brief: bool = False) -> Posted:
        """Post a message."""
        return await self._put(place, shape, None, BRIEF_CALL_TRIES if brief else CALL_TRIES)

    async def redraw(self, place: MessagePlace, posted: Posted, shape: Shape, id: str = "") -> Posted:
        """Draw a message again, for everybody."""
        working = all(isinstance(card, Progress) for card in shape.reply.cards)
        try:
            return await self._put(place, shape, posted, BRIEF_CALL_TRIES if working else CALL_TRIES)
        except Undelivered as error:
            error.gone = error.gone or error.refused  # it cannot be changed as long as it is what it is
            raise

    async def _put(self, place: MessagePlace, shape: Shape, there: Posted | None, tries: int) -> Posted:
        """Have a message be there, new or in place of one that is `there`, in the first of its sizes that Teams takes.

        Files that it has no links to are offered.
        """
        reference = await self._reference(place)
        link = partial(self.files.link, channel=shape.key.channel) if self.files.linked else None
        for most in CARD_SIZES_BYTES:
            activity, files = await asyncio.to_thread(draw_message, shape, link, most)
            offer = await self._offer_of(place, shape, files) if files and link is None else None
            if offer:
                self.file_consent.announce(activity, offer, reference)
            try:
                if there:
                    await self._told(reference, self.connector.update(reference, there.id, activity, tries=tries))
                else:
                    id = await self._told(reference, self.connector.send(reference, activity, tries=tries))
                    there = Posted(reference.conversation.partition(";")[0], id)
                break
            except Undelivered as error:
                if most == CARD_SIZES_BYTES[-1] or not error.refused:
                    raise
                log.warning("a message of at most %d bytes is not taken: %s", most, error)
        assert there
        if offer and not shape.decision:
            await self.file_consent.offer(offer, reference, there)
        return there

    async def _offer_of(self, place: MessagePlace, shape: Shape, files: tuple[Any, ...]) -> FileOffer:
        """Return what is to be handed over below a message, or in the person's own chat."""
        person = place.channel if place.channel.startswith("teams:") else shape.reply.to or shape.asker
        home = None
        if self.file_consent.possible:
            with suppress(Undelivered):
                home = await self._direct(place.team, person)
        return FileOffer(files, person, connection_of(shape.reply), home)

    async def remove(self, place: MessagePlace, posted: Posted) -> None:
        """Delete a message."""
        try:
            reference = await self._reference(place)
            await self._told(reference, self.connector.delete(reference, posted.id))
        except Undelivered as error:
            log.warning("a message could not be deleted: %s", error)

    async def find(self, place: MessagePlace, id: str) -> Posted | None:
        """Return None: Teams does not tell bots what is in a conversation."""
        return None

    async def whisper(self, place: MessagePlace, user: User, text: str) -> None:
        """Send one person a text in their own chat with the bot; if they have none, for their eyes in the thread.

        A message for one person alone is new in Teams: if it is not taken, everybody in the thread reads it.
        """
        activity = {"type": "message", "text": escaped(text, WHISPER_MAX_CHARS), "textFormat": "markdown"}
        try:
            reference = await self._reference(MessagePlace(place.team, self.home(user.id)))
        except Undelivered:
            reference = await self._reference(place)
            with suppress(Undone):
                await self.connector.send_to(reference, user.id.removeprefix("teams:"), activity)
                return
        await self._told(reference, self.connector.send(reference, activity))

    async def tell(self, key: ThreadKey, memory: Memory | None, working: bool) -> None:
        """Show at once that the bot writes, before it is known what it does; Teams has no sign for anything else."""
        if working:
            try:
                reference = await self._reference(MessagePlace(key.team, key.channel, key.thread))
                await self.connector.send(reference, {"type": "typing"}, tries=1)
            except (Undone, Undelivered) as error:
                log.debug("that I write could not be shown in %s: %s", key, error)

    async def begin(self, heard: Heard, again: bool) -> Heard:
        """Return the input as it is: in Teams, every input has its thread."""
        return heard

    async def open(self, form: Form, asked: QuestionRef, trigger: str) -> None:
        """Ignore it: a form stands in its card."""

    # People.

    async def person(self, team: str, user: User) -> Person:
        """Return who somebody is, with the address that their company gave them."""
        found = await self._people.answer((team, user.id), partial(self._ask, team, user.id, user.name))
        return replace(found, user=replace(found.user, zone=user.zone))

    async def _ask(self, team: str, id: str, name: str) -> Person:
        reference, _ = await call_in_order(self.references.with_person, team, id)
        if reference is None:
            raise Undelivered("no conversation with this person is known")
        asked = self.connector.member(reference, id.removeprefix("teams:"))
        return person_of(await self._told(reference, asked, writes=False), User(id, name), self._tenants)

    async def find_person(self, key: ThreadKey, identity: str) -> User | None:
        """Return somebody by id, or by address among the people of the thread's conversation."""
        if identity.startswith("teams:"):
            return _at_home(await self.person(key.team, User(identity)))
        if "@" not in identity or ":" in identity:
            return None
        reference = await self._reference(MessagePlace(key.team, key.channel, key.thread))
        member = await self._told(reference, self.connector.member_at(reference, identity), writes=False)
        if member is None or not (id := member["aadObjectId"] or member["id"]):
            return None
        found = _at_home(person_of(member, User(f"teams:{id}"), self._tenants))
        if found:  # from now on it is known where they are to be found
            await call_in_order(self.references.keep, reference, found.id)
        return found

    # Places.

    async def channel(self, team: str, named: str) -> str:
        """Know none: a form of Teams has nobody pick a channel."""
        raise Undelivered("no channels", outside=True)

    async def link(self, key: ThreadKey) -> str:
        """Return a deep link to a thread; nobody else can open a person's own chat."""
        return "" if await call_in_order(self.references.is_personal, key.channel) else link_to(key, self._client)

    def home(self, user: str) -> str:
        """Return the person's id, which stands for their own chat with the bot."""
        return user

    async def own_chat(self, tenant: str, person: str) -> str:
        """Return the conversation of a person's own chat with the bot, which is begun if there is none."""
        return (await self._direct(tenant, person)).conversation

    async def _reference(self, place: MessagePlace) -> Reference:
        if place.channel.startswith("teams:"):
            return await self._direct(place.team, place.channel)
        thread = place.thread if place.thread.startswith(place.channel) else ""  # below a message, if there are none
        reference = await call_in_order(self.references.of, conversation_of(thread or place.channel))
        if reference is None and not thread:
            reference = await call_in_order(self.references.beside, place.team, place.channel)
        if reference is None:
            raise Undelivered("the conversation is not known (any more)", outside=True)
        return reference

    async def _direct(self, tenant: str, person: str) -> Reference:
        reference, personal = await call_in_order(self.references.with_person, tenant, person)
        if reference is None:
            raise Undelivered("no conversation with this person is known", outside=True)
        if personal:
            return reference
        making = self.connector.create_direct(reference, person.removeprefix("teams:"))
        made = await self._told(reference, making, writes=False)
        await call_in_order(self.references.keep, made, person, personal=True)
        return made

    async def _told(self, reference: Reference, call: Awaitable[T], *, writes: bool = True) -> T:
        """Return what the call does; raises Undelivered if Teams does not do it.

        `writes`: it writes into the conversation, which is dead if Teams does not let it.
        """
        try:
            return await call
        except Undone as error:
            dead = isinstance(error, Dead)
            if dead and writes:
                await call_in_order(self.references.bury, reference.conversation)
            lost = writes and isinstance(error, Unanswered) and error.lost
            gone, refused = isinstance(error, MessageGone), isinstance(error, Declined) and is_lasting(error)
            raise Undelivered(str(error), outside=dead, gone=gone, refused=refused, lost=lost) from error


def _at_home(person: Person) -> User | None:
    return None if person.stranger else person.user


def conversation_of(thread: str) -> str:
    """Return the conversation of a thread; in a group chat, each person has a thread of their own."""
    return thread.partition("#")[0]
