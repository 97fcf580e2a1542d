"""Pages for people who hear of the bot outside a chat, which platforms link to: their HTML, and what is kept."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

from aiohttp import web

STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;"
    "color:#1b1b1b;background:#fff}a{color:#1f4e5f}"
    "h1{line-height:1.2}.button{display:inline-block;padding:.6rem 1.2rem;border-radius:.4rem;text-decoration:none;"
    "font-weight:600;color:#fff;background:#1f4e5f}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}a{color:#8fc7da}"
    ".button{color:#10222a;background:#8fc7da}}"
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


HELP_NOTICE = (
    "Where the bot could not answer a question twice, or you ask for a human, people who help in your company are told "
    "who asks, the question, its SQL and what went wrong; never a row of a result."
)


@dataclass(frozen=True, slots=True)
class SitePages:
    """The facts that the pages tell of their bot; `days` and `unrated` are how long results and answers are kept.

    `company` is whose service the model is; empty if the company that runs the bot runs the model too.
    """

    contact: str = ""
    company: str = ""
    days: float = 7.0
    unrated: int = 30
    prompts: bool = False
    """True if what the model is told is written to files."""
    helped: bool = False
    """True if people are asked when the bot cannot help."""


def add_pages(site: web.Application, pages: Mapping[str, str]) -> None:
    """Serve pages by their paths: plain HTML, without scripts, cookies or anything from elsewhere."""
    for path, text in pages.items():

        async def page(request: web.Request, text: str = text) -> web.Response:
            return web.Response(text=text, content_type="text/html", charset="utf-8", headers=HEADERS)

        site.router.add_get(path, page)


def retention_lines(facts: SitePages, platform: str, gone: str, copies: str = "") -> list[str]:
    """Return what is said of what the bot keeps: of a talk until the app is `gone`, and which `copies` besides."""
    whose = (
        f"The model is a service of {escape(facts.company)}: what it is told leaves your company's own servers."
        if facts.company
        else "The model runs where your administrator has put it; no other company's service is asked."
    )
    logged = " What the model is told, and what it answers, is written to files on the bot's machine."
    return [
        "icc-bot runs on a machine of your company or of whoever runs it for you, and keeps all of this there:",
        f"<b>Each talk</b>: your name, e-mail address and id in {platform}, your questions, the SQL, and who approved "
        f"it. It is deleted when the app is taken out of {gone}.",
        f"<b>Results</b>: the rows that a query found, for {facts.days:g} days.",
        *([copies] if copies else []),
        f"<b>Answers</b>: the question, the SQL and the number of rows, for {facts.unrated} days or as long as the "
        "results, and longer where somebody rated them with a thumb.",
        "<b>The audit trail</b>: who asked for what SQL, who approved it, when it ran and how many rows it found. "
        "The bot never deletes it.",
        f"To write SQL, a model is told your question, the names of tables and columns and, where an administrator "
        f"allows it, a few values of columns; never the rows of a result. {whose}{logged if facts.prompts else ''}",
    ]


def helper_lines(facts: SitePages) -> list[str]:
    """Return what is said of people who hear of questions, and of whom to ask about what is kept."""
    return [*([HELP_NOTICE] if facts.helped else []), ask(facts, "To see or to delete what is kept of you")]


def ask(facts: SitePages, what: str) -> str:
    """Return whom to ask for something."""
    return f"{what}, ask {escape(facts.contact) or 'whoever runs icc-bot in your company'}."


def page_of(title: str, paragraphs: list[str]) -> str:
    """Return a page, with a link back to the first one."""
    body = "\n".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}\n"
        '<p><a href="/">icc-bot</a></p>\n</body>\n</html>\n'
    )
