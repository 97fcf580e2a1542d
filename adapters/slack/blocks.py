"""A reply of the router as one Slack message that fits into Slack's limits, whatever is in it."""

from typing import assert_never

from adapters.asked import Asked
from adapters.attached import Attached
from adapters.caution import notice_of
from adapters.plain import text_of
from adapters.slack.asks import draw_ask, draw_decided, draw_progress
from adapters.slack.charts import draw_chart
from adapters.slack.code import draw_code
from adapters.slack.drawn import Block, Drawn, Part, Richness, words_in
from adapters.slack.feedback import thumbs
from adapters.slack.in_words import in_words
from adapters.slack.notification import kept, notification
from adapters.slack.tables import draw_table
from adapters.slack.texts import draw_text, link, section, small
from router.cards import Buttons, Chart, Choice, Code, File, Form, Link, Progress, Reply, Table, Text
from router.memory import ThreadKey

MOST_BLOCKS = 50
"""Blocks of a message (Slack's limit)."""

MOST_CHARACTERS = 10_500
"""Characters of a message outside the cells of tables; Slack was seen to refuse about 13,200."""

KEPT_BLOCKS, KEPT_CHARACTERS = 4, 700
"""What is kept for the lines at the end."""

CUT = "⚠️ Not all of this fits into a message: the whole of it is in the file message.txt."

_FIRST = (Buttons, Choice, Form, Progress, Link, Code, Table, Text, Chart, File)
"""Which cards get their room first: what is answered, then what is approved, then what is found, then the rest."""


def draw(
    reply: Reply, key: ThreadKey, richness: Richness = Richness.FULL, *, decision: str = "", rate: str = ""
) -> Drawn:
    """Return the reply as a message.

    `decision` is mrkdwn that says how its question was answered: then nothing can be pressed. `rate` is the id of the
    stored result that thumbs are given for.
    """
    files = tuple(Attached(card.name, card.path) for card in reply.cards if isinstance(card, File))
    if richness == Richness.TEXT:
        said = in_words(reply, decision)
        return Drawn(said.text, (), (*said.files, *files))
    parts, whole = _parts(reply, key, richness, decision)
    files = (*(file for part in parts for file in part.files), *files)
    if not whole:
        files = (*files, Attached("message.txt", text_of(reply)))
    ends = _ends(reply, richness, decision, rate, whole)
    return Drawn(notification(reply, decision), (*(block for part in parts for block in part.blocks), *ends), files)


def _parts(reply: Reply, key: ThreadKey, richness: Richness, decision: str) -> tuple[list[Part], bool]:
    """Return the cards as they were drawn, in their order, and whether that is all of them."""
    parts, whole = [Part()] * len(reply.cards), True
    blocks, room = MOST_BLOCKS - KEPT_BLOCKS, MOST_CHARACTERS - KEPT_CHARACTERS
    for number in sorted(range(len(reply.cards)), key=lambda n: _FIRST.index(type(reply.cards[n]))):
        part = _part(reply, number, key, richness, decision, room)
        if len(part.blocks) > blocks or words_in(part.blocks) > room:
            part = Part(files=part.files, cut=True)
        whole = whole and not part.cut
        blocks, room = blocks - len(part.blocks), room - words_in(part.blocks)
        parts[number] = part
    return parts, whole


def _part(reply: Reply, number: int, key: ThreadKey, richness: Richness, decision: str, room: int) -> Part:
    card, asked = reply.cards[number], Asked(key, reply.turn, number)
    match card:
        case Buttons() | Choice() | Form():
            return draw_decided(card) if decision else draw_ask(card, asked, richness)
        case Progress(_, stoppable):
            stop = stoppable and not decision and _nth(reply, number) == 0
            return draw_progress(card, asked, alone=len(reply.cards) == 1, stop=stop)
        case Code():
            return draw_code(card, richness, room, asked=_asks(reply) and not decision, decided=bool(decision))
        case Table():
            return draw_table(card, richness, room, first=_nth(reply, number) == 0)
        case Chart():
            return draw_chart(card, richness, room, _nth(reply, number))
        case Text():
            return draw_text(card, richness, room)
        case Link(label, url):
            return Part((section(link(label, url)),))
        case File():
            return Part()
        case _:
            assert_never(card)


def _ends(reply: Reply, richness: Richness, decision: str, rate: str, whole: bool) -> list[Block]:
    """Return the lines below the cards: how it was decided, what is missing, that AI errs, and the thumbs."""
    lines = [kept(decision), "" if whole else CUT, notice_of(reply, bool(decision))]
    ends = [small(line) for line in lines if line.strip()]
    return [*ends, thumbs(rate, richness)] if rate else ends


def _asks(reply: Reply) -> bool:
    return any(isinstance(card, Buttons | Choice | Form) for card in reply.cards)


def _nth(reply: Reply, number: int) -> int:
    """Return how many cards of the same kind stand before this one."""
    return sum(type(card) is type(reply.cards[number]) for card in reply.cards[:number])
