"""Finds the approvers that a card waits for on their platform, and tells each of them once, in their own chat."""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from adapters.chat.keyed_lock import KeyedLock
from adapters.chat.profiles import Lookups
from adapters.chat.surface import MessagePlace, Posted, Shape, Surface, Undelivered
from router.approval_requests import ApprovalRequest, ApprovalRequests, Notice
from router.cards import Approver, Buttons, Card, Link, Option, Reply, Text, Waiting
from router.catalog.connection import EVERYBODY, Connections
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.policy import may_read

log = logging.getLogger("icc_bot")

FIND_MAX_SECONDS: Final = 1.0
"""Seconds that a card waits for its approvers to be found; who is not found by then is named by their address."""

FOUND_LIFETIME_SECONDS: Final = 300.0
"""Seconds for which it is believed that a platform knows, or does not know, somebody."""

APPROVERS_TOLD_MAX: Final = 20
"""Approvers of one request who are told in their own chats."""

OPEN_THREAD: Final = "Open the thread"
PRIVATE_CHAT_TEXT: Final = "They asked in their own chat with me, which nobody else sees. Write to them."


@dataclass(slots=True)
class Approvers:
    """The approvers of all talks on one platform."""

    platform: str
    surface: Surface
    requests: ApprovalRequests
    connections: Connections
    patience: float = FIND_MAX_SECONDS
    _people: Lookups[tuple[str, str, str], User | None] = field(default_factory=lambda: Lookups(FOUND_LIFETIME_SECONDS))
    _telling: KeyedLock = field(default_factory=KeyedLock)

    async def known(self, key: ThreadKey, reply: Reply) -> Reply:
        """Return a reply with the platform's ids of those whom it waits for, as far as they are found in time."""
        wanted = {name for card in reply.cards for name in _named(card)}
        if not wanted:
            return reply
        found = await self._all(key, wanted, self.patience)
        return replace(reply, cards=tuple(_with(card, found) for card in reply.cards))

    async def tell(self, key: ThreadKey | None = None) -> None:
        """Notify approvers of requests that wait for them, in one talk or in all, and redraw those that are over."""
        for request in await asyncio.to_thread(self.requests.find_unnotified, self.platform, key):
            async with self._telling.at(str(request.number)):
                await self._tell_all(request)
        for notice in await asyncio.to_thread(self.requests.outdated, self.platform, key):
            async with self._telling.at(str(notice.request.number)):
                await self._conclude(notice)

    async def _tell_all(self, request: ApprovalRequest) -> None:
        wanted = [each for each in request.people if each != EVERYBODY][:APPROVERS_TOLD_MAX]
        found = await self._all(request.key, wanted)
        people = {user.id: user for user in found.values() if user and self.requests.may(user, request)}
        people.pop(request.asker.id, None)
        whole = True
        for user in people.values():
            whole = await self._tell(request, user) and whole
        if whole:
            await asyncio.to_thread(self.requests.mark_notified, request)

    async def _tell(self, request: ApprovalRequest, user: User) -> bool:
        """Notify one person, once; returns whether nothing more can be done."""
        notice = await asyncio.to_thread(self.requests.begin_notice, request, user.id)
        if notice is None:
            return False  # another process is at it
        if notice.message:
            return True
        place = MessagePlace(request.key.team, self.surface.home(user.id))
        id = f"approval {request.number} {user.id}"
        try:
            shape = Shape(await self._asks(request, user), request.key, asker=user.id)
            # Of one that was posted in the moment of a kill, the platform alone knows, and may tell it only by the
            # channel of the person's chat.
            chat = await asyncio.to_thread(self.requests.chat_of, request, user.id)
            found = await self.surface.find(replace(place, channel=chat or place.channel), id)
            posted = found or await self.surface.show(place, shape, id)
        except Undelivered as error:
            log.info("%s could not be told of an approval that waits: %s", user.id, error)
            over = error.outside or error.refused or error.lost
            if not over:
                await asyncio.to_thread(self.requests.give_back, notice)
            return over
        await asyncio.to_thread(self.requests.posted, replace(notice, channel=posted.channel, message=posted.id))
        return True

    async def _asks(self, request: ApprovalRequest, user: User) -> Reply:
        """Return what an approver is told: no rows and no SQL, and of what they may not read, not even the question."""
        connection = self.connections.get(request.connection)
        label = connection.label if connection else request.connection
        about = f": {request.about}" if connection and may_read(user, connection) else "."
        who = request.asker.name or "Somebody"
        said = Text(f"{who} needs your approval on *{label}*{about}")
        link = await self._link(request.key)
        return Reply((said, Link(OPEN_THREAD, link) if link else Text(PRIVATE_CHAT_TEXT, "quiet")))

    async def _link(self, key: ThreadKey) -> str:
        try:
            return await self.surface.link(key)
        except Undelivered as error:
            log.warning("there is no link to %s: %s", key, error)
            return ""

    async def _conclude(self, notice: Notice) -> None:
        """Have what told a person of a request say what became of it."""
        request = notice.request
        posted = Posted(notice.channel, notice.message)
        place = MessagePlace(request.key.team, notice.channel)
        shape = Shape(Reply((Text(outcome_of(notice)),)), request.key)
        try:
            await self.surface.redraw(place, posted, shape)
        except Undelivered as error:
            log.info("a notice to %s could not be brought up to date: %s", notice.person, error)
            if not (error.gone or error.outside or error.refused):
                return
        await asyncio.to_thread(self.requests.mark_settled, notice)

    async def _all(
        self, key: ThreadKey, identities: Iterable[str], seconds: float | None = None
    ) -> dict[str, User | None]:
        """Return the people of these identities; without a limit of `seconds`, however long that takes."""
        names = [each for each in dict.fromkeys(identities) if each != EVERYBODY]
        # Teams finds people among those of a conversation, so that the channel counts.
        asked = {
            each: self._people.ask((key.team, key.channel, each), partial(self.surface.find_person, key, each))
            for each in names[:APPROVERS_TOLD_MAX]
        }
        if asked:
            await asyncio.wait(asked.values(), timeout=seconds)
        return {name: _found(answer) for name, answer in asked.items()}


