"""Messages that people change or take back after they sent them."""

import math
from time import time
from typing import Any, Final

from adapters.chat.desk import Desk
from adapters.chat.gate import tell
from adapters.chat.inbox import KEPT
from adapters.chat.recent import Recent
from adapters.chat.surface import Heard
from adapters.fitting import cut
from adapters.teams.fields import text
from adapters.teams.inbound import heard_message
from adapters.teams.surface import TeamsSurface
from router.turn import Said

LATE: Final = "You changed a message that I had taken already ({}). Please send it as a new message; I read that one."
OLD: Final = (
    "You changed an old message ({}), which I leave as it was. Please send it as a new message; I read that one."
)
LONGEST: Final = 60

YOUNG: Final = KEPT - 3600.0
"""Seconds for which it is known for sure whether a message was taken."""

Json = dict[str, Any]


def change(desk: Desk, surface: TeamsSurface, activity: Json, told: Recent[str, bool]) -> None:
    """Take a message that names the bot only since it was changed; the author of any other hears that it is too late.

    What was answered is not asked again, and what was approved is not taken back, by an edit. `told` holds the messages
    whose author heard that.
    """
    if text(activity["channelData"], "eventType") != "editMessage":
        return  # restored, or of a kind that is not known
    heard = heard_message(activity)
    young = _age(activity) < YOUNG
    if (not young or not desk.take(heard)) and heard.event not in told:
        told[heard.event] = True
        desk.spawn(_tell(surface, heard, LATE if young else OLD))


async def _tell(surface: TeamsSurface, heard: Heard, sentence: str) -> None:
    words = " ".join(heard.input.text.split()) if isinstance(heard.input, Said) else ""
    await tell(surface, heard.at, heard.user, sentence.format(f"“{cut(words, LONGEST)}”"))


def _age(activity: Json) -> float:
    """Return the seconds since a message was sent, which its id tells; infinite where it does not."""
    id = text(activity, "id")
    return time() - int(id) / 1000 if id.isascii() and id.isdecimal() and len(id) < 20 else math.inf


async def take_back(desk: Desk, activity: Json) -> None:
    """End what is worked on where its author deletes the very message that asked for it."""
    heard = heard_message(activity)
    if desk.turns.works_on(heard.key, heard.event):
        await desk.stop(heard.key, heard.user)
