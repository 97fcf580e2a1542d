"""Slack as a surface of the desk: drawings go through the writer, and Slack's errors end here."""

from collections.abc import Awaitable
from functools import partial
from typing import Any, TypeVar

from slack_sdk.errors import SlackApiError

from adapters.asked import Asked
from adapters.chat.replies import rated_in
from adapters.chat.surface import Decision, Heard, Person, Place, Posted, Shape, Undelivered
from adapters.slack.blocks import draw
from adapters.slack.clients import FAILED, Clients, is_lost, word_of
from adapters.slack.inbound import is_direct
from adapters.slack.modals import view_of
from adapters.slack.mrkdwn import escaped, fitted
from adapters.slack.openings import begin
from adapters.slack.people import People
from adapters.slack.refusals import GONE, OUTSIDE
from adapters.slack.sessions import set_status, standing
from adapters.slack.writer import TRIES, Make, Writer
from router.cards import Form
from router.memory import Memory, ThreadKey, User

T = TypeVar("T")

LONGEST_LABEL = 150


class SlackSurface:
    """All workspaces that the app is installed in."""

    def __init__(self, clients: Clients, writer: Writer, people: People) -> None:
        self.clients, self.writer, self.people = clients, writer, people

    async def show(self, place: Place, shape: Shape, id: str, *, brief: bool = False) -> Posted:
        """Post a message once."""
        return await _told(self.writer.show(place, _make(shape), id, 2 if brief else TRIES))

    async def redraw(self, place: Place, posted: Posted, shape: Shape, id: str = "") -> Posted:
        """Draw a message anew."""
        return await _told(self.writer.redraw(place, posted, _make(shape), id))

    async def remove(self, place: Place, posted: Posted) -> None:
        """Delete a message."""
        await self.writer.remove(place, posted)

    async def find(self, place: Place, id: str) -> Posted | None:
        """Return the message with this id."""
        return await self.writer.find(place, id)

    async def whisper(self, place: Place, user: User, text: str) -> None:
        """Tell one person something."""
        await _told(self.writer.whisper(place, self.home(user.id), escaped(text)))

    async def person(self, team: str, user: User) -> Person:
        """Return who somebody is."""
        return await _told(self.people.person(team, self.home(user.id), user.name))

    async def begin(self, heard: Heard, respond: str, again: bool) -> Heard:
        """Begin a thread for a command."""
        return await _told(begin(self.writer, heard, respond, again))

    async def tell(self, key: ThreadKey, memory: Memory | None, working: bool) -> None:
        """Show the session's status."""
        await set_status(self.clients, key, "processing" if working else standing(memory))

    async def open(self, form: Form, asked: Asked, trigger: str) -> None:
        """Open a form as a modal, if it fits into one."""
        if view := view_of(form, asked):
            await self.open_view(asked.key.team, trigger, view)

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

    def home(self, user: str) -> str:
        """Return Slack's id of a person, which stands for their direct messages."""
        return user.removeprefix("slack:")


def _make(shape: Shape) -> Make:
    decision = _decided(shape.decision) if shape.decision else ""
    return partial(draw, shape.reply, shape.key, decision=decision, rate=rated_in(shape.reply))


def _decided(decision: Decision) -> str:
    """Return "Run, Ana, 14:03" as mrkdwn, the time in the zone of whoever reads it."""
    time = f"<!date^{int(decision.at.timestamp())}^{{time}}|{decision.at:%H:%M}>"
    who = f"<@{decision.by.id.removeprefix('slack:')}>"
    said = f":heavy_check_mark: {fitted(decision.label, LONGEST_LABEL)}" if decision.label else "Answered in the thread"
    return f"{said} · {who} · {time}"


async def _told(call: Awaitable[T]) -> T:
    """Return what the call does; raises Undelivered where Slack did not do it."""
    try:
        return await call
    except FAILED as error:
        word = word_of(error) if isinstance(error, SlackApiError) else ""
        raise Undelivered(word_of(error), word in OUTSIDE, word in GONE, lost=is_lost(error)) from error
