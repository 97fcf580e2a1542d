"""Quoted replies: which messages an activity quotes, and its words without what stands in those.

Teams puts `<quoted messageId="…"/>` into the text, with a `quotedReply` entity for each. Older clients send what is
quoted as a blockquote in the HTML beside the text.
"""

import re
from collections.abc import Mapping
from typing import Any

from adapters.teams.json_fields import text

HEARD_MAX_CHARS = 250_000
"""Characters of a message that are looked at: the router takes fewer, and Teams sends far fewer."""

QUOTES_MAX = 10
"""The number of messages that one may quote."""

PLACEHOLDER = re.compile(
    r"<(quoted|attachment)\s+(?:message)?id\s*=\s*(?:\"[^\"<>]*+\"|'[^'<>]*+')\s*/?>(?:\s*</\1>)?", re.IGNORECASE
)
REPLY_TYPE = "http://schema.skype.com/Reply"

_BLOCKQUOTE = re.compile(r"(</?blockquote\b[^<>]*+>)", re.IGNORECASE)
_ITEM_ID = re.compile(r"\bitemid=[\"']([^\"']+)")
_MENTION = re.compile(r"<span\b[^<>]*schema\.skype\.com/Mention[^<>]*>([^<>]*+)</span>", re.IGNORECASE)
_BREAK = re.compile(r"<br\b[^<>]*+>|</(?:p|div|li|pre|tr|h\d)>", re.IGNORECASE)
_TAG = re.compile(r"<(?!/?at\b)/?[a-z][^<>]*+>", re.IGNORECASE)

Activity = Mapping[str, Any]


def words_of(markup: str) -> str:
    """Return the words of HTML, a line a paragraph, with mentions as `<at>` and characters as they were written."""
    said = _TAG.sub("", _BREAK.sub("\n", _MENTION.sub(r"<at>\1</at>", markup)))
    return "\n".join(line.strip() for line in said.replace("&nbsp;", " ").splitlines()).strip()


def _parted(markup: str) -> tuple[str, list[str]]:
    """Return what HTML says beside its blockquotes, and the ids of the messages that these quote."""
    depth, beside, quoted = 0, list[str](), list[str]()
    for part in _BLOCKQUOTE.split(markup):
        if not _BLOCKQUOTE.fullmatch(part):
            beside.append("" if depth else part)
            continue
        depth = max(0, depth - 1) if part.startswith("</") else depth + 1
        if REPLY_TYPE in part and (id := _ITEM_ID.search(part)):
            quoted.append(id[1])
    return words_of("".join(beside)), quoted


def unquoted(activity: Activity) -> str:
    """Return the text of a message without what it quotes; people's marks, such as mentions, stay in it."""
    said = (_parted(markup)[0] for markup in _markups(activity))
    return next(filter(None, said), "") or PLACEHOLDER.sub(" ", text(activity, "text")[:HEARD_MAX_CHARS])


def quoted_ids(activity: Activity) -> list[str]:
    """Return the ids of the messages that are quoted, in their order; none that is deleted or not vouched for."""
    if entities := _entities(activity):
        told = [each.get("quotedReply") for each in entities]
        sound = [each for each in told if isinstance(each, dict) and not each.get("isReplyDeleted")]
        found = [text(each, "messageId") for each in sound if each.get("validatedMessageReference") is not False]
    else:
        found = [id for markup in _markups(activity) for id in _parted(markup)[1]]
    return list(dict.fromkeys(filter(None, found)))[:QUOTES_MAX]


def quotes(activity: Activity) -> bool:
    """Return whether a message quotes another one, known or not."""
    marked = PLACEHOLDER.search(text(activity, "text")[:HEARD_MAX_CHARS]) is not None
    return marked or bool(_entities(activity) or quoted_ids(activity))


def _entities(activity: Activity) -> list[Activity]:
    return [each for each in activity.get("entities", []) if each.get("type") == "quotedReply"]


def _markups(activity: Activity) -> list[str]:
    """Return what of a message is HTML with quotes in it: its text, or what stands beside that."""
    beside = (each for each in activity.get("attachments", []) if text(each, "contentType") == "text/html")
    held = (text(activity, "text"), *(text(each, "content") for each in beside))
    return [each[:HEARD_MAX_CHARS] for each in held if "<blockquote" in each.lower()]
