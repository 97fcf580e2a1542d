"""Files of a message: Teams lets a bot attach none, so that a card links to them or names them."""

from collections.abc import Callable

from adapters.attached import Attached
from adapters.fitting import label_of
from adapters.teams.drawn import Element, Part, size_of
from adapters.teams.texts import block, run, small
from router.cards import File

LONGEST_NAME, LONGEST_BUTTON = 100, 32
LONGEST_LINK = 1_600
"""Bytes of an element with a link; a longer address is left out."""


def draw_file(file: File, url: str, id: str, room: int, *, button: bool) -> Part:
    """Draw a File card in at most `room` bytes: as a button where one is left, else as a link or a name."""
    name = label_of(file.name, LONGEST_NAME)
    if button and url:
        # A phone cuts a longer button at its end, where the name says what kind of file it is.
        title = label_of(file.name, LONGEST_BUTTON)
        opener = {"type": "Action.OpenUrl", "id": id, "title": title, "url": url, "tooltip": f"Download {name}"}
        drawn: Element = {"type": "ActionSet", "actions": [opener]}
    else:
        drawn = link(name, url)
    return Part((drawn,)) if size_of(drawn) <= room else Part(cut=True)


def draw_link(label: str, url: str, room: int) -> Part:
    """Draw a Link card in at most `room` bytes."""
    drawn = opened(label_of(label, LONGEST_NAME), url)
    return Part((drawn,)) if size_of(drawn) <= room else Part(cut=True)


def draw_attached(file: Attached, find: Callable[[Attached], str] | None) -> Element:
    """Draw what belongs to a message: a picture as itself where it has an address, anything else as a link."""
    url = find(file) if find else ""
    if url and file.name.endswith(".png"):
        opener = {"type": "Action.OpenUrl", "url": url}
        drawn: Element = {
            "type": "Image",
            "url": url,
            "size": "Stretch",
            "altText": "The chart as a picture.",
            "selectAction": opener,
        }
    else:
        drawn = link(file.name, url)
    return drawn if size_of(drawn) <= LONGEST_LINK else link(file.name, "")


def link(name: str, url: str) -> Element:
    """Return a line that opens the address; without one, it names the file."""
    if not url:
        return small(f"File: {name}")
    return opened(f"📎 {name}", url)


def opened(label: str, url: str) -> Element:
    """Return a line that opens an address."""
    return block(run(label, color="Accent", underline=True, selectAction={"type": "Action.OpenUrl", "url": url}))
