"""Teams as a surface of the desk: drawings become activities, and the connector's errors end here."""

import asyncio
import logging
from collections.abc import Awaitable
from datetime import datetime
from typing import Any, TypeVar

from adapters.asked import Asked
from adapters.chat.alone import Alone
from adapters.chat.recent import Recent
from adapters.chat.replies import rated_in
from adapters.chat.surface import Decision, Heard, Person, Place, Posted, Shape, Undelivered
from adapters.teams.cards import draw
from adapters.teams.connector import Connector
from adapters.teams.downloads import Downloads
from adapters.teams.drawn import Drawn
from adapters.teams.markdown import escaped
from adapters.teams.reference import Reference
from adapters.teams.references import References
from adapters.teams.undone import Dead, Gone, Undone, Unsure
from router.cards import Code, Form, Progress, Table
from router.memory import Memory, ThreadKey, User

log = logging.getLogger("icc_bot")

T = TypeVar("T")

CARD = "application/vnd.microsoft.card.adaptive"
AI = {
    "type": "https://schema.org/Message",
    "@type": "Message",
    "@context": "https://schema.org",
    "additionalType": ["AIGeneratedContent"],
}
"""Marks a message as written by AI."""


class TeamsSurface:
    """All conversations of the bot."""

    def __init__(self, connector: Connector, references: References, downloads: Downloads) -> None:
        self.connector, self.references, self.downloads = connector, references, downloads
        self._alone = Alone()
        self._people: Recent[tuple[str, str], Person] = Recent()

    async def show(self, place: Place, shape: Shape, id: str, *, brief: bool = False) -> Posted:
        """Post a message; progress may come to stand twice rather than not at all, since it is drawn over."""
        reference = await self._reference(place)
        activity = await asyncio.to_thread(self._activity, shape)
        progress = all(isinstance(card, Progress) for card in shape.reply.cards)
        async with self._alone.at(reference.conversation):
            sent = await self._told(reference, self._sent(reference, activity, progress))
        base = reference.conversation.partition(";")[0]
        return Posted(base, sent)

    async def _sent(self, reference: Reference, activity: dict[str, Any], again: bool) -> str:
        try:
            return await self.connector.send(reference, activity, again=again)
        except Unsure:
            # Silence is worse than a line that stands there twice.
            return await self.connector.send(reference, activity, again=True)

    async def redraw(self, place: Place, posted: Posted, shape: Shape, id: str = "") -> Posted:
        """Draw a message anew, for everybody."""
        reference = await self._reference(place)
        activity = await asyncio.to_thread(self._activity, shape)
        async with self._alone.at(reference.conversation):
            await self._told(reference, self.connector.update(reference, posted.id, activity))
        return posted

    async def remove(self, place: Place, posted: Posted) -> None:
        """Delete a message."""
        try:
            reference = await self._reference(place)
            await self._told(reference, self.connector.delete(reference, posted.id))
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
        await self._told(reference, self.connector.send(reference, activity, again=True))

    async def person(self, team: str, user: User) -> Person:
        """Return who somebody is, with the address that their company gave them."""
        if known := self._people.get((team, user.id)):
            return known
        reference, _ = self.references.with_person(team, user.id)
        if reference is None:
            raise Undelivered("no conversation with this person is known")
        found = await self._told(reference, self.connector.member(reference, user.id.removeprefix("teams:")))
        email = found["email"] or found["userPrincipalName"]
        person = Person(User(user.id, found["name"] or user.name, email))
        self._people[team, user.id] = person
        return person

    async def begin(self, heard: Heard, respond: str, again: bool) -> Heard:
        """Return the input as it is: in Teams, every input has its thread."""
        return heard

    async def tell(self, key: ThreadKey, memory: Memory | None, working: bool) -> None:
        """Show that the bot writes; Teams has no sign for anything else."""
        if working:
            try:
                reference = await self._reference(Place(key.team, key.channel, key.thread))
                await self.connector.send(reference, {"type": "typing"}, again=True)
            except (Undone, Undelivered) as error:
                log.debug("that I write could not be shown in %s: %s", key, error)

    async def open(self, form: Form, asked: Asked, trigger: str) -> None:
        """Do nothing: a form stands in its card."""

    def home(self, user: str) -> str:
        """Return the person's id, which stands for their own chat with the bot."""
        return user

    async def _reference(self, place: Place) -> Reference:
        if place.channel.startswith("teams:"):
            return await self._direct(place.team, place.channel)
        reference = self.references.of(conversation_of(place.thread or place.channel))
        if reference is None:
            raise Undelivered("the conversation is not known (any more)", outside=True)
        return reference

    async def _direct(self, tenant: str, person: str) -> Reference:
        reference, personal = self.references.with_person(tenant, person)
        if reference is None:
            raise Undelivered("no conversation with this person is known", outside=True)
        if personal:
            return reference
        made = await self._told(reference, self.connector.create_direct(reference, person.removeprefix("teams:")))
        self.references.keep(made, person, personal=True)
        return made

    async def _told(self, reference: Reference, call: Awaitable[T]) -> T:
        """Return what the call does; raises Undelivered where Teams does not do it."""
        try:
            return await call
        except Dead as error:
            self.references.bury(reference.conversation)
            raise Undelivered(str(error), outside=True) from error
        except Gone as error:
            raise Undelivered(str(error), gone=True) from error
        except Undone as error:
            raise Undelivered(str(error)) from error

    def _activity(self, shape: Shape) -> dict[str, Any]:
        reply, links = shape.reply, self.downloads
        decision = _decided(shape.decision) if shape.decision else ""
        result = rated_in(reply)
        drawn = draw(
            reply,
            shape.key,
            decision=decision,
            rate=result,
            files=links.file if links.offered else None,
            attached=links.attached if links.offered else None,
        )
        activity: dict[str, Any] = {"type": "message", "summary": drawn.summary, **_content(drawn)}
        if any(isinstance(card, Code | Table) for card in reply.cards):
            activity["entities"] = [AI]
        if result:
            activity["channelData"] = {"feedbackLoop": {"type": "default"}}
        return activity


def conversation_of(thread: str) -> str:
    """Return the conversation of a thread; in a group chat, each person has a thread of their own."""
    return thread.partition("#")[0]


def _content(drawn: Drawn) -> dict[str, Any]:
    if drawn.card is None:
        return {"text": drawn.text, "textFormat": "markdown"}
    return {"attachments": [{"contentType": CARD, "content": drawn.card}]}


def _decided(decision: Decision) -> str:
    said = f"✓ {decision.label}" if decision.label else "Answered in the chat"
    who = decision.by.name or "somebody"
    return f"{said} · {who} · {_time(decision.at)}"


def _time(at: datetime) -> str:
    return f"{at:%H:%M}"
