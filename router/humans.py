"""People who are asked where the bot cannot help: in a channel of each platform, or by e-mail."""

import re
from dataclasses import dataclass

from router.errors import SettingsError, Unclear
from router.herald import Herald
from router.jobs.mail.addresses import address_of

FORMS = {"slack": re.compile(r"[CG][A-Z0-9]+"), "teams": re.compile(r"19:[^\s,@]+@thread\.[a-z0-9]+")}
"""How the ids of channels look, by platform."""

WRITTEN = "One is written slack:C0123ABCD or teams:19:…@thread.tacv2, with a name behind it if you like: #data-help."


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel of a platform; `name` is what people call it, where that is known."""

    platform: str
    id: str
    name: str = ""

    @property
    def where(self) -> str:
        """Where this is, in a sentence."""
        return f"in {self.name}" if self.name else "in their channel"


@dataclass(frozen=True, slots=True)
class Reach:
    """Where people are asked: one channel of a platform at most, and an e-mail address."""

    channels: tuple[Channel, ...] = ()
    email: str = ""


class Humans:
    """The way to people, one for all talks; `herald` posts into their channel, once the platform is at work."""

    def __init__(self, reach: Reach = Reach()) -> None:
        self.reach = reach
        self.herald: Herald | None = None

    def open(self, herald: Herald) -> None:
        """Have what is said to channels posted by this."""
        self.herald = herald

    def channel(self, platform: str) -> Channel | None:
        """Return the channel of a platform that can be written to now."""
        if self.herald is None:
            return None
        return next((each for each in self.reach.channels if each.platform == platform), None)


def reach_of(channels: str, email: str) -> Reach:
    """Return where settings have people asked; raises SettingsError with every problem."""
    problems: list[str] = []
    found: dict[str, Channel] = {}
    for typed in filter(None, map(str.strip, channels.split(","))):
        id, _, name = typed.partition(" ")
        platform, _, id = id.partition(":")
        if platform not in FORMS or not FORMS[platform].fullmatch(id):
            problems.append(f"HANDOFF_CHANNEL: {typed} is no channel. {WRITTEN}")
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
    return Reach(tuple(found.values()), address)
