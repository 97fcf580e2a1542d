"""A reply of the router as one Teams message that fits into Teams' limits, whatever is in it."""

from collections.abc import Callable
from typing import assert_never

from adapters.rendering.attachment import Attached
from adapters.rendering.controls import QuestionRef
from adapters.rendering.outcome import concluded
from adapters.rendering.plain_text import text_of
from adapters.rendering.speech import spoken
from adapters.rendering.text import by_need, clean, label_of
from adapters.teams.audience import ALL, VIEWERS_MAX, Audience, named_in
from adapters.teams.charts import draw_chart, draw_table
from adapters.teams.controls import IN_SIGHT_MAX, LOOK, data_of, draw_ask, draw_progress, wanted
from adapters.teams.drawing import CardElements, Element, TeamsMessage, adaptive, size_of
from adapters.teams.forms import draw_form
from adapters.teams.markdown import escaped, marked
from adapters.teams.mentions import draw_waiting, mentions_of
from adapters.teams.text_elements import block, draw_code, draw_text, run, small
from router.cards import Buttons, Card, Chart, Choice, Code, File, Form, Link, Progress, Reply, Table, Text, Waiting
from router.language.wording import truncate
from router.memory.thread import ThreadKey

# Files: Teams lets a bot attach none, so that a card links to them or names them.


FILE_LABEL_MAX_CHARS, FILE_BUTTON_MAX_CHARS = 100, 32
LINK_MAX_BYTES = 1_600
"""Bytes of an element with a link; a longer address is left out."""


def draw_file(file: File, url: str, id: str, room: int, *, button: bool) -> CardElements:
    """Draw a File card in at most `room` bytes: as a button where one is left, else as a link or a name."""
    name = label_of(file.name, FILE_LABEL_MAX_CHARS)
    if button and url:
        # A phone cuts a longer button at its end, where the name says what kind of file it is.
        title = label_of(file.name, FILE_BUTTON_MAX_CHARS)
        opener = {"type": "Action.OpenUrl", "id": id, "title": title, "url": url, "tooltip": f"Download {name}"}
        drawn: Element = {"type": "ActionSet", "actions": [opener]}
    else:
        drawn = link(name, url)
    return CardElements((drawn,)) if size_of(drawn) <= room else CardElements(cut=True)


def draw_link(label: str, url: str, room: int) -> CardElements:
    """Draw a Link card in at most `room` bytes."""
    drawn = opened(label_of(label, FILE_LABEL_MAX_CHARS), url)
    return CardElements((drawn,)) if size_of(drawn) <= room else CardElements(cut=True)


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
    return drawn if size_of(drawn) <= LINK_MAX_BYTES else link(file.name, "")


def link(name: str, url: str) -> Element:
    """Return a line that opens the address; without one, it names the file."""
    if not url:
        return small(f"File: {name}")
    return opened(f"📎 {name}", url)


def opened(label: str, url: str) -> Element:
    """Return a line that opens an address."""
    return block(run(label, color="Accent", underline=True, selectAction={"type": "Action.OpenUrl", "url": url}))


CARD_MAX_BYTES = 72_000
"""Of a card's JSON: Teams takes about 80,000 of a whole message, with its text and the envelope."""

TEXT_BYTES = 2_000
"""Of a message's text, for which there is room beside the largest card; what is longer takes room from the card."""

RESERVED_BYTES = 2_000
"""Bytes kept free for the lines at the end, beside those for links to files."""

CARD_TEXT_MAX_CHARS, SUMMARY_MAX_CHARS, DECIDED_MAX_CHARS = 3_000, 300, 300
CARD_LINKS_MAX = 10

CUT = "⚠️ Not all of this fits into a message: the whole of it is in the file message.txt."


def draw(
    reply: Reply,
    key: ThreadKey,
    *,
    decision: str = "",
    files: Callable[[File], str] | None = None,
    attached: Callable[[Attached], str] | None = None,
    most: int = CARD_MAX_BYTES,
    audience: Audience = ALL,
) -> TeamsMessage:
    """Return the reply as a message whose card has at most so many bytes, with room for links to its files.

    `decision` is plain text that says how its question was answered: then nothing can be pressed. `files` and
    `attached` return addresses under which a person can fetch what belongs to the message; without them, it is named
    and has to be handed over. `audience` are those who look at it.
    """
    if decision:
        reply = concluded(reply)
    said = "\n".join(filter(None, (spoken(reply, bool(decision)), _kept(decision)))) or "Done."
    summary = truncate(" ".join(said.split()), SUMMARY_MAX_CHARS)
    if (sentence := _sentence(reply, decision)) is not None:
        return TeamsMessage(sentence, summary=summary)
    spoken_text = escaped(said, CARD_TEXT_MAX_CHARS)
    room = most - _reserved(reply) - max(0, size_of(spoken_text) - TEXT_BYTES)
    parts, whole = _parts(reply, key, decision, files, room, audience)
    lines = [small(line) for line in (reply.sensitivity, "" if whole else CUT) if line]
    if kept := _kept(decision):
        lines.append(small(kept) | {"spacing": "Small"})
    rest = [] if whole else [Attached("message.txt", text_of(reply))]
    parts.append(CardElements(tuple(lines), tuple(rest)))
    offered = [] if attached else [file for part in parts for file in part.files]
    if not files:
        offered += [Attached(each.name, each.path) for each in reply.cards if isinstance(each, File)]
    refresh = None if decision else _refresh(reply, key, audience)
    card = adaptive(_body(parts, attached), summary, refresh)
    if not decision and (entities := mentions_of(reply)):
        card["msteams"] |= {"entities": entities}
    return TeamsMessage(spoken_text, card, tuple(offered), summary)


