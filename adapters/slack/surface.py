"""Slack as a surface of the conversation service: drawings go through the writer, and Slack's errors end here."""

import asyncio
import logging
import re
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from slack_sdk.errors import SlackApiError

from adapters.chat.bounded_cache import BoundedCache
from adapters.chat.profiles import Lookups
from adapters.chat.surface import (
    PROGRESS_AFTER_SECONDS,
    Heard,
    MessagePlace,
    Person,
    Posted,
    QuestionOutcome,
    Shape,
    Undelivered,
    rated_in,
)
from adapters.rendering.controls import QuestionRef
from adapters.slack.blocks import draw, handed_over
from adapters.slack.clients import FAILED, Clients, error_of, is_lost, is_unsure, word_of
from adapters.slack.drawing import Draw, SlackMessage
from adapters.slack.errors import MESSAGE_GONE_ERRORS, is_of_this_drawing, is_outside
from adapters.slack.examples import with_suggestions
from adapters.slack.inbound import is_direct
from adapters.slack.modals import view_of
from adapters.slack.mrkdwn import escaped, fit
from adapters.slack.open_modals import OpenModals
from adapters.slack.sessions import Sessions
from adapters.slack.text_blocks import section
from adapters.slack.writer import POST_TRIES, Writer, respond
from router.cards import Form
from router.memory.draft import User
from router.memory.recurrence import zone_known
from router.memory.thread import Memory, ThreadKey
from router.turn import Said

# Threads that the bot begins itself, for a command has none.


log = logging.getLogger("icc_bot")

NOT_WRITABLE = (
    "I cannot write to that channel (Slack says {}), so I answer you in our direct messages. `/invite` me there to be "
    "asked there."
)
CANNOT_WRITE = (
    "I cannot answer you just now: Slack does not let me write to you ({}). Your question is kept, and I try again "
    "every minute for a day. If this lasts, show it to your administrator. You asked: {}"
)
OPENING_MAX_CHARS = 2900


async def begin(writer: Writer, heard: Heard, again: bool = False) -> Heard:
    """Post the words of a command and return the input in the thread under them.

    If the bot cannot write to the channel, the thread begins in the person's direct messages. The address that came
    with the command is told so, and what is wrong if neither is possible. `again`: they may be there already.
    """
    assert isinstance(heard.input, Said)
    key, id, root = heard.key, heard.user.id.removeprefix("slack:"), f"{heard.event} root"
    words = f"<@{id}> asks: {fit(heard.input.text, OPENING_MAX_CHARS)}"

    def make(rich: bool) -> SlackMessage:
        return SlackMessage(words, (section(words),) if rich else ())

    asked, home = MessagePlace(key.team, key.channel or id), MessagePlace(key.team, id)
    posted = (await writer.find(asked, root) or await writer.find(home, root)) if again else None
    refused = ""
    for place in (asked, home):
        try:
            posted = posted or await writer.show(place, make, root)
        except FAILED as error:
            refused = word_of(error)
            if place is home or not is_outside(refused):
                question = fit(heard.input.text, OPENING_MAX_CHARS)
                await respond(heard.at.respond, CANNOT_WRITE.format(refused, question))
                raise
    if refused:
        await respond(heard.at.respond, NOT_WRITABLE.format(refused))
    assert posted
    found, direct = replace(key, channel=posted.channel, thread=posted.id), is_direct(posted.channel)
    return replace(heard, key=found, shared=not direct, place=None)


# People.


PEOPLE_SECONDS = 30.0
"""Seconds that a workspace may take to say who somebody is; there is an answer to be waited for."""

UNKNOWN_USER_ERRORS = frozenset({"user_not_found", "user_not_visible"})
"""Slack's words for somebody whom the workspace does not know."""


UNKNOWN_ADDRESS_ERRORS = UNKNOWN_USER_ERRORS | {"users_not_found", "missing_scope", "no_permission"}
"""Slack's words for an address that nobody has, and for where the app may not look."""


