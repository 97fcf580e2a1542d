"""Quoted replies: which messages an activity quotes, and its words without what stands in those.

Teams puts `<quoted messageId="…"/>` into the text, with a `quotedReply` entity for each. Older clients send what is
quoted as a blockquote, in the text or in the HTML beside it, or as a `messageReference` with a preview.
"""

import html
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from adapters.teams.json_fields import text

QUOTES_MAX: Final = 10
"""The number of messages that one may quote."""

PLACEHOLDER: Final = re.compile(
    r"<quoted\s+messageid\s*=\s*(?:\"[^\"<>]*+\"|'[^'<>]*+')\s*/?>(?:\s*</quoted>)?"
    r"|<attachment\s+id\s*=\s*(?:\"[^\"<>]*+\"|'[^'<>]*+')\s*/?>(?:\s*</attachment>)?",
    re.IGNORECASE,
)
QUOTING_TYPES: Final = ("messageReference", "forwardedMessageReference")
REPLY_TYPE: Final = "http://schema.skype.com/Reply"
MENTION_TYPE: Final = "http://schema.skype.com/Mention"

_TOKEN: Final = re.compile(
    r"<(?P<end>/?)(?P<tag>[a-z][a-z0-9]*+)(?P<given>(?:[^<>\"']|\"[^\"<]*+\"|'[^'<]*+')*+)>|[^<]++|<", re.IGNORECASE
)
_ITEM_ID: Final = re.compile(r"\bitemid=[\"']([^\"']+)")
_BREAKING: Final = frozenset(["p", "div", "br", "li", "pre", "tr", "ul", "ol", "h1", "h2", "h3"])

Activity = Mapping[str, Any]


def unquoted(activity: Activity, said: str) -> str:
    """Return the text of a message without what it quotes; people's marks, such as mentions, stay in it."""
    said = PLACEHOLDER.sub(" ", said)
    if "<blockquote" in said.lower():
        return _read(said).words or said
    for markup in _markups(activity):
        # Where the text has nothing of the quote, it is the better one: it has its own line breaks.
        reply = _read(markup).words
        if reply and _squashed(reply) != _squashed(said):
            return reply
    for preview in filter(None, (text(each, "messagePreview") for each in _references(activity))):
        said = _without(said, preview)
    return said


def quoted_ids(activity: Activity) -> list[str]:
    """Return the ids of the messages that are quoted, in their order; none that is deleted or not vouched for."""
    entities = [each.get("quotedReply") for each in activity.get("entities", []) if each.get("type") == "quotedReply"]
    if entities:
        sound = [each for each in entities if isinstance(each, dict) and not each.get("isReplyDeleted")]
        found = [text(each, "messageId") for each in sound if each.get("validatedMessageReference") is not False]
    else:
        found = [id for markup in (text(activity, "text"), *_markups(activity)) for id in _read(markup).quoted]
        found += [text(each, "messageId") for each in _references(activity)]
    return list(dict.fromkeys(filter(None, found)))[:QUOTES_MAX]


def quotes(activity: Activity) -> bool:
    """Tell whether a message quotes another one, known or not."""
    entity = any(each.get("type") == "quotedReply" for each in activity.get("entities", []))
    return entity or bool(quoted_ids(activity)) or PLACEHOLDER.search(text(activity, "text")) is not None


def _markups(activity: Activity) -> Iterator[str]:
    """Yield the HTML of a message where it quotes something."""
    for each in activity.get("attachments", []):
        content = text(each, "content") if text(each, "contentType") == "text/html" else ""
        if "<blockquote" in content.lower():
            yield content


def _references(activity: Activity) -> Iterator[Activity]:
    """Yield the messages that a message refers to as attachments."""
    for each in activity.get("attachments", []):
        if text(each, "contentType") not in QUOTING_TYPES:
            continue
        content = each.get("content")
        try:
            found = json.loads(content) if isinstance(content, str) else content
        except ValueError:
            continue
        if isinstance(found, dict):
            yield {"messageId": text(each, "id"), **found}


def _without(said: str, preview: str) -> str:
    """Return a text without a preview that stands as lines of its own before it or behind it."""
    lines, quoted = said.splitlines(), preview.split()
    before, behind = (
        _taken_up_by(quoted, lines),
        _taken_up_by(quoted[::-1], [" ".join(each.split()[::-1]) for each in lines[::-1]]),
    )
    rest = lines[before:] if before else lines[: len(lines) - behind]
    return "\n".join(rest) if any(each.strip() for each in rest) else said


def _taken_up_by(words: list[str], lines: list[str]) -> int:
    """Return how many lines from the first on have exactly these words; 0 where none do."""
    left = len(words)
    for number, each in enumerate(lines, 1):
        found = each.split()
        if found != words[len(words) - left :][: len(found)]:
            return 0
        left -= len(found)
        if not left:
            return number
    return 0


def _squashed(words: str) -> str:
    return "".join(re.findall(r"\w+", html.unescape(words)))


@dataclass(slots=True)
class _Markup:
    """What HTML says beside its blockquotes, with mentions as `<at>`; and the messages that it quotes."""

    words: str = ""
    quoted: list[str] = field(default_factory=list)


def _read(markup: str) -> _Markup:
    """Read HTML, each character once: nothing but what a client makes is expected in it."""
    found, parts, depth, mentions = _Markup(), list[str](), 0, [False]
    for token in _TOKEN.finditer(markup) if "<blockquote" in markup.lower() else ():
        end, tag, given = token["end"], (token["tag"] or "").lower(), token["given"] or ""
        if tag == "blockquote":
            depth = max(0, depth + (-1 if end else 1))
            if not end and REPLY_TYPE in given and (id := _ITEM_ID.search(given)):
                found.quoted.append(id[1])
        elif depth:
            continue
        elif tag == "span":
            if not end:
                mentions.append(MENTION_TYPE in given)
            parts.append(f"<{end}at>" if mentions[-1] else "")
            if end and len(mentions) > 1:
                mentions.pop()
        elif tag == "at":
            parts.append(f"<{end}at>")
        elif tag:
            parts.append("\n" if tag in _BREAKING else "")
        else:
            parts.append(token[0])
    lines = (line.strip() for line in "".join(parts).replace("&nbsp;", " ").replace("\xa0", " ").splitlines())
    found.words = "\n".join(lines).strip()
    return found
