"""Teams as a surface of the desk: drawings become activities, and the connector's errors end here."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from adapters.asked import Asked
from adapters.chat.known import Known
from adapters.chat.surface import Heard, Person, Place, Posted, Shape, Undelivered
from adapters.teams.calls import BRIEF, TRIES
from adapters.teams.cloud import PUBLIC
from adapters.teams.connector import Connector
from adapters.teams.deep_links import link_to
from adapters.teams.downloads import Downloads
from adapters.teams.drawn import Element
from adapters.teams.handed import Handed
from adapters.teams.handover import Handover, Offer, connection_of
from adapters.teams.markdown import escaped
from adapters.teams.message import SIZES, card_in, draw_message
from adapters.teams.people import person_of
from adapters.teams.reference import Reference
from adapters.teams.references import References
from adapters.teams.streams import Streams, is_stream, line_of
from adapters.teams.undone import Dead, Declined, Gone, Stopped, Unanswered, Undone, is_lasting
from router.cards import Form
from router.memory import Memory, ThreadKey, User

log = logging.getLogger("icc_bot")

T = TypeVar("T")

Json = dict[str, Any]


class TeamsSurface:
    """All conversations of the bot."""

    def __init__(
        self,
        connector: Connector,
        references: References,
        downloads: Downloads,
        streams: Streams,
        handover: Handover,
        handed: Handed,
        tenants: frozenset[str] | None,
        client: str = PUBLIC.client,
    ) -> None:
        """Take whoever is of none of the tenants for a stranger; with None, as on this machine alone, nobody."""
        self.connector, self.references, self.downloads, self.streams = connector, references, downloads, streams
        self.handover, self.handed = handover, handed
        self._tenants, self._people, self._client = tenants, Known(self._ask), client

    async def show(self, place: Place, shape: Shape, id: str, *, brief: bool = False) -> Posted:
        """Post a message."""
        reference = await self._reference(place)
        if line_of(shape.reply) and (begun := await self._told(reference, self.streams.begin(reference, shape.reply))):
            return begun

        async def send(activity: Json) -> Posted:
            sent = await self.connector.send(reference, activity, tries=BRIEF if brief else TRIES)
            return Posted(reference.conversation.partition(";")[0], sent)

        posted, offer = await self._told(reference, self._put(place, reference, shape, send))
        await self.handover.offer(offer, reference, posted)
        return posted

    async def redraw(self, place: Place, posted: Posted, shape: Shape, id: str = "") -> Posted:
        """Draw a message anew, for everybody."""
        reference = await self._reference(place)

        async def change(activity: Json) -> Posted:
            number, now = await self.handed.begin(posted, card_in(activity), tells=not shape.reply.refused), posted
            line = line_of(shape.reply)
            if is_stream(posted):
                now = await self.streams.write(reference, posted, activity, line)
            else:
                await self.connector.update(reference, posted.id, activity, tries=BRIEF if line else TRIES)
            self.handed.drawn(now, number)
            return now

        try:
            now, offer = await self._told(reference, self._put(place, reference, shape, change))
        except Undelivered as error:
            error.gone = error.gone or error.refused  # it cannot be changed as long as it is what it is
            raise
        if not shape.decision:
            await self.handover.offer(offer, reference, now)
        return now

    async def card_of(self, shape: Shape, line: str) -> Element | None:
        """Return a message as a card that has nothing to press and ends with this line; None where it needs no card."""
        activity, _ = await asyncio.to_thread(draw_message, shape, self.downloads, line)
        return card_in(activity)

    async def remove(self, place: Place, posted: Posted) -> None:
        """Delete a message."""
        try:
            reference = await self._reference(place)
            remove = self.streams.remove if is_stream(posted) else self.connector.delete
            await self._told(reference, remove(reference, posted.id))
        except Undelivered as error:
            log.warning("a message could not be deleted: %s", error)

    async def find(self, place: Place, id: str) -> Posted | None:
        """Return None: Teams does not tell bots what is in a conversation."""
        return None

    async def whisper(self, place: Place, user: User, text: str) -> None:
        """Tell one person something in their own chat with the bot; where they have none, in the thread."""
        activity = {"type": "message", "text": escaped(text, 3000), "textFormat": "markdown"}
        try:
            reference = await self._reference(Place(place.team, self.home(user.id)))
        except Undelivered:
            reference = await self._reference(place)
        await self._told(reference, self.connector.send(reference, activity))

    async def person(self, team: str, user: User) -> Person:
        """Return who somebody is, with the address that their company gave them."""
        found = await self._people.person(team, user.id, user.name)
        return replace(found, user=replace(found.user, zone=user.zone))

    async def _ask(self, team: str, id: str, name: str) -> Person:
        reference, _ = self.references.with_person(team, id)
        if reference is None:
            raise Undelivered("no conversation with this person is known")
        asked = self.connector.member(reference, id.removeprefix("teams:"))
        return person_of(await self._told(reference, asked, writes=False), User(id, name), self._tenants)

    async def begin(self, heard: Heard, respond: str, again: bool) -> Heard:
        """Return the input as it is: in Teams, every input has its thread."""
        return heard

    async def tell(self, key: ThreadKey, memory: Memory | None, working: bool) -> None:
        """Show that the bot writes; Teams has no sign for anything else. In a personal chat, a stream is that sign."""
        if working:
            try:
                reference = await self._reference(Place(key.team, key.channel, key.thread))
                if not self.streams.at_home(reference):
                    await self.connector.send(reference, {"type": "typing"}, tries=1)
            except (Undone, Undelivered) as error:
                log.debug("that I write could not be shown in %s: %s", key, error)

    async def open(self, form: Form, asked: Asked, trigger: str) -> None:
        """Do nothing: a form stands in its card."""

    async def link(self, key: ThreadKey) -> str:
        """Return a deep link to a thread; nobody else can open a person's own chat."""
        return "" if self.references.personal(key.channel) else link_to(key, self._client)

    def home(self, user: str) -> str:
        """Return the person's id, which stands for their own chat with the bot."""
        return user

    async def _reference(self, place: Place) -> Reference:
        if place.channel.startswith("teams:"):
            return await self._direct(place.team, place.channel)
        reference = self.references.of(conversation_of(place.thread or place.channel))
        if reference is None and not place.thread:
            reference = self.references.beside(place.team, place.channel)
        if reference is None:
            raise Undelivered("the conversation is not known (any more)", outside=True)
        return reference

    async def _direct(self, tenant: str, person: str) -> Reference:
        reference, personal = self.references.with_person(tenant, person)
        if reference is None:
            raise Undelivered("no conversation with this person is known", outside=True)
        if personal:
            return reference
        making = self.connector.create_direct(reference, person.removeprefix("teams:"))
        made = await self._told(reference, making, writes=False)
        self.references.keep(made, person, personal=True)
        return made

    async def _put(
        self, place: Place, reference: Reference, shape: Shape, put: Callable[[Json], Awaitable[Posted]]
    ) -> tuple[Posted, Offer | None]:
        """Have a message be there in the first of its sizes that Teams takes; raises Undone where it takes none."""
        *more, last = SIZES
        for most in more:
            activity, offer = await self._prepared(place, reference, shape, most)
            try:
                return await put(activity), offer
            except Declined as error:
                if not is_lasting(error):
                    raise
                log.warning("a message of at most %d bytes is not taken: %s", most, error)
        activity, offer = await self._prepared(place, reference, shape, last)
        return await put(activity), offer

    async def _prepared(self, place: Place, reference: Reference, shape: Shape, most: int) -> tuple[Json, Offer | None]:
        """Return a message as an activity, and what is to be handed over below it, or in the person's own chat."""
        activity, files = await asyncio.to_thread(draw_message, shape, self.downloads, most=most)
        if not files:
            return activity, None
        person = place.channel if place.channel.startswith("teams:") else shape.reply.to or shape.asker
        home = None
        if self.handover.possible:
            with suppress(Undelivered):
                home = await self._direct(place.team, person)
        offer = Offer(files, person, connection_of(shape.reply), home)
        self.handover.announce(activity, offer, reference)
        return activity, offer

    async def _told(self, reference: Reference, call: Awaitable[T], *, writes: bool = True) -> T:
        """Return what the call does; raises Undelivered where Teams does not do it.

        `writes`: it writes into the conversation, which is dead where Teams does not let it.
        """
        try:
            return await call
        except Dead as error:
            if writes:
                self.references.bury(reference.conversation)
            raise Undelivered(str(error), outside=True) from error
        except Stopped as error:
            raise Undelivered(str(error), stopped=True) from error
        except Gone as error:
            raise Undelivered(str(error), gone=True) from error
        except Undone as error:
            lost = writes and isinstance(error, Unanswered) and error.lost
            raise Undelivered(str(error), refused=is_lasting(error), lost=lost) from error


def conversation_of(thread: str) -> str:
    """Return the conversation of a thread; in a group chat, each person has a thread of their own."""
    return thread.partition("#")[0]
