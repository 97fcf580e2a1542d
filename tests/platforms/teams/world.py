"""The memory of a stand-in: people, conversations, messages, files, and what was asked of it."""

import itertools
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Card = dict[str, Any]
ADAPTIVE = "application/vnd.microsoft.card.adaptive"
CONSENT = "application/vnd.microsoft.teams.card.file.consent"
FILE_INFO = "application/vnd.microsoft.teams.card.file.info"


@dataclass
class Person:
    """Somebody who types and presses; `key` is what tests call them."""

    key: str
    id: str
    aad: str
    name: str
    email: str
    tenant: str
    blocks: bool = False
    """True if this person has blocked the bot: it can no longer write to the personal chat."""
    role: str = "user"
    """The connector's word for them: user, guest (of another company), or anonymous (in a meeting)."""


@dataclass
class Message:
    """A message as it stands now. `edits` holds the activities it was before, oldest first."""

    id: str
    conversation: "Conversation"
    activity: dict[str, Any]
    by: str
    root: str = ""
    """In a channel, the id of the post that it stands under; its own id for a post."""
    edits: list[dict[str, Any]] = field(default_factory=list)
    deleted: bool = False
    to: str = ""
    """The id of the one person who sees it; empty if everybody does."""
    seen: dict[str, Card] = field(default_factory=dict)
    """The cards that invokes returned, by the key of who clicked: what they see until the message is updated."""
    typed: dict[str, dict[str, str]] = field(default_factory=dict)
    """The choices that the bot offered while somebody typed, by input and value."""

    @property
    def text(self) -> str:
        """Its text, or its summary."""
        return str(self.activity.get("text") or self.activity.get("summary") or "")

    @property
    def attachments(self) -> list[dict[str, Any]]:
        """Its attachments."""
        return list(self.activity.get("attachments") or [])

    @property
    def cards(self) -> list[Card]:
        """The Adaptive Cards that all see."""
        return [each["content"] for each in self.attachments if each.get("contentType") == ADAPTIVE]

    @property
    def card(self) -> Card | None:
        """The first Adaptive Card that all see."""
        return next(iter(self.cards), None)

    def card_for(self, user: str) -> Card | None:
        """Return the card that one person sees."""
        return self.seen.get(user, self.card)

    @property
    def from_bot(self) -> bool:
        """True if the bot said it."""
        return self.by == "bot"


@dataclass
class Conversation:
    """A channel, group chat or personal chat (kind: channel, groupChat, personal), with all that was said in it."""

    id: str
    kind: str
    name: str
    tenant: str
    team: str = ""
    members: list[Person] = field(default_factory=list)
    messages: dict[str, Message] = field(default_factory=dict)
    bot: bool = True
    """True if the bot is in it."""


@dataclass
class File:
    """A file that somebody agreed to get."""

    id: str
    name: str
    size: int
    to: Person
    content: bytes = b""
    uploaded: bool = False
    """True if all of it is there."""


@dataclass
class Call:
    """One call of the bot: what was asked, when (time.time()), and what was answered.

    `method` is send, reply, update, delete, create, members, member, paged, token, openid, keys, upload or uploaded.
    """

    method: str
    conversation: str
    body: dict[str, Any]
    time: float
    id: str = ""
    """The activity, member or file that it is about."""
    status: int = 200
    answer: Any = None
    asked: bool = False
    """True if a test asked for this failure."""
    size: int = 0
    """The bytes of the body in UTF-16."""

    @property
    def ok(self) -> bool:
        """True if it was done and answered."""
        return 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class Token:
    """A token that the login gave."""

    value: str = field(repr=False)
    tenant: str
    client_id: str
    scope: str
    expires: float


@dataclass
class World:
    """Everything of one stand-in; who reads or writes it holds the lock of `Teams`."""

    tenant: str
    people: dict[str, Person] = field(default_factory=dict)
    conversations: dict[str, Conversation] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    tokens: list[Token] = field(default_factory=list)
    clock: Callable[[], float] = time.time
    later: float = 0.0
    _last: int = 0
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def now(self) -> float:
        """Return the time of Teams' clock, which a test may set forward."""
        return self.clock() + self.later

    def message_id(self) -> str:
        """Return an id that no other message has, in milliseconds as Teams makes them."""
        self._last = max(self._last + 1, int(self.now() * 1000))
        return str(self._last)

    def number(self) -> int:
        """Return a number that was not returned before."""
        return next(self._numbers)

    def person(self, key: str, name: str = "", email: str = "", tenant: str = "") -> Person:
        """Return the person of this key, who is made up if need be."""
        if key not in self.people or name or email or tenant:
            aad = str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{key}.example"))
            mail = email or f"{key}@example.com"
            self.people[key] = Person(
                key, f"29:1{key}-{aad[:8]}", aad, name or key.title(), mail, tenant or self.tenant
            )
        return self.people[key]

    def find_person(self, account: str) -> Person | None:
        """Return who has this id or this aadObjectId."""
        return next((each for each in self.people.values() if account in (each.id, each.aad)), None)

    def personal(self, person: Person) -> Conversation:
        """Return the personal chat with the bot, opening it if need be."""
        for each in self.conversations.values():
            if each.kind == "personal" and person.key == each.members[0].key:
                return each
        return self.add(Conversation(f"a:1{person.key}-{person.aad}", "personal", "", person.tenant, members=[person]))

    def add(self, conversation: Conversation) -> Conversation:
        """Keep a conversation."""
        self.conversations[conversation.id] = conversation
        return conversation

    def place(self, conversation_id: str) -> tuple[Conversation | None, str]:
        """Return the conversation of an id, and the post whose thread it names ("" for none)."""
        channel, _, root = conversation_id.partition(";messageid=")
        return self.conversations.get(channel), root
