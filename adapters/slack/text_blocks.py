"""Paragraphs, small print and preformatted text as blocks."""

import re

from adapters.rendering.attachment import Attached
from adapters.rendering.text import label_of, remove_unseen, reveal, split
from adapters.slack.drawing import Block, CardBlocks
from adapters.slack.mrkdwn import escape_code, escaped, fenced, fit, marked
from router.cards import Code, Text
from router.language.wording import truncate

SECTION_MAX_CHARS = 2_900
"""Characters of one section; Slack refuses more than 3,000."""

LINK_LABEL_MAX_CHARS = 150
"""Characters of what a link is opened by."""

PARAGRAPH_MIN_CHARS = 200
"""Characters below which it makes no sense to begin a paragraph."""


def draw_text(card: Text, room: int) -> CardBlocks:
    """Draw a Text card in at most `room` characters."""
    if not remove_unseen(card.body).strip():
        return CardBlocks()
    if room < PARAGRAPH_MIN_CHARS:
        return CardBlocks(cut=True)
    parts = split(card.body.strip(), room - PARAGRAPH_MIN_CHARS // 2, marked)
    body, cut = parts[0].strip() + (" …" if len(parts) > 1 else ""), len(parts) > 1
    if card.tone == "title":
        return CardBlocks((draw_heading(body),), cut=cut)
    if card.tone == "quiet" and len(marked(body)) <= SECTION_MAX_CHARS:
        return CardBlocks((draw_small(marked(body)),), cut=cut)
    lead = "⚠️ " if card.tone == "problem" else ""
    return CardBlocks(tuple(paragraphs(lead + body)), cut=cut)


def draw_heading(body: str) -> Block:
    """Return a heading; a mark in it, such as that of a literal, is drawn as the letter that it is."""
    if not re.search(r"[*_~`]", body):
        return section(f"*{escaped(body)}*")
    element = {"type": "text", "text": remove_unseen(body), "style": {"bold": True}}
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [element]}]}


def paragraphs(body: str) -> list[Block]:
    """Return the body of a Text card as blocks; empty if there is nothing to see in it."""
    return [section(marked(part)) for part in split(body, SECTION_MAX_CHARS, marked) if remove_unseen(part).strip()]


def section(mrkdwn: str) -> Block:
    """Return a section; Slack makes no links in it by itself, and does not fold it."""
    return {"type": "section", "text": words(mrkdwn), "expand": True}


def draw_small(*mrkdwn: str) -> Block:
    """Return small print."""
    return {"type": "context", "elements": [words(each) for each in mrkdwn]}


def words(mrkdwn: str) -> Block:
    """Return mrkdwn as a text object in which nothing is turned into links."""
    return {"type": "mrkdwn", "text": mrkdwn, "verbatim": True}


def link(label: str, url: str) -> str:
    """Return mrkdwn that opens an address."""
    address = escape_code(url).replace("|", "%7C")
    return f"<{address}|{fit(label_of(label, LINK_LABEL_MAX_CHARS), LINK_LABEL_MAX_CHARS).replace('|', '/')}>"


def preformatted(text: str) -> Block:
    """Return lines of fixed width; the text is not empty."""
    element = {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": text}]}
    return {"type": "rich_text", "elements": [element]}


# Source text: all of it that fits, and the whole as a file if it does not.


OPEN_CODE_LINES_MAX = 12
"""Lines of code that are shown open."""

STEPS_MAX_CHARS = 1_500

CONTAINER_TITLE_MAX_CHARS = 150
"""Characters of a container's title (Slack's limit)."""


def draw_code(code: Code, room: int, *, asked: bool, decided: bool) -> CardBlocks:
    """Draw a Code card in at most `room` characters; open while it waits to be approved."""
    steps = [section(_steps(code))] if code.steps else []
    room -= PARAGRAPH_MIN_CHARS + CONTAINER_TITLE_MAX_CHARS + (len(_steps(code)) if code.steps else 0)
    if room < PARAGRAPH_MIN_CHARS:
        return CardBlocks(files=(_file(code),), cut=True)
    body, *rest = split(reveal(code.body).strip("\n") or "(empty)", room, fenced)
    body = body.strip("\n") or "(empty)"
    files, tail = ((_file(code),), [draw_small(_rest(code))]) if rest else ((), [])
    fences = [section(fenced(part.strip("\n"))) for part in split(body, SECTION_MAX_CHARS, fenced) if part.strip("\n")]
    container = {
        "type": "container",
        "title": {"type": "plain_text", "text": _title(code), "emoji": False},
        "is_collapsible": True,
        "default_collapsed": code.folded or decided or (not asked and body.count("\n") >= OPEN_CODE_LINES_MAX),
        "child_blocks": [*steps, *fences, *tail],
    }
    return CardBlocks((container,), files)


def _steps(code: Code) -> str:
    """Return what the code does, a line a step."""
    return "\n".join(f"• {marked(step)}" for step in code.steps)[:STEPS_MAX_CHARS]


def _title(code: Code) -> str:
    kind = code.language.upper()[:40] or "Text"
    caption = truncate(" ".join(reveal(code.caption).split()), CONTAINER_TITLE_MAX_CHARS - 50)
    return f"{caption} — {kind}" if caption else kind


def _file(code: Code) -> Attached:
    return Attached("query.sql" if code.language == "sql" else "code.txt", code.body)


def _rest(code: Code) -> str:
    return f"⚠️ Cut here. Read the whole of it, {len(code.body):,} characters, in the file {_file(code).name}."
