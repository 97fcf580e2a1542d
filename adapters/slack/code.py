"""Source text as blocks: all of it that fits, and the whole as a file where it does not."""

from adapters.attached import Attached
from adapters.fitting import cut, split
from adapters.slack.drawn import Block, Part, Richness
from adapters.slack.mrkdwn import escaped, fenced
from adapters.slack.texts import LEAST_ROOM, LONGEST_SECTION, preformatted, section, small
from adapters.unseen import shown
from router.cards import Code

SHORT = 12
"""Lines of code that are shown open."""

LONGEST_TITLE = 150
"""Characters of a container's title (Slack's limit)."""


def draw_code(code: Code, richness: Richness, room: int, *, asked: bool, decided: bool) -> Part:
    """Draw a Code card in at most `room` characters; open while it is asked whether it shall run."""
    room -= LEAST_ROOM + LONGEST_TITLE
    if room < LEAST_ROOM:
        return Part(files=(_file(code),), cut=True)
    body = shown(code.body).strip("\n") or "(empty)"
    parts = split(body, room, fenced)
    files, rest = ((_file(code),), small(_rest(code))) if len(parts) > 1 else ((), None)
    body = parts[0].strip("\n") or "(empty)"
    tail = [rest] if rest else []
    # Slack was seen to refuse rich_text in a container, and a section cannot hold a fence inside a fence.
    if richness == Richness.FULL and "```" not in body:
        collapsed = decided or (not asked and body.count("\n") >= SHORT)
        return Part((_container(code, body, tail, collapsed),), files)
    head = small(f"*{escaped(_title(code))}*")
    return Part((head, *preformatted(body, richness, code.language[:50]), *tail), files)


def _container(code: Code, body: str, tail: list[Block], collapsed: bool) -> Block:
    fences = [section(fenced(part.strip("\n"))) for part in split(body, LONGEST_SECTION, fenced) if part.strip("\n")]
    return {
        "type": "container",
        "title": {"type": "plain_text", "text": _title(code), "emoji": False},
        "is_collapsible": True,
        "default_collapsed": collapsed,
        "child_blocks": [*fences, *tail],
    }


def _title(code: Code) -> str:
    kind = code.language.upper()[:40] or "Text"
    caption = cut(" ".join(shown(code.caption).split()), LONGEST_TITLE - 50)
    return f"{caption} — {kind}" if caption else kind


def _file(code: Code) -> Attached:
    return Attached("query.sql" if code.language == "sql" else "code.txt", code.body)


def _rest(code: Code) -> str:
    return f"⚠️ Cut here. Read the whole of it, {len(code.body):,} characters, in the file {_file(code).name}."
