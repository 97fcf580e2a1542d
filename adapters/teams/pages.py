"""The three pages that the app's manifest names: what the bot is, what it keeps, and what holds for using it."""

import base64
import hashlib
from dataclasses import dataclass
from html import escape
from typing import Final

from aiohttp import web

STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;"
    "color:#1b1b1b;background:#fff}a{color:#1f4e5f}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}a{color:#8fc7da}}"
)
_DIGEST: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
HEADERS: Final = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "public, max-age=3600",
}
"""Nothing is loaded, run, sent or framed."""


HELPED = (
    "Where the bot could not answer a question twice, or you ask for a human, people who help in your company are told "
    "who asks, the question, its SQL and what went wrong; never a row of a result."
)


@dataclass(frozen=True, slots=True)
class SitePages:
    """The facts that the pages tell of their bot; `days` and `unrated` are how long results and answers are kept.

    `company` is whose service the model is; empty where whoever runs the bot runs the model too.
    """

    contact: str = ""
    company: str = ""
    days: float = 7.0
    unrated: int = 30
    prompts: bool = False
    """True where what the model is told is written to files."""
    helped: bool = False
    """True where people are asked when the bot cannot help."""


def add_pages(site: web.Application, facts: SitePages) -> None:
    """Serve the pages of a bot: plain HTML, without scripts, cookies or anything from elsewhere."""
    for path, text in written(facts).items():

        async def page(request: web.Request, text: str = text) -> web.Response:
            return web.Response(text=text, content_type="text/html", charset="utf-8", headers=HEADERS)

        site.router.add_get(path, page)


def written(facts: SitePages) -> dict[str, str]:
    """Return the HTML of each page by its path."""
    return {
        "/": _page("icc-bot", _about()),
        "/privacy": _page("icc-bot: what it keeps", _kept(facts)),
        "/terms": _page("icc-bot: what holds for using it", _terms(facts)),
    }


def _about() -> list[str]:
    return [
        "Write a question about your company's data to icc-bot in Teams, in your own words. It writes the SQL and "
        "shows it to you. Nothing runs before you press Run; then the rows come back as a table, with a chart, CSV and "
        "Excel beside it.",
        'Read <a href="/privacy">what it keeps</a>, and <a href="/terms">what holds for using it</a>.',
    ]


def _kept(facts: SitePages) -> list[str]:
    whose = (
        f"The model is a service of {escape(facts.company)}: what it is told leaves your company's own servers."
        if facts.company
        else "The model runs where whoever runs this bot has put it; no other company's service is asked."
    )
    logged = " What the model is told, and what it answers, is written to files on the bot's machine."
    return [
        "icc-bot runs on a machine of your company or of whoever runs it for you, and keeps all of this there:",
        "<b>Each talk</b>: your name, e-mail address and id in Teams, your questions, the SQL, and who approved it. "
        "It is deleted when the app is taken out of the chat or the team.",
        f"<b>Results</b>: the rows that a query found, for {facts.days:g} days.",
        "<b>Copies that were handed over</b>: long SQL and texts, and pictures of charts, which a link or an offer of "
        "a file leads to, for about an hour where it is a link and for about a day where it is an offer.",
        f"<b>Answers</b>: the question, the SQL and the number of rows, for {facts.unrated} days or as long as the "
        "results, and longer where somebody rated them with a thumb.",
        "<b>The audit trail</b>: who asked for what SQL, who approved it, when it ran and how many rows it found. "
        "The bot never deletes it.",
        f"To write SQL, a model is told your question, the names of tables and columns and, where an administrator "
        f"allows it, a few values of columns; never the rows of a result. {whose}{logged if facts.prompts else ''}",
        "What you write to the bot in Teams, and what it answers there, goes through Microsoft Teams like any other "
        "message of your company. The bot sends nothing anywhere else but what you have it send. These pages set no "
        "cookies and count nobody.",
        *([HELPED] if facts.helped else []),
        _ask(facts, "To see or to delete what is kept of you"),
    ]


def _terms(facts: SitePages) -> list[str]:
    return [
        "The SQL is written by an AI model, which makes mistakes. Read the SQL and the sentence that explains it "
        "before you press Run, and check results that matter before you rely on them.",
        "The bot reads only what your administrator allows. Ask it only for data that you may see, and handle the rows "
        "as your company's rules for that data say.",
        "Who asked, who approved and what ran is recorded.",
        "icc-bot is free software, under the licence that comes with it; it is given without any warranty.",
        _ask(facts, "For anything else"),
    ]


def _ask(facts: SitePages, what: str) -> str:
    return f"{what}, ask {escape(facts.contact) or 'whoever runs icc-bot in your company'}."


def _page(title: str, paragraphs: list[str]) -> str:
    body = "\n".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}\n"
        '<p><a href="/">icc-bot</a></p>\n</body>\n</html>\n'
    )