def _reserved(reply: Reply) -> int:
    """Return the bytes to be kept free: a link for each file that a card may turn into, and one for message.txt."""
    files = 1
    for card in reply.cards:
        match card:
            case Code() | Chart():
                files += 1
            case Form(fields=fields):
                files += len(fields)
            case _:
                pass
    return RESERVED_BYTES + LINK_MAX_BYTES * min(files, CARD_LINKS_MAX)


def _refresh(reply: Reply, key: ThreadKey, audience: Audience) -> Element | None:
    """Return what has the clients of some people ask for the card as they see it; None where all see the same."""
    viewers = [audience.accounts[id] for id in named_in(reply) if id in audience.accounts]
    if not 0 < len(viewers) <= VIEWERS_MAX:
        return None
    data = data_of(QuestionRef(key, reply.turn, 0), LOOK)
    return {"action": {"type": "Action.Execute", "verb": LOOK, "data": data}, "userIds": viewers}


def _kept(decision: str) -> str:
    return truncate(" ".join(clean(decision).split()), DECIDED_MAX_CHARS)


def _sentence(reply: Reply, decision: str) -> str | None:
    """Return a reply that is a sentence or two as Markdown; None where it needs a card."""
    if decision or not reply.cards or any(not isinstance(c, Text) or c.tone == "quiet" for c in reply.cards):
        return None
    said = []
    for card in reply.cards:
        assert isinstance(card, Text)
        text = marked(("⚠️ " if card.tone == "problem" else "") + card.body)
        if text is None or len(text) > CARD_TEXT_MAX_CHARS // 2:
            return None
        said.append(text)
    text = "\n\n".join(filter(None, said))
    return text if 0 < len(text) <= CARD_TEXT_MAX_CHARS else None


def _parts(
    reply: Reply, key: ThreadKey, decision: str, files: Callable[[File], str] | None, room: int, audience: Audience
) -> tuple[list[CardElements], bool]:
    """Return the cards as they were drawn, in their order, and whether that is all of them."""
    parts, whole = [CardElements()] * len(reply.cards), True
    actions = _shares(reply, bool(decision), bool(files), audience)
    for number in by_need(reply.cards):
        part = _part(reply, QuestionRef(key, reply.turn, number), decision, files, actions[number], room, audience)
        whole = whole and not part.cut
        room -= size_of(part.elements)
        parts[number] = part
    return parts, whole


def _body(parts: list[CardElements], attached: Callable[[Attached], str] | None) -> list[Element]:
    """Return all elements, each card's picture above and its other files below it; of very many files, the last."""
    body: list[Element] = []
    left = sum(len(part.files) for part in parts) - CARD_LINKS_MAX
    for part in parts:
        links = [draw_attached(file, attached) for n, file in enumerate(part.files) if n >= left]
        pictures = [each for each in links if each["type"] == "Image"]
        body += [*pictures, *part.elements, *(each for each in links if each["type"] != "Image")]
        left -= len(part.files)
    return body


def _part(
    reply: Reply,
    asked: QuestionRef,
    decision: str,
    files: Callable[[File], str] | None,
    actions: int,
    room: int,
    audience: Audience,
) -> CardElements:
    card = reply.cards[asked.card]
    match card:
        case Buttons() | Choice() | Form():
            return _question(card, reply, asked, actions, room, audience)
        case Progress():
            return draw_progress(card, asked, room, stop=actions > 0)
        case Code():
            return draw_code(card, room, fold=f"code:{asked.card}", closed=card.folded)
        case Table():
            return draw_table(card, room, _folded(reply, room))
        case Chart():
            return draw_chart(card, room, sum(isinstance(each, Chart) for each in reply.cards[: asked.card]))
        case Text():
            return draw_text(card, room)
        case Waiting():
            return CardElements() if decision else draw_waiting(card)
        case Link(label, url):
            return draw_link(label, url, room)
        case File():
            return draw_file(card, files(card) if files else "", f"file:{asked.card}", room, button=actions > 0)
        case _:
            assert_never(card)


def _folded(reply: Reply, room: int) -> int:
    """Return the bytes of the SQL that is folded in a message, which gets its room after the rows."""
    held = (each for each in reply.cards if isinstance(each, Code) and each.folded)
    return sum(size_of(draw_code(each, room, fold="code:0", closed=True).elements) for each in held)


def _question(
    card: Buttons | Choice | Form,
    reply: Reply,
    asked: QuestionRef,
    actions: int,
    room: int,
    audience: Audience,
) -> CardElements:
    if not isinstance(card, Form):
        return draw_ask(card, asked, room, in_sight=actions, audience=audience)
    alone = sum(isinstance(each, Buttons | Choice | Form) for each in reply.cards) == 1
    return draw_form(card, asked, room, alone=alone, sends=actions > 0)


def _shares(reply: Reply, decided: bool, linked: bool, audience: Audience) -> list[int]:
    """Return how many buttons each card may have in sight: one each first, then all that it would have."""
    shares, left = [0] * len(reply.cards), IN_SIGHT_MAX
    wants = [_wants(card, decided, linked, audience) for card in reply.cards]
    for most in (1, IN_SIGHT_MAX):
        for n in by_need(reply.cards):
            more = max(0, min(wants[n], most) - shares[n])
            shares[n] += min(more, left)
            left -= min(more, left)
    return shares


def _wants(card: Card, decided: bool, linked: bool, audience: Audience) -> int:
    match card:
        case Buttons() | Choice():
            return 0 if decided else wanted(card, audience)
        case Form():
            return int(not decided)
        case Progress(_, stoppable):
            return int(stoppable and not decided)
        case File():
            return int(linked)
        case _:
            return 0
