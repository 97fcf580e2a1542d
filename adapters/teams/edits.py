"""Messages that people change or take back after they sent them."""

from typing import Any, Final

from adapters.chat.desk import Desk
from adapters.chat.surface import Place
from adapters.fitting import cut
from adapters.teams.inbound import heard_message
from adapters.teams.reference import text
from adapters.teams.surface import TeamsSurface
from router.turn import Said

LATE: Final = "You changed a message that I had taken already ({}). Please send it as a new message; I read that one."
LONGEST: Final = 60

Json = dict[str, Any]


async def change(desk: Desk, surface: TeamsSurface, activity: Json) -> None:
    """Take a message that names the bot only since it was changed; the author of any other hears that it is too late.

    What was answered is not asked again, and what was approved is not taken back, by an edit.
    """
    if text(activity["channelData"], "eventType") != "editMessage":
        return  # restored, or of a kind that is not known
    heard = heard_message(activity)
    if desk.take(heard):
        return
    key, words = heard.key, " ".join(heard.input.text.split()) if isinstance(heard.input, Said) else ""
    place = heard.place or Place(key.team, key.channel, key.thread)
    await surface.whisper(place, heard.user, LATE.format(f"“{cut(words, LONGEST)}”"))


async def take_back(desk: Desk, activity: Json) -> None:
    """End what is worked on where its author deletes the very message that asked for it."""
    heard = heard_message(activity)
    if desk.turns.works_on(heard.key, heard.event):
        await desk.stop(heard.key, heard.user)
