"""The pages of the bot's host: what it is and how to add it to Slack, what it keeps, and whom to ask."""

from adapters.public_pages import SitePages, ask, helper_lines, page_of, retention_lines

LINKS = 'Read <a href="/privacy">what it keeps</a>, and <a href="/support">where to get help</a>.'


def write_pages(facts: SitePages, install: str = "") -> dict[str, str]:
    """Return the HTML of each page by its path; `install` is where workspaces add the app, if they can."""
    return {
        "/": page_of("icc-bot", _about(install)),
        "/privacy": page_of("icc-bot: what it keeps", _kept(facts)),
        "/support": page_of("icc-bot: where to get help", _support(facts)),
    }


def _about(install: str) -> list[str]:
    return [
        "Ask your company's databases a question in Slack, in your own words. icc-bot writes the SQL and shows it to "
        "you. Nothing runs before you press Run; then the rows come back as a table in the thread, with a chart, CSV "
        "and Excel beside it.",
        "The SQL is written by an AI model, which makes mistakes. Read the SQL and the sentence that explains it "
        "before you press Run.",
        *([f'<a class="button" href="{install}">Add to Slack</a>'] if install else []),
        LINKS,
    ]


def _kept(facts: SitePages) -> list[str]:
    return [
        *retention_lines(facts, "Slack", "the workspace"),
        "What you write to the bot in Slack, what it answers and the files that it hands over stay in Slack, like any "
        "other message of your company. The bot sends nothing anywhere else but what you have it send. These pages "
        "set no cookies and count nobody.",
        "Whoever takes the app out of a workspace has all of this deleted but the audit trail, and the workspace's "
        "token with it.",
        *helper_lines(facts),
    ]


def _support(facts: SitePages) -> list[str]:
    return [
        "Type <b>help</b> to the bot, at any time: it tells what you can do where you are.",
        "Where it did not understand you, say it in other words, or press Rewrite below the SQL. Where it asks for "
        "a database that you miss, your administrator can add you to its readers.",
        ask(facts, "For anything else, and to have something deleted"),
        LINKS,
    ]
