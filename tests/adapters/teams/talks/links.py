"""The links to files that the bot hands out."""

import json
import re
import urllib.error
import urllib.request
from urllib.parse import urlsplit

from tests.adapters.teams.talks.site import TeamsCompany
from tests.platforms.teams.world import Message

PUBLIC = "https://bot.example.com"


def opened(company: TeamsCompany, link: str) -> tuple[int, bytes]:
    """Fetch what a link leads to, from the bot's own port."""
    port = urlsplit(company.teams.bot_url).port
    try:
        with urllib.request.urlopen(link.replace(PUBLIC, f"http://127.0.0.1:{port}")) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def fetched(company: TeamsCompany, link: str) -> tuple[int, str]:
    """Fetch a text."""
    status, content = opened(company, link)
    return status, content.decode("utf-8-sig")


def links_in(message: Message) -> list[str]:
    """Return the addresses of files."""
    return re.findall(r"https://bot\.example\.com/files/[^\"]+", json.dumps(message.card))


def handed(company: TeamsCompany, table: Message) -> str:
    """Return the link that was handed out last where a result is shown, since then."""

    def newest() -> str:
        held = company.teams.messages(table.conversation, table.root or None, "bot")
        found = [link for each in held if int(each.id) > int(table.id) for link in links_in(each)]
        return found[-1] if found else ""

    return company.teams.wait(newest)


def file_of(company: TeamsCompany, table: Message, user: str, button: str = "CSV") -> str:
    """Press CSV, or another button, and return the link."""
    company.press(table, button, user)
    return handed(company, table)
