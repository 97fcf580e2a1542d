"""Files and pictures that people send: the bot reads none, and says so once."""

from typing import Any, Final

from adapters.chat.desk import Desk
from adapters.chat.gate import tell
from adapters.chat.surface import Heard
from adapters.teams.fields import text
from adapters.teams.surface import TeamsSurface
from router.turn import Said

FILE: Final = "application/vnd.microsoft.teams.file.download.info"
PICTURE: Final = "image/"

ALONE: Final = "I cannot read files or pictures, so I left yours unopened. Write your question in your own words."
BESIDE: Final = "I cannot read files or pictures, so I left yours unopened and go by your words alone."


def brings_files(activity: dict[str, Any]) -> bool:
    """Tell whether somebody sent a file or a picture."""
    kinds = [text(each, "contentType") for each in activity.get("attachments", [])]
    return any(kind == FILE or kind.startswith(PICTURE) for kind in kinds)


def take_brought(desk: Desk, surface: TeamsSurface, heard: Heard) -> None:
    """Take the words that came with a file, if there are any, and say that the file is not read."""
    if isinstance(heard.input, Said) and not heard.input.text:
        fresh = desk.inbox.take(heard)  # so that it is known when it comes again
        desk.inbox.done(heard.event)
        sentence = ALONE
    else:
        fresh, sentence = desk.take(heard) is not None, BESIDE
    if fresh:
        desk.spawn(tell(surface, heard.at, heard.user, sentence))
