"""Messages that nobody asked for just now, and the people who are asked when the bot cannot help."""

import re
from dataclasses import dataclass
from typing import Protocol

from router.cards import Reply
from router.errors import SettingsError, Unclear
from router.jobs.mail.addresses import address_of
from router.memory.draft import User
from router.memory.thread import ThreadKey

CHANNEL_ID_PATTERNS = {"slack": re.compile(r"[CG][A-Z0-9]+"), "teams": re.compile(r"19:[^\s,@]+@thread\.[a-z0-9]+")}
"""The form of channels' ids, by platform."""

CHANNEL_HINT = (
    "One is written slack:C0123ABCD or teams:19:…@thread.tacv2, with a name behind it if you like: #data-help."
)


@dataclass(frozen=True, slots=True)
class Announcement:
    """News for a thread, or for one person of it (`reply.to`); `id` is the same when it is told again.

    `user` is whom it is about; `shared`: others can read the thread. `channel` is where it is told instead, as a
    message of its own.
    """

    id: str
    key: ThreadKey
    user: User
    shared: bool
    reply: Reply
    channel: str = ""


class Notifier(Protocol):
    """Posts news that nobody asked for just now; called by several threads, each of which waits."""

    def known(self, key: ThreadKey, user: User) -> User:
        """Return a person as their platform knows them now.

        Raises NotAllowed if they are not one of its people any more, JobFailed if that cannot be known.
        """

    def tell(self, news: Announcement) -> None:
        """Show news once nothing is said in its thread just now; what was asked there stays to be answered.

        Raises JobFailed if it was not shown, PutOff if the process ends before, Unsure if it may have been.
        """

    @property
    def picks_channels(self) -> bool:
        """Return whether people of this platform can pick a channel."""

    def channel(self, key: ThreadKey, named: str) -> str:
        """Return the id of the channel that has this id, or that people of a thread's team call so.

        Raises NotAllowed if it is not known, or the bot is not in it, JobFailed if that cannot be known.
        """

    def link(self, key: ThreadKey) -> str:
        """Return an address under which others than its owner find a thread; empty if there is none."""

    def was_delivered(self, news: Announcement) -> bool | None:
        """Return whether news of an earlier process is there; None if that cannot be known."""


# People who are asked: in a channel of each platform, or by e-mail.


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel of a platform; `name` is what people call it, if that is known."""

    platform: str
    id: str
    name: str = ""

    @property
    def where(self) -> str:
        """The place as a sentence names it."""
        return f"in {self.name}" if self.name else "in their channel"


@dataclass(frozen=True, slots=True)
class Responders:
    """The places where people are asked: one channel of a platform at most, and an e-mail address."""

    channels: tuple[Channel, ...] = ()
    email: str = ""


class Humans:
    """The way to people, one for all talks: into the channel of a platform, once that is at work, or by e-mail."""

    def __init__(self, reach: Responders = Responders()) -> None:
        self.reach = reach
        self._notifiers: dict[str, Notifier] = {}

    def open(self, platform: str, notifier: Notifier) -> None:
        """Have what is said to channels of a platform posted by this."""
        self._notifiers[platform] = notifier

    def notifier(self, platform: str) -> Notifier | None:
        """Return what posts into channels of a platform; None if that is not at work."""
        return self._notifiers.get(platform)

    def channel(self, platform: str) -> Channel | None:
        """Return the channel of a platform that can be written to now."""
        if platform not in self._notifiers:
            return None
        return next((each for each in self.reach.channels if each.platform == platform), None)


def responders_of(channels: str, email: str) -> Responders:
    """Return where settings have people asked; raises SettingsError with every problem."""
    problems: list[str] = []
    found: dict[str, Channel] = {}
    for typed in filter(None, map(str.strip, channels.split(","))):
        id, _, name = typed.partition(" ")
        platform, _, id = id.partition(":")
        if platform not in CHANNEL_ID_PATTERNS or not CHANNEL_ID_PATTERNS[platform].fullmatch(id):
            problems.append(f"HANDOFF_CHANNEL: {typed} is no channel. {CHANNEL_HINT}")
        elif platform in found:
            problems.append(
                f"HANDOFF_CHANNEL names two channels of {platform.title()}; one of them is asked, not both."
            )
        else:
            found[platform] = Channel(platform, id, " ".join(name.split()))
    address = email.strip()
    try:
        address = address_of(address).text if address else ""
    except Unclear as error:
        problems.append(f"HANDOFF_EMAIL: {error}")
    if problems:
        raise SettingsError(problems)
    return Responders(tuple(found.values()), address)
