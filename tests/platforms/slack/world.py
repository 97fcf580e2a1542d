"""The memory of a stand-in: teams, people, channels, messages, views, files, and what was asked of it."""

import itertools
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

SCOPES = frozenset(
    ["app_mentions:read", "assistant:write", "chat:write", "commands", "files:write", "im:history", "users:read"]
)
"""The scopes that the app asks for at least; a token may be given more (`slack.scopes |= {...}`)."""
HISTORY = {"channel": "channels:history", "group": "groups:history", "im": "im:history", "mpim": "mpim:history"}


@dataclass
class Team:
    """A workspace, with the app installed in it."""

    id: str
    token: str
    bot_user: str
    bot_id: str
    name: str
    scopes: set[str]
    installed: bool = True


@dataclass
class Person:
    """Somebody who types and presses."""

    id: str
    name: str
    team: str
    email: str = ""
    bot: bool = False
    guest: str = ""
    """"multi" or "single", for a guest of several channels or of one; empty for a member."""


@dataclass
class Message:
    """A message as it stands now. `edits` holds what it was before, oldest first, as (text, blocks)."""

    channel: str
    ts: str
    user: str
    text: str
    blocks: list[dict[str, Any]]
    team: str
    thread: str | None = None
    bot_id: str = ""
    ephemeral_to: str = ""
    edits: list[tuple[str, list[dict[str, Any]]]] = field(default_factory=list)
    files: list["File"] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    """The metadata that the app wrote beside it; shown to who asks for all metadata."""
    deleted: bool = False
    changed: float = 0.0
    edited: str = ""
    """When its author changed it last, as Slack writes times."""
    states: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    """The choices and texts of each person in it: user, block_id, action_id."""


@dataclass
class Channel:
    """A channel (kind: channel, group, im or mpim) with all that was said in it, by ts."""

    id: str
    name: str
    team: str
    kind: str = "channel"
    members: set[str] = field(default_factory=set)
    messages: dict[str, Message] = field(default_factory=dict)


@dataclass
class View:
    """An open modal, or a Home tab."""

    id: str
    user: str
    team: str
    body: dict[str, Any]
    previous: str | None = None
    hash: str = ""
    open: bool = True
    state: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Its title."""
        return str(self.body.get("title", {}).get("text", ""))

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """Its blocks."""
        return list(self.body["blocks"])


@dataclass
class File:
    """An uploaded file; `shared` is true when it stands in a channel."""

    id: str
    name: str
    length: int
    team: str
    content: bytes = b""
    title: str = ""
    channel: str = ""
    thread: str | None = None
    shared: bool = False


@dataclass
class Call:
    """One Web API call: what was asked, when (time.time()), and what was answered."""

    method: str
    arguments: dict[str, Any]
    time: float
    answer: dict[str, Any] = field(default_factory=dict)
    status: int = 200
    asked: bool = False
    """True if a test asked for this failure."""
    token: str = field(default="", repr=False)
    team: str = ""

    @property
    def ok(self) -> bool:
        """True if it was done and answered."""
        return self.status == 200 and bool(self.answer.get("ok"))


@dataclass
class Trigger:
    """The right to open one modal."""

    id: str
    user: str
    team: str
    born: float
    used: bool = False


@dataclass
class ResponseUrl:
    """The right to answer an interaction five times within 30 minutes."""

    id: str
    channel: str
    user: str
    team: str
    born: float
    message: Message | None = None
    used: int = 0


@dataclass
class World:
    """Everything of one stand-in; who reads or writes it holds the lock of `Slack`."""

    teams: dict[str, Team] = field(default_factory=dict)
    people: dict[str, Person] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    homes: dict[str, View] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    triggers: dict[str, Trigger] = field(default_factory=dict)
    response_urls: dict[str, ResponseUrl] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    """OAuth codes and the teams they stand for."""
    clock: Callable[[], float] = time.time
    later: float = 0.0
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _last: int = 0

    def now(self) -> float:
        """Return the time of Slack's clock, which a test may set forward."""
        return self.clock() + self.later

    def ts(self) -> str:
        """Return a timestamp that no other message has; later ones are greater."""
        self._last = max(self._last + 1, int(self.now() * 1_000_000))
        return f"{self._last // 1_000_000}.{self._last % 1_000_000:06d}"

    def new_id(self, letter: str) -> str:
        """Return an id such as Slack makes them."""
        return f"{letter}{next(self._numbers):05d}{secrets.token_hex(3).upper()}"

    def team_of(self, token: str) -> Team | None:
        """Return the team whose bot has this token."""
        return next((team for team in self.teams.values() if team.token == token and team.installed), None)

    def direct(self, user: str) -> Channel:
        """Return the talk between a person and the bot of the person's team, opening it if need be."""
        for channel in self.channels.values():
            if channel.kind == "im" and user in channel.members:
                return channel
        person = self.people[user]
        team = self.teams[person.team]
        return self.add(Channel(self.new_id("D"), "directmessage", team.id, "im", {user, team.bot_user}))

    def add(self, channel: Channel) -> Channel:
        """Keep a channel."""
        self.channels[channel.id] = channel
        return channel

    def trigger(self, user: str, team: str) -> str:
        """Return a new trigger_id."""
        made = Trigger(f"{next(self._numbers)}.{secrets.token_hex(4)}.{secrets.token_hex(8)}", user, team, self.now())
        self.triggers[made.id] = made
        return made.id

    def response_url(self, channel: str, user: str, team: str, message: Message | None = None) -> str:
        """Return the path of a new response_url."""
        made = ResponseUrl(secrets.token_hex(8), channel, user, team, self.now(), message)
        self.response_urls[made.id] = made
        return f"/response/{made.id}"

    def find(self, channel: str, ts: str) -> Message | None:
        """Return a message that stands in a channel for all to see."""
        held = self.channels[channel].messages.get(ts)
        return None if held is None or held.deleted or held.ephemeral_to else held


def with_ids(blocks: list[Any], world: World) -> list[dict[str, Any]]:
    """Return blocks with the block_ids and action_ids that Slack makes up where the app gave none."""
    return [_with_id(each, world) for each in blocks]


def _with_id(block: dict[str, Any], world: World) -> dict[str, Any]:
    made = {**block}
    made.setdefault("block_id", world.new_id("b"))
    for name in ("elements", "child_blocks"):
        if name in made and made["type"] in ("actions", "context_actions", "container"):
            each = _with_id if name == "child_blocks" else _with_action_id
            made[name] = [each(inner, world) for inner in made[name]]
    for name in ("accessory", "element"):
        if name in made:
            made[name] = _with_action_id(made[name], world)
    return made


def _with_action_id(element: dict[str, Any], world: World) -> dict[str, Any]:
    if element["type"] == "image":
        return element
    return element if "action_id" in element else {**element, "action_id": world.new_id("a")}
