"""A reply of the router as one Slack message that fits into Slack's limits, whatever is in it."""

from dataclasses import replace
from typing import assert_never

from adapters.rendering.attachment import Attached
from adapters.rendering.cells import missing_rows_text
from adapters.rendering.controls import QuestionRef, asks_in
from adapters.rendering.outcome import conclude_reply
from adapters.rendering.plain_text import text_of, text_of_card
from adapters.rendering.speech import speak
from adapters.rendering.text import by_need, named_in_words, remove_unseen, waits_for
from adapters.slack.charts import draw_chart
from adapters.slack.controls import draw_ask, draw_progress
from adapters.slack.drawing import Block, CardBlocks, SlackMessage, words_in
from adapters.slack.menus import FEEDBACK, plain
from adapters.slack.mrkdwn import escaped, fenced, fit, marked
from adapters.slack.tables import draw_table
from adapters.slack.text_blocks import draw_code, draw_small, draw_text, link, section
from router.cards import (
    Approver,
    Buttons,
    Card,
    Chart,
    Choice,
    Code,
    File,
    Form,
    Link,
    Progress,
    Reply,
    Table,
    Text,
    Waiting,
)
from router.memory.thread import ThreadKey

TEXT_MAX_CHARS = 3_000

MESSAGE_BLOCKS_MAX = 50
"""Blocks of a message (Slack's limit)."""

MESSAGE_MAX_CHARS = 10_500
"""Characters of a message outside the cells of tables; Slack was seen to refuse about 13,200."""

KEPT_BLOCKS, KEPT_CHARACTERS = 4, 700
"""Blocks kept free for the lines at the end."""

CUT = "⚠️ Not all of this fits into a message: the whole of it is in the file message.txt."


def draw(reply: Reply, key: ThreadKey, rich: bool = True, *, decision: str = "", rate: str = "") -> SlackMessage:
    """Return the reply as a message: `rich` is with blocks, else it is words alone, in which anything can be answered.

    `decision` is a line of mrkdwn that says how its question was answered: then nothing can be pressed. `rate` is the
    id of the stored result that thumbs are given for.
    """
    if decision:
        reply = conclude_reply(reply)
    if not rich:
        said = in_words(reply, decision)
        return replace(said, files=(*said.files, *_files(reply)))
    parts, whole = _parts(reply, key, bool(decision))
    files = (*(file for part in parts for file in part.files), *_files(reply))
    if not whole:
        files = (*files, Attached("message.txt", text_of(reply)))
    lines = [decision, "" if whole else CUT, reply.sensitivity]
    ends = [*(draw_small(line) for line in lines if line.strip()), *([thumbs(rate)] if rate else [])]
    # Notifications and screen readers read a message's `text`, not its blocks.
    return SlackMessage(
        notification(reply, decision), (*(block for part in parts for block in part.blocks), *ends), files
    )


def handed_over(reply: Reply) -> SlackMessage | None:
    """Return a reply that is files, and words about them at most: the text is their comment, which may be empty."""
    files = _files(reply)
    if not files or not all(isinstance(card, File | Text) for card in reply.cards):
        return None
    words = replace(reply, cards=tuple(card for card in reply.cards if isinstance(card, Text)))
    said = in_words(words) if words.cards or reply.sensitivity else SlackMessage("")
    return None if said.files else replace(said, files=files)


def _files(reply: Reply) -> tuple[Attached, ...]:
    return tuple(Attached(card.name, card.path) for card in reply.cards if isinstance(card, File))


def notification(reply: Reply, decision: str = "") -> str:
    """Return the reply in a few lines of mrkdwn that ping nobody; never empty."""
    text = fit(speak(reply, bool(decision)), TEXT_MAX_CHARS - len(decision) - 1)
    return "\n".join(filter(None, (text, decision))) or "Done."


# A message without blocks: every card in words.


ANSWER_IN_WORDS = "You can type what you choose."