def _found(answer: "asyncio.Future[User | None]") -> User | None:
    """Return the person who was found; None if nobody was, or the platform did not say in time."""
    if not answer.done() or answer.cancelled():
        return None
    if error := answer.exception():
        log.info("an approver could not be found: %s", error)
        return None
    return answer.result()


def outcome_of(notice: Notice) -> str:
    """Return what became of a request, as the person reads it who was told of it."""
    request = notice.request
    who = request.asker.name or "Somebody"
    if request.state == "withdrawn":
        return f"No longer needed: {who} changed or withdrew this."
    decider = request.decider
    by = "you" if decider and decider.id == notice.person else (decider.name if decider else "") or "somebody else"
    return f"✓ Approved by {by} ({who} asked)"


def _named(card: Card) -> tuple[str, ...]:
    """Return the identities of people in a card."""
    match card:
        case Waiting(people):
            return tuple(each.identity for each in people)
        case Buttons(options=options):
            return tuple(person for option in options for person in option.only)
        case _:
            return ()


def _with(card: Card, found: dict[str, User | None]) -> Card:
    match card:
        case Waiting(people):
            return replace(card, people=tuple(_approver(each, found.get(each.identity)) for each in people))
        case Buttons(options=options):
            return replace(card, options=tuple(_seen_by(option, found) for option in options))
        case _:
            return card


def _approver(approver: Approver, user: User | None) -> Approver:
    return replace(approver, id=user.id, name=user.name) if user else approver


def _seen_by(option: Option, found: dict[str, User | None]) -> Option:
    """Return the button for the people who may see it; for everybody, if one of them is not known."""
    people = [found.get(each) for each in option.only]
    ids = tuple(dict.fromkeys(each.id for each in people if each))
    return replace(option, only=ids if all(people) else ())
