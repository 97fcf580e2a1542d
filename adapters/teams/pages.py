"""The three pages that the app's manifest names: what the bot is, what it keeps, and what holds for using it."""

from adapters.public_pages import SitePages, ask, helper_lines, page_of, retention_lines

COPIES = (
    "<b>Copies that were handed over</b>: long SQL and texts, and pictures of charts, which a link or an offer of a "
    "file leads to, for about a day; a link is good for an hour."
)


def write_pages(facts: SitePages) -> dict[str, str]:
    """Return the HTML of each page by its path."""
    return {
        "/": page_of("icc-bot", _about()),
        "/privacy": page_of("icc-bot: what it keeps", _kept(facts)),
        "/terms": page_of("icc-bot: what holds for using it", _terms(facts)),
    }


def _about() -> list[str]:
    return [
        "Write a question about your company's data to icc-bot in Teams, in your own words. It writes the SQL and "
        "shows it to you. Nothing runs before you press Run; then the rows come back as a table, with a chart, CSV and "
        "Excel beside it.",
        'Read <a href="/privacy">what it keeps</a>, and <a href="/terms">what holds for using it</a>.',
    ]


def _kept(facts: SitePages) -> list[str]:
    return [
        *retention_lines(facts, "Teams", "the chat or the team", COPIES),
        "What you write to the bot in Teams, and what it answers there, goes through Microsoft Teams like any other "
        "message of your company. The bot sends nothing anywhere else but what you have it send. These pages set no "
        "cookies and count nobody.",
        *helper_lines(facts),
    ]


def _terms(facts: SitePages) -> list[str]:
    return [
        "The SQL is written by an AI model, which makes mistakes. Read the SQL and the sentence that explains it "
        "before you press Run, and check results that matter before you rely on them.",
        "The bot reads only what your administrator allows. Ask it only for data that you may see, and handle the rows "
        "as your company's rules for that data say.",
        "Who asked, who approved and what ran is recorded.",
        "icc-bot is free software, under the licence that comes with it; it is given without any warranty.",
        ask(facts, "For anything else"),
    ]