def in_words(reply: Reply, decision: str = "") -> SlackMessage:
    """Return the reply as text alone; if it is too long for that, in short, with the whole of it attached."""
    ends = (ANSWER_IN_WORDS if asks_in(reply) else "", decision, reply.sensitivity)
    text = _paragraphs(*map(_said, reply.cards), *ends)
    if len(text) <= TEXT_MAX_CHARS:
        return SlackMessage(text or "Done.")
    room = TEXT_MAX_CHARS - len(_paragraphs(CUT, *ends)) - 2
    short = _paragraphs(fit(speak(reply, bool(decision)), room), CUT, *ends)
    return SlackMessage(short, (), (Attached("message.txt", text_of(reply)),))


def _paragraphs(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text.strip())


def _said(card: Card) -> str:
    """Return a card as mrkdwn; empty if there is nothing to see in it."""
    text = text_of_card(card).strip("\n")
    if not remove_unseen(text).strip():
        return ""
    match card:
        case Table(columns=columns, rows=rows) if not rows or not columns:
            return escaped(missing_rows_text(card))
        case Code() | Table() | Chart():
            return fenced(text)
        case Text():
            return marked(text)
        case File(name):
            return escaped(name)
        case Link(label, url):
            return link(label, url)
        case _:
            return escaped(text)


# A message of blocks: each card gets its room by how much it is needed.


def _parts(reply: Reply, key: ThreadKey, decided: bool) -> tuple[list[CardBlocks], bool]:
    """Return the cards as they were drawn, in their order, and whether that is all of them."""
    parts, whole = [CardBlocks()] * len(reply.cards), True
    blocks, room = MESSAGE_BLOCKS_MAX - KEPT_BLOCKS, MESSAGE_MAX_CHARS - KEPT_CHARACTERS
    for number in by_need(reply.cards):
        part = _part(reply, number, key, decided, room)
        if len(part.blocks) > blocks or words_in(part.blocks) > room:
            part = CardBlocks(files=part.files, cut=True)
        whole = whole and not part.cut
        blocks, room = blocks - len(part.blocks), room - words_in(part.blocks)
        parts[number] = part
    return parts, whole


def _part(reply: Reply, number: int, key: ThreadKey, decided: bool, room: int) -> CardBlocks:
    card, asked = reply.cards[number], QuestionRef(key, reply.turn, number)
    nth = sum(type(before) is type(card) for before in reply.cards[:number])
    match card:
        case Buttons() | Choice() | Form():
            return draw_ask(card, asked)
        case Progress(_, stoppable):
            return draw_progress(card, asked, stop=stoppable and not decided and nth == 0)
        case Code():
            return draw_code(card, room, asked=bool(asks_in(reply)) and not decided, decided=decided)
        case Table():
            return draw_table(card, room, first=nth == 0)
        case Chart():
            return draw_chart(card, room, nth)
        case Text():
            return draw_text(card, room)
        case Waiting():
            return CardBlocks((draw_small(mentioning(card)),))
        case Link(label, url):
            return CardBlocks((section(link(label, url)),))
        case File():
            return CardBlocks()
        case _:
            assert_never(card)


def mentioning(card: Waiting) -> str:
    """Return whom a card waits for as mrkdwn, with Slack's own mention of those who were found."""
    return waits_for(replace(card, what=escaped(card.what)), _mention)


def _mention(approver: Approver) -> str:
    id = approver.id.removeprefix("slack:")
    return f"<@{id}>" if id else escaped(named_in_words(approver))


def thumbs(result: str) -> Block:
    """Return thumbs whose value says which result they are about: `up:ID` or `down:ID`."""
    up, down = (
        {"text": plain(label), "value": f"{way}:{result}"}
        for way, label in (("up", "Good answer"), ("down", "Bad answer"))
    )
    element = {"type": "feedback_buttons", "action_id": FEEDBACK, "positive_button": up, "negative_button": down}
    return {"type": "context_actions", "elements": [element]}