class People:
    """The people of all workspaces; `patience` is how many seconds a workspace may take to say who somebody is."""

    def __init__(self, clients: Clients, patience: float = PEOPLE_SECONDS) -> None:
        self._clients, self._patience = clients, patience
        self._known: Lookups[tuple[str, str], Person] = Lookups()

    async def person(self, team: str, id: str, name: str = "") -> Person:
        """Return the person; `name` stands in if the workspace does not tell it.

        Raises one of FAILED if nobody says for sure who it is: a guess would let strangers in.
        """
        return await self._known.answer((team, id), partial(self._ask, team, id, name))

    async def by_email(self, team: str, address: str) -> str:
        """Return the id of the person with this address in a workspace; empty if nobody is known to have it."""
        try:
            async with asyncio.timeout(self._patience):
                client = await self._clients.of(team)
                answer = await client.users_lookupByEmail(email=address)
        except SlackApiError as error:
            if error_of(error) not in UNKNOWN_ADDRESS_ERRORS:
                raise
            return ""
        return str((answer.get("user") or {}).get("id") or "")

    async def _ask(self, team: str, id: str, name: str) -> Person:
        try:
            async with asyncio.timeout(self._patience):
                client = await self._clients.of(team)
                answer = await client.users_info(user=id)
        except SlackApiError as error:
            if error_of(error) not in UNKNOWN_USER_ERRORS:
                raise
            return Person(User(f"slack:{id}", name), stranger=True)
        found = answer.get("user") or {}
        profile = found.get("profile") or {}
        shown = profile.get("display_name") or profile.get("real_name") or found.get("real_name") or name
        at_home = found.get("team_id") == team or team in (found.get("enterprise_user") or {}).get("teams", [])
        stranger = bool(found.get("is_stranger")) or not at_home
        # An address is believed only if our own workspace vouches for it.
        email = "" if stranger or found.get("is_bot") else str(profile.get("email", ""))
        # Of several channels (restricted), or of one alone (ultra restricted).
        guest = bool(found.get("is_restricted") or found.get("is_ultra_restricted"))
        zone = zone_known(str(found.get("tz") or ""))
        return Person(User(f"slack:{id}", str(shown), email, zone, guest), stranger)


T = TypeVar("T")

DECISION_MAX_CHARS = 150

CHANNEL_MENTION = re.compile(r"<#([CG][A-Z0-9]+)\|([^>|]+)>")

SESSION_SAYS_ENOUGH_SECONDS = 2.0
"""Seconds for which a session that is shown as at work needs no message that says what is being done."""


