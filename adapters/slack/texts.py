"""Paragraphs, small print and preformatted text as blocks."""

from adapters.fitting import label_of, split
from adapters.markup import pieces
from adapters.slack.drawn import Block, Part, Richness
from adapters.slack.mrkdwn import JOINER, closed, fenced, fitted, marked
from adapters.unseen import clean
from router.cards import Text

LONGEST_SECTION = 2_900
"""Characters of one section; Slack refuses more than 3,000."""

LONGEST_LABEL = 150
"""Characters of what a link is opened by."""

LEAST_ROOM = 200
"""Characters below which it makes no sense to begin a paragraph."""


def draw_text(card: Text, richness: Richness, room: int) -> Part:
    """Draw a Text card in at most `room` characters."""
    if not clean(card.body).strip():
        return Part()
    if room < LEAST_ROOM:
        return Part(cut=True)
    parts = split(card.body.strip(), room - LEAST_ROOM // 2, marked)
    body = parts[0].strip() + (" …" if len(parts) > 1 else "")
    if card.tone == "quiet" and len(marked(body)) <= LONGEST_SECTION:
        return Part((small(marked(body)),), cut=len(parts) > 1)
    lead = "⚠️ " if card.tone == "problem" else ""
    return Part(tuple(paragraphs(lead + body, richness)), cut=len(parts) > 1)


def paragraphs(body: str, richness: Richness) -> list[Block]:
    """Return the body of a Text card as blocks; empty where there is nothing to see in it."""
    if not clean(body).strip():
        return []
    if richness >= Richness.TABLE and marked(body).count(JOINER) > body.count(JOINER):
        return [literal(body)]
    return [section(marked(part)) for part in split(body, LONGEST_SECTION, marked) if clean(part).strip()]


def section(mrkdwn: str) -> Block:
    """Return a section; Slack makes no links in it by itself, and does not fold it."""
    return {"type": "section", "text": words(mrkdwn), "expand": True}


def small(*mrkdwn: str) -> Block:
    """Return small print."""
    return {"type": "context", "elements": [words(each) for each in mrkdwn]}


def words(mrkdwn: str) -> Block:
    """Return mrkdwn as a text object in which nothing is turned into links."""
    return {"type": "mrkdwn", "text": mrkdwn, "verbatim": True}


def link(label: str, url: str) -> str:
    """Return mrkdwn that opens an address."""
    address = closed(url).replace("|", "%7C")
    return f"<{address}|{fitted(label_of(label, LONGEST_LABEL), LONGEST_LABEL).replace('|', '/')}>"


def literal(body: str) -> Block:
    """Return the body of a Text card as rich text, of which Slack reads no character as a mark."""
    elements = [
        {"type": "text", "text": text, **({"style": {mark: True}} if mark else {})} for text, mark in pieces(body)
    ]
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}


def preformatted(text: str, richness: Richness, language: str = "") -> list[Block]:
    """Return lines of fixed width; the text is not empty."""
    if richness < Richness.TABLE:
        return [section(fenced(part.strip("\n"))) for part in split(text, LONGEST_SECTION, fenced) if part.strip("\n")]
    element = {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": text}]}
    return [{"type": "rich_text", "elements": [{**element, "language": language} if language else element]}]
