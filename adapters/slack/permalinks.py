"""Links to messages of Slack in what people write: each stands for the talk in its thread."""

import asyncio
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qs, urlsplit

from adapters.slack.mrkdwn import closed
from router.engine import Router
from router.memory.draft import User
from router.memory.thread import ThreadKey

_LINK: Final = re.compile(
    r"""(?<!['"`])(?<!['"`]<)<?(?P<url>https://(?:[a-z0-9-]+\.)*slack(?:-gov)?\.com/
        archives/(?P<channel>[CDG][A-Z0-9]+)/p(?P<ts>\d{5,})(?P<micro>\d{6})[^\s<>|]*)(?:\|[^<>]*)?>?""",
    re.VERBOSE | re.IGNORECASE,
)
"""A link as Slack writes it into a text: in angle brackets, and a label may stand behind it.

In quotes, it is a value of SQL or code, which is left as it is.
"""


def linked(text: str, team: str) -> list[ThreadKey]:
    """Return the threads that a text links to."""
    return [_thread(link, team) for link in _LINK.finditer(text)]


def with_questions(text: str, team: str, asked: Mapping[ThreadKey, str]) -> str:
    """Return the text, each link to a thread replaced by what was asked there; without a question, it is left out."""
    return _LINK.sub(lambda link: closed(asked.get(_thread(link, team), "")), text)


async def asked_behind(router: Router, text: str, team: str, user: User) -> dict[ThreadKey, str]:
    """Return what this person asked last in each thread that a text links to; what others asked is not told."""

    def found() -> dict[ThreadKey, str]:
        memories = {key: router.memory(key) for key in links}
        return {key: m.draft.question for key, m in memories.items() if m and m.owner and m.owner.id == user.id}

    links = linked(text, team)
    return await asyncio.to_thread(found) if links else {}


def _thread(link: re.Match[str], team: str) -> ThreadKey:
    given = parse_qs(urlsplit(link["url"].replace("&amp;", "&")).query)
    return ThreadKey("slack", team, link["channel"], given.get("thread_ts", [f"{link['ts']}.{link['micro']}"])[0])
