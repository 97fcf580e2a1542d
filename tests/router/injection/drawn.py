"""What the platforms would draw of a reply, and what in it would call people, lead elsewhere or do something."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from adapters.slack.blocks import draw as slack
from adapters.teams.cards import draw as teams
from adapters.web.cards import html_of
from adapters.web.code import highlighted
from router.cards import Code, Reply, Text
from router.memory.thread import ThreadKey

_MARKS = re.compile(r"<[!@#]|<\w+:")
"""What Slack reads as a call to people, or as a link, wherever it stands."""

_CALLS = re.compile(r"://|@(?:here|channel|everyone)\b", re.IGNORECASE)
"""What it may take for one outside of code."""

_CODE = re.compile(r"```\n.*?\n```", re.DOTALL)

_LEADS = re.compile(r"(?<!\\)\]\(|<|://|\bwww\.|(?<!\u2060)@\w", re.IGNORECASE)
"""What Teams reads as a link or a person in Markdown, and as a tag."""

_TAGS = re.compile(r"</?(?:code|strong)>|</?span(?: class=\"[\w ]+\")?>")
_SLACK, _TEAMS = ThreadKey("slack", "T1", "C1", "1.1"), ThreadKey("teams", "t", "19:a@thread.tacv2;messageid=1", "")


@cache
def alarms(reply: Reply) -> tuple[str, ...]:
    """Return what is wrong in what the platforms draw, with where; nothing if all of it is plain text."""
    return (*_slack(reply), *_teams(reply), *_page(reply))


def _slack(reply: Reply) -> Iterator[str]:
    for rich in (True, False):
        drawn = slack(reply, _SLACK, rich)
        read = [drawn.text, *(each["text"] for each in _objects(drawn.blocks) if each.get("type") == "mrkdwn")]
        yield from (f"slack: {text}" for text in read if _MARKS.search(text) or _CALLS.search(_CODE.sub("", text)))
        for each in _objects(drawn.blocks):
            if each.get("type") in ("image", "link", "user", "usergroup", "broadcast", "channel") or "url" in each:
                yield f"slack: {each}"


def _teams(reply: Reply) -> Iterator[str]:
    drawn = teams(reply, _TEAMS)
    if _LEADS.search(drawn.text):
        yield f"teams: {drawn.text}"
    for each in _objects(drawn.card):
        if each.get("type") in ("TextBlock", "Image", "Media", "Action.OpenUrl", "mention") or "url" in each:
            yield f"teams: {each}"
        if re.search(r"\{\{(?:DATE|TIME)\(", str(each.get("text", ""))):
            yield f"teams: {each}"


def _page(reply: Reply) -> Iterator[str]:
    """Look at what becomes HTML; all else on the page is set as text."""
    for card in reply.cards:
        match card:
            case Text(body):
                html = html_of(body)
            case Code(body, language=language):
                html = highlighted(body, language)
            case _:
                continue
        if "<" in _TAGS.sub("", html):
            yield f"page: {html}"


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a message."""
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from _objects(each)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _objects(part)
