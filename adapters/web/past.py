"""What was shown once, as the person may see it now."""

from dataclasses import replace

from adapters.web.log import Entry
from router.engine import Router
from router.memory import User


def redrawn(router: Router, user: User, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return the entries with the rows of their tables, read again; a sentence stands for what is gone or forbidden.

    This reads files and asks for rights: about 2 ms a card, and not for the event loop's thread.
    """
    return tuple(_redrawn(router, user, entry) for entry in entries)


def _redrawn(router: Router, user: User, entry: Entry) -> Entry:
    cards = tuple(router.past.redraw(user, card) for card in entry.reply.cards)
    return replace(entry, reply=replace(entry.reply, cards=cards))
