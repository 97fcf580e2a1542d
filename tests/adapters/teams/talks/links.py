"""The links to files that the bot hands out."""

import json
import re
import urllib.error
import urllib.request
from urllib.parse import urlsplit

from tests.adapters.teams.talks.house import Town
from tests.platforms.teams import Message

PUBLIC = "https://bot.example.com"


def opened(town: Town, link: str) -> tuple[int, bytes]:
    """Fetch what a link leads to, from the bot's own port."""
    port = urlsplit(town.teams.bot_url).port
    try:
        with urllib.request.urlopen(link.replace(PUBLIC, f"http://127.0.0.1:{port}")) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def fetched(town: Town, link: str) -> tuple[int, str]:
    """Fetch a text."""
    status, content = opened(town, link)
    return status, content.decode("utf-8-sig")


def link_in(message: Message) -> str:
    """Return the address of a file."""
    found = re.search(r"https://bot\.example\.com/files/[^\"]+", json.dumps(message.card))
    assert found
    return found[0]


def file_of(town: Town, table: Message, user: str, button: str = "CSV") -> str:
    """Press CSV, or another button, and return the link."""
    town.press(table, button, user)
    return link_in(town.teams.wait_message(table.conversation, "Download", after=table))
