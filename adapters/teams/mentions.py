"""Teams' own mentions of the people who are waited for."""

import re
from typing import Any

from adapters.rendering.text import APPROVERS_NAMED_MAX, label_of, named_in_words, waits_for
from adapters.teams.drawing import CardElements, Element
from adapters.teams.markdown import escaped
from adapters.teams.text_elements import draw_small
from router.cards import Approver, Reply, Waiting

NAME_MAX_CHARS, WORDS_MAX_CHARS = 80, 200

_UNFIT = re.compile(r"[^\w .'@+-]+")
"""Signs of a name that could be read as marks of the text that the mention stands in."""


def draw_waiting(card: Waiting) -> CardElements:
    """Draw a Waiting card: a line that mentions those whom Teams has found."""
    if not any(each.id for each in card.people[:APPROVERS_NAMED_MAX]):
        return CardElements((draw_small(waits_for(card, named_in_words)),))
    line = waits_for(Waiting(card.people, _plain(card.what)), _named)
    # A mention is one in a TextBlock alone.
    block: Element = {"type": "TextBlock", "text": line, "wrap": True, "size": "Small", "isSubtle": True}
    return CardElements((block,))


def mentions_of(reply: Reply) -> list[dict[str, Any]]:
    """Return the entities of a message's mentions, one for each text that stands for somebody."""
    found = {}
    for card in reply.cards:
        for each in card.people[:APPROVERS_NAMED_MAX] if isinstance(card, Waiting) else ():
            if each.id:
                mentioned = {"id": each.id.removeprefix("teams:"), "name": _name(each)}
                found[_mention(each)] = {"type": "mention", "text": _mention(each), "mentioned": mentioned}
    return list(found.values())


def _named(approver: Approver) -> str:
    return _mention(approver) if approver.id else _plain(named_in_words(approver))


def _plain(words: str) -> str:
    """Return words that nothing in a TextBlock reads as a mark."""
    return escaped(_UNFIT.sub(" ", words), WORDS_MAX_CHARS).strip() if words else ""


def _mention(approver: Approver) -> str:
    return f"<at>{_name(approver)}</at>"


def _name(approver: Approver) -> str:
    name = label_of(_UNFIT.sub(" ", approver.name or approver.identity), NAME_MAX_CHARS)
    return " ".join(name.replace("_", " ").replace("@", " ").split())
