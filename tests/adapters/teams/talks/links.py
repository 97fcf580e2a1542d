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


def links_in(message: Message) -> list[str]:
    """Return the addresses of files."""
    return re.findall(r"https://bot\.example\.com/files/[^\"]+", json.dumps(message.card))


def handed(town: Town, table: Message) -> str:
    """Return the link that was handed out last where a result is shown, since then."""

    def newest() -> str:
        held = town.teams.messages(table.conversation, table.root or None, "bot")
        found = [link for each in held if int(each.id) > int(table.id) for link in links_in(each)]
        return found[-1] if found else ""

    return town.teams.wait(newest)


def file_of(town: Town, table: Message, user: str, button: str = "CSV") -> str:
    """Press CSV, or another button, and return the link."""
    town.press(table, button, user)
    return handed(town, table)