class SlackSurface:
    """All workspaces that the app is installed in."""

    def __init__(self, clients: Clients, writer: Writer, people: People, modals: OpenModals) -> None:
        self.clients, self.writer, self.people = clients, writer, people
        self.modals = modals
        self.sessions = Sessions(clients)
        self._addresses: BoundedCache[str, str] = BoundedCache()
        self._channels: BoundedCache[tuple[str, str], str] = BoundedCache()
        """The ids of channels by workspace and name, of those that people mentioned."""

    tells_of_closed_forms = True
    picks_channels = True

    @property
    def progress_after(self) -> float:
        """Returns the seconds for which Slack's own sign, with its Stop, says enough: less if it shows none."""
        return SESSION_SAYS_ENOUGH_SECONDS if self.sessions.shown else PROGRESS_AFTER_SECONDS

    async def show(self, place: MessagePlace, shape: Shape, id: str, *, brief: bool = False) -> Posted:
        """Post a message once; files that come with words alone are a message of their own."""
        if files := handed_over(shape.reply):
            return await _told(self.writer.hand_over(place, files, id))
        return await _told(self.writer.show(place, _make(shape), id, 2 if brief else POST_TRIES))

    async def redraw(self, place: MessagePlace, posted: Posted, shape: Shape, id: str = "") -> Posted:
        """Draw a message again; files, which cannot stand in the place of anything, are posted below."""
        if handed_over(shape.reply):
            await self.remove(place, posted)
            return await self.show(place, shape, id)
        try:
            return await _told(self.writer.redraw(place, posted, _make(shape), id))
        except Undelivered as error:
            error.gone = error.gone or error.refused  # it cannot be changed as long as it is what it is
            raise

    async def remove(self, place: MessagePlace, posted: Posted) -> None:
        """Delete a message."""
        await self.writer.remove(place, posted)

    async def find(self, place: MessagePlace, id: str) -> Posted | None:
        """Return the message with this id."""
        return await self.writer.find(place, id)

    async def whisper(self, place: MessagePlace, user: User, text: str) -> None:
        """Send a text to one person alone."""
        await _told(self.writer.whisper(place, self.home(user.id), escaped(text)))

    async def person(self, team: str, user: User) -> Person:
        """Return who somebody is."""
        return await _told(self.people.person(team, self.home(user.id), user.name))

    async def find_person(self, key: ThreadKey, identity: str) -> User | None:
        """Return somebody of the workspace by Slack's id, or by address if the app may look for that."""
        if identity.startswith("slack:"):
            return _at_home(await self.person(key.team, User(identity)))
        if "@" not in identity or ":" in identity:
            return None
        found = await _told(self.people.by_email(key.team, identity))
        return _at_home(await self.person(key.team, User(f"slack:{found}"))) if found else None

    def note_channels(self, team: str, text: str) -> None:
        """Note the ids of the channels that a message mentions: Slack tells no bot which channel has a name."""
        for id, name in CHANNEL_MENTION.findall(text):
            self._channels[team, name.casefold()] = id

    async def channel(self, team: str, named: str) -> str:
        """Return the id of a channel that the bot is in: it can read there, which needs no scope besides."""
        name = named.removeprefix("#")
        id = self._channels.get((team, name.casefold()), name.upper())
        client = await _told(self.clients.of(team))
        await _told(client.conversations_history(channel=id, limit=1))
        return id

    async def begin(self, heard: Heard, again: bool) -> Heard:
        """Begin a thread for a command."""
        begun = await _told(begin(self.writer, heard, again))
        self.name_session(begun)
        return begun

    def name_session(self, heard: Heard) -> None:
        """Have a thread's session be named by what it begins with."""
        if isinstance(heard.input, Said):
            self.sessions.begin(heard.key, heard.input.text, self.home(heard.user.id))

    async def tell(self, key: ThreadKey, memory: Memory | None, working: bool) -> None:
        """Show the session's status."""
        await self.sessions.show(key, memory, working)

    async def open(self, form: Form, asked: QuestionRef, trigger: str) -> None:
        """Open a form as a modal, if it fits into one."""
        await self.open_form(form, asked, trigger)

    async def open_form(self, form: Form, asked: QuestionRef, trigger: str, answer: str = "") -> bool:
        """Open a form as a modal; `answer` is that of its button. Tell whether it fits into one."""
        view = view_of(form, asked, answer)
        if view is None:
            return False
        await self.open_view(asked.key.team, trigger, view)
        return True

    async def open_view(self, team: str, trigger: str, view: dict[str, Any]) -> None:
        """Open a modal, while the trigger is fresh."""
        client = await _told(self.clients.poster(team))
        await _told(client.views_open(trigger_id=trigger, view=view))

    async def link(self, key: ThreadKey) -> str:
        """Return the permalink of a thread; a direct message is opened by nobody else."""
        if is_direct(key.channel):
            return ""
        client = await _told(self.clients.of(key.team))
        answer = await _told(client.chat_getPermalink(channel=key.channel, message_ts=key.thread))
        return str(answer["permalink"])

    async def address(self, team: str) -> str:
        """Return a workspace's own address, such as "https://acme.slack.com"; raises Undelivered."""
        known = self._addresses.get(team)
        if known is None:
            client = await _told(self.clients.of(team))
            answer = await _told(client.auth_test())
            known = self._addresses[team] = str(answer["url"]).rstrip("/")
        return known

    def home(self, user: str) -> str:
        """Return Slack's id of a person, which stands for their direct messages."""
        return user.removeprefix("slack:")


def _at_home(person: Person) -> User | None:
    return None if person.stranger else person.user


def _make(shape: Shape) -> Draw:
    """Return what draws a message."""
    decision = _decided(shape.decision) if shape.decision else ""

    def make(rich: bool) -> SlackMessage:
        message = draw(shape.reply, shape.key, rich, decision=decision, rate=rated_in(shape.reply))
        return with_suggestions(message, shape.reply) if shape.reply.suggestions and not decision else message

    return make


def _decided(decision: QuestionOutcome) -> str:
    """Return "Run, Ana, 14:03" as mrkdwn, the time in the reader's zone."""
    time = f"<!date^{int(decision.at.timestamp())}^{{time}}|{decision.at:%H:%M}>"
    who = f"<@{decision.by.id.removeprefix('slack:')}>"
    said = (
        f":heavy_check_mark: {fit(decision.label, DECISION_MAX_CHARS)}" if decision.label else "Answered in the thread"
    )
    return f"{said} · {who} · {time}"


async def _told(call: Awaitable[T]) -> T:
    """Return what the call does; raises Undelivered if Slack did not do it."""
    try:
        return await call
    except FAILED as error:
        word = error_of(error) if isinstance(error, SlackApiError) else ""
        refused = bool(word) and is_of_this_drawing(word) and not is_unsure(error)
        raise Undelivered(
            word_of(error), is_outside(word), word in MESSAGE_GONE_ERRORS, refused=refused, lost=is_lost(error)
        ) from error
