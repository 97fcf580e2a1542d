"""A reply of the router as one Teams message that fits into Teams' limits, whatever is in it."""

from collections.abc import Callable
from typing import assert_never

from adapters.asked import Asked
from adapters.attached import Attached
from adapters.caution import notice_of
from adapters.fitting import cut
from adapters.plain import text_of
from adapters.spoken import spoken
from adapters.teams.asks import draw_ask, draw_decided, draw_progress, wanted
from adapters.teams.charts import draw_chart
from adapters.teams.code import draw_code
from adapters.teams.drawn import Drawn, Element, Part, adaptive, size_of
from adapters.teams.links import draw_attached, draw_file, draw_link
from adapters.teams.markdown import escaped, marked
from adapters.teams.tables import draw_table
from adapters.teams.texts import draw_text, small
from adapters.unseen import clean
from router.cards import Buttons, Card, Chart, Choice, Code, File, Form, Link, Progress, Reply, Table, Text
from router.memory import ThreadKey

MOST_BYTES = 72_000
"""Of a card's JSON: Teams takes about 80,000 of a whole message, with its text and the envelope."""

KEPT_BYTES = 18_000
"""What is kept for links to files, and for the lines at the end."""

MOST_ACTIONS = 6
LONGEST_TEXT, LONGEST_SUMMARY, LONGEST_DECISION = 3_000, 300, 300
MOST_LINKS = 10

CUT = "⚠️ Not all of this fits into a message: the whole of it is in the file message.txt."

_FIRST = (Buttons, Choice, Form, Progress, Link, Code, Table, Text, Chart, File)
"""Which cards get their room first: what is answered, then what is approved, then what is found, then the rest."""


def draw(
    reply: Reply,
    key: ThreadKey,
    *,
    decision: str = "",
    files: Callable[[File], str] | None = None,
    attached: Callable[[Attached], str] | None = None,
    most: int = MOST_BYTES,
) -> Drawn:
    """Return the reply as a message whose card has at most so many bytes, of which KEPT_BYTES are for links.

    `decision` is plain text that says how its question was answered: then nothing can be pressed. `files` and
    `attached` return addresses under which a person can fetch what belongs to the message; without them, it is named
    and has to be handed over.
    """
    said = "\n".join(filter(None, (spoken(reply, bool(decision)), _kept(decision)))) or "Done."
    summary = cut(" ".join(said.split()), LONGEST_SUMMARY)
    if (sentence := _sentence(reply, decision)) is not None:
        return Drawn(sentence, summary=summary)
    parts, whole = _parts(reply, key, decision, files, most - KEPT_BYTES)
    lines = [small(line) for line in (notice_of(reply, bool(decision)), "" if whole else CUT) if line]
    if kept := _kept(decision):
        lines.append(small(kept) | {"spacing": "Small"})
    rest = [] if whole else [Attached("message.txt", text_of(reply))]
    parts.append(Part(tuple(lines), tuple(rest)))
    handed = [] if attached else [file for part in parts for file in part.files]
    if not files:
        handed += [Attached(each.name, each.path) for each in reply.cards if isinstance(each, File)]
    return Drawn(escaped(said, LONGEST_TEXT), adaptive(_body(parts, attached)), tuple(handed), summary)


def _kept(decision: str) -> str:
    return cut(" ".join(clean(decision).split()), LONGEST_DECISION)


def _sentence(reply: Reply, decision: str) -> str | None:
    """Return a reply that is a sentence or two as Markdown; None where it needs a card."""
    if decision or not reply.cards or any(not isinstance(c, Text) or c.tone == "quiet" for c in reply.cards):
        return None
    said = []
    for card in reply.cards:
        assert isinstance(card, Text)
        text = marked(("⚠️ " if card.tone == "problem" else "") + card.body)
        if text is None or len(text) > LONGEST_TEXT // 2:
            return None
        said.append(text)
    text = "\n\n".join(filter(None, said))
    return text if 0 < len(text) <= LONGEST_TEXT else None


def _parts(
    reply: Reply, key: ThreadKey, decision: str, files: Callable[[File], str] | None, room: int
) -> tuple[list[Part], bool]:
    """Return the cards as they were drawn, in their order, and whether that is all of them."""
    parts, whole = [Part()] * len(reply.cards), True
    actions = _shares(reply, bool(decision), bool(files))
    for number in _order(reply):
        part = _part(reply, Asked(key, reply.turn, number), decision, files, actions[number], room)
        whole = whole and not part.cut
        room -= size_of(part.elements)
        parts[number] = part
    return parts, whole


def _body(parts: list[Part], attached: Callable[[Attached], str] | None) -> list[Element]:
    """Return all elements, each card's picture above and its other files below it; of very many files, the last."""
    body: list[Element] = []
    left = sum(len(part.files) for part in parts) - MOST_LINKS
    for part in parts:
        links = [draw_attached(file, attached) for n, file in enumerate(part.files) if n >= left]
        pictures = [each for each in links if each["type"] == "Image"]
        body += [*pictures, *part.elements, *(each for each in links if each["type"] != "Image")]
        left -= len(part.files)
    return body


def _part(
    reply: Reply, asked: Asked, decision: str, files: Callable[[File], str] | None, actions: int, room: int
) -> Part:
    card = reply.cards[asked.card]
    match card:
        case Buttons() | Choice() | Form():
            alone = sum(isinstance(each, Buttons | Choice | Form) for each in reply.cards) == 1
            return draw_decided(card, room) if decision else draw_ask(card, asked, room, actions=actions, alone=alone)
        case Progress():
            return draw_progress(card, asked, room, stop=actions > 0)
        case Code():
            return draw_code(card, room, fold=f"code:{asked.card}" if actions else "")
        case Table():
            return draw_table(card, room)
        case Chart():
            return draw_chart(card, room, sum(isinstance(each, Chart) for each in reply.cards[: asked.card]))
        case Text():
            return draw_text(card, room)
        case Link(label, url):
            return draw_link(label, url, room)
        case File():
            return draw_file(card, files(card) if files else "", f"file:{asked.card}", room, button=actions > 0)
        case _:
            assert_never(card)


def _order(reply: Reply) -> list[int]:
    return sorted(range(len(reply.cards)), key=lambda n: _FIRST.index(type(reply.cards[n])))


def _shares(reply: Reply, decided: bool, linked: bool) -> list[int]:
    """Return how many of the buttons of a message each card may have: one each first, then all that it would have."""
    shares, left = [0] * len(reply.cards), MOST_ACTIONS
    wants = [_wants(card, decided, linked) for card in reply.cards]
    for most in (1, MOST_ACTIONS):
        for n in _order(reply):
            more = max(0, min(wants[n], most) - shares[n])
            shares[n] += min(more, left)
            left -= min(more, left)
    return shares


def _wants(card: Card, decided: bool, linked: bool) -> int:
    match card:
        case Buttons() | Choice() | Form():
            return 0 if decided else wanted(card)
        case Progress(_, stoppable):
            return int(stoppable and not decided)
        case Code():
            return int(decided)
        case File():
            return int(linked)
        case _:
            return 0
