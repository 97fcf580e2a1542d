"""Quoted replies: which messages an activity quotes, and its words without what stands in those.

Teams puts `<quoted messageId="…"/>` into the text, with a `quotedReply` entity for each. Older clients send what is
quoted as a blockquote in the HTML beside the text.
"""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any, Final

from adapters.teams.json_fields import text

HEARD_MAX_CHARS: Final = 250_000
"""Characters of a message that are looked at: the router takes fewer, and Teams sends far fewer."""

QUOTES_MAX: Final = 10
"""The number of messages that one may quote."""

PLACEHOLDER: Final = re.compile(
    r"<(quoted|attachment)\s+(?:message)?id\s*=\s*(?:\"[^\"<>]*+\"|'[^'<>]*+')\s*/?>(?:\s*</\1>)?", re.IGNORECASE
)
REPLY_TYPE: Final = "http://schema.skype.com/Reply"
MENTION_TYPE: Final = "http://schema.skype.com/Mention"

_BREAKING: Final = frozenset(["p", "div", "br", "li", "pre", "tr", "ul", "ol", "h1", "h2", "h3"])

Activity = Mapping[str, Any]


class HtmlWords(HTMLParser):
    """The words of HTML outside of its blockquotes, with mentions as `<at>`; and the messages that these quote."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.quoted: list[str] = []
        self._parts: list[str] = []
        self._depth = 0
        self._spans: list[bool] = []
        self.feed(markup)
        self.close()

    @property
    def words(self) -> str:
        """The words, without what is blank at the ends of lines."""
        lines = "".join(self._parts).replace("\xa0", " ").splitlines()
        return "\n".join(line.strip() for line in lines).strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a quote, the beginning of a mention, or the end of a line."""
        given = dict(attrs)
        if tag == "blockquote":
            self._depth += 1
            if given.get("itemtype") == REPLY_TYPE and (id := given.get("itemid")):
                self.quoted.append(id)
        elif tag == "span":
            self._spans.append(given.get("itemtype") == MENTION_TYPE)
            self._add("<at>" if self._spans[-1] else "")
        else:
            self._add("<at>" if tag == "at" else "\n" if tag in _BREAKING else "")

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a quote, of a mention or of a line."""
        if tag == "blockquote":
            self._depth = max(0, self._depth - 1)
        elif tag == "at" or (tag == "span" and self._spans and self._spans.pop()):
            self._add("</at>")
        else:
            self._add("\n" if tag in _BREAKING else "")

    def handle_data(self, data: str) -> None:
        """Note what is said."""
        self._add(data)

    def _add(self, words: str) -> None:
        if not self._depth:
            self._parts.append(words)


def unquoted(activity: Activity) -> str:
    """Return the text of a message without what it quotes; people's marks, such as mentions, stay in it."""
    for markup in _markups(activity):
        if words := HtmlWords(markup).words:
            return words
    return PLACEHOLDER.sub(" ", text(activity, "text")[:HEARD_MAX_CHARS])


def quoted_ids(activity: Activity) -> list[str]:
    """Return the ids of the messages that are quoted, in their order; none that is deleted or not vouched for."""
    if entities := _entities(activity):
        told = [each.get("quotedReply") for each in entities]
        sound = [each for each in told if isinstance(each, dict) and not each.get("isReplyDeleted")]
        found = [text(each, "messageId") for each in sound if each.get("validatedMessageReference") is not False]
    else:
        found = [id for markup in _markups(activity) for id in HtmlWords(markup).quoted]
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
