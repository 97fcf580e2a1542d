"""Pictures of every kind of card in Slack, in Teams and on the page, to be compared before and after a change.

`uv run python -m tests.bench.card_pictures FOLDER [--on slack|teams|page]` plays the talks of
`tests/bench/whole_talks.py`, and some more, against the real adapters, and writes FOLDER/PLATFORM/CARD-WIDTH-THEME.png:
390 and 760 pixels wide, light and dark. Whole talks are there by the names of the talks.

It needs Chromium, and for Slack and Teams Node.js, with the packages that draw their cards:
`npm install --prefix tests/support/pictures --ignore-scripts --no-package-lock`. They show how a card looks, roughly;
whether a platform takes it is for `tests/platforms`.
"""

import argparse
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as BrowserError

from bot.commands.slack import SLACK_PAGE
from tests.adapters.web.browsing import Address, alive, chromium, context_of, served
from tests.bench.page_hand import Over, PageHand
from tests.bench.whole_talks import TALKS, SlackHand, TeamsHand, play, steps_of
from tests.parity.site import ParitySite
from tests.parity.slack import slack_stage
from tests.parity.teams import teams_stage
from tests.platforms.ollama import Ollama
from tests.platforms.slack.world import Message as SlackMessage
from tests.platforms.teams.world import Message as TeamsMessage
from tests.support.mail_servers import SENDER, post_office
from tests.support.shop import write_connections
from tests.support.transcript import Step

TOOLS = Path(__file__).parents[1] / "support" / "pictures"
FETCH = f"npm install --prefix {TOOLS.relative_to(TOOLS.parents[2])} --ignore-scripts --no-package-lock"
WIDTHS = (390, 760)
THEMES = ("light", "dark")

LONG = (
    "SELECT c.name, r.name AS region, COUNT(o.id) AS orders, SUM(CASE WHEN o.status = 'paid' THEN o.total ELSE 0 END) "
    "AS paid, SUM(CASE WHEN o.status = 'open' THEN o.total ELSE 0 END) AS open, MAX(o.ordered_on) AS last_order "
    "FROM customers c JOIN regions r ON r.id = c.region_id LEFT JOIN orders o ON o.customer_id = c.id "
    "WHERE o.ordered_on >= '2026-01-01' AND r.name IN ('North', 'South') GROUP BY c.name, r.name "
    "HAVING COUNT(o.id) > 0 ORDER BY paid DESC LIMIT 25"
)
MANY = (
    "SELECT n.n AS number, c.name AS customer, r.name AS region, o.ordered_on, o.status, o.total FROM numbers n "
    "JOIN orders o ON o.id = n.n % 8 + 1 JOIN customers c ON c.id = o.customer_id JOIN regions r ON r.id = c.region_id"
)
MORE_TALKS = {
    "greeting and help": """
@connections shop, archive
> hello
@shot greeting
> help
@shot help
""",
    "help below rows": """
@connections shop
> SELECT id, name FROM regions
@press yes
> help
@shot help-rows 2
""",
    "clarify": """
@connections outlet
> revenue by region and size
@shot clarify
""",
    "plan": """
@connections shop
> every Monday at 8 mail the open orders to ops@example.com as csv
@shot plan
""",
    "many rows": f"""
@connections shop
> {MANY}
@press yes
@shot rows-many
""",
    "no rows": """
@connections shop
> SELECT id, total FROM orders WHERE status = 'lost'
@press yes
@shot rows-none
""",
    "long SQL": f"""
@connections shop
@model {LONG}
> What did each customer pay, and what is open?
@shot sql-long
""",
    "own SQL that does not run": """
@connections shop
> SELECT cityname FROM customers
@shot sql-own-problem
""",
    "SQL that does not run": """
@connections shop
@model SELECT cityname FROM customers
@model SELECT cityname FROM customers
@model SELECT cityname FROM customers
> how many customers are there?
@shot sql-problem
""",
    "write into a table that is there": """
@connections shop, backup
> SELECT id, name FROM regions
@press menu:shop | shop
@press yes
@press write
@shot write-form
@fill? table=places
@shot write-columns
@fill? c0= & c1=name
@shot write-into
""",
}
"""Cards that are in none of the ten talks."""

Shots = dict[str, list[Any]]
"""The messages of each picture, as the renderer takes them."""

Player = Callable[[str, list[Step], Callable[[str], None]], None]


def wanted(shot: str) -> tuple[str, int]:
    """Return the name of a shot, and how many of the last messages are on it."""
    name, _, count = shot.partition(" ")
    return name, int(count or 1)


def every_talk() -> dict[str, list[Step]]:
    """Return the steps of all talks that are pictured."""
    return {name: steps_of(name, {**TALKS, **MORE_TALKS}) for name in (*TALKS, *MORE_TALKS)}


def file_name(title: str) -> str:
    """Return the name of a picture."""
    return re.sub(r"\W+", "-", title.casefold()).strip("-")


def person_of(id: str) -> str:
    """Return the name of a person of the talks."""
    return id.rstrip("0123456789").title()


def played(name: str, steps: list[Step], hand: SlackHand | TeamsHand | PageHand, shot: Callable[[str], None]) -> None:
    """Play a talk as far as it goes; what stops it is printed."""
    try:
        play(steps, hand, shot)
    except Over:
        pass
    except (AssertionError, TimeoutError, BrowserError) as problem:
        print(f"{name}: the talk cannot be played to its end: {problem}")


# Slack.


def slack_shots(folder: Path) -> Shots:
    """Play all talks in Slack."""
    shots: Shots = {}
    with slack_stage(folder, True, page=SLACK_PAGE) as stage:
        for name, steps in every_talk().items():
            hand = SlackHand(*stage)
            played(name, steps, hand, lambda shot, hand=hand: _see_slack(hand, shot, shots))  # type: ignore[misc]
            for view in hand.slack.views:
                hand.slack.close(view)
            said = [each for each in hand.said() if each.edits]
            if said and "progress" not in shots:
                shots["progress"] = [_slack(said[0], said[0].edits[0][1])]
            channel = hand.root.channel if hand.root else "C1"
            shots[f"talk-{file_name(name)}"] = [_slack(each) for each in hand.slack.messages(channel, hand.root)]
        hand.slack.open_home(hand.me)
        home = hand.slack.wait(lambda: hand.slack.home(hand.me))
        assert home
        shots["home"] = [{"name": "icc-bot", "blocks": home.blocks}]
    return shots


def _see_slack(hand: SlackHand, shot: str, shots: Shots) -> None:
    name, count = wanted(shot)
    shots[name] = [_slack(each) for each in hand.said()[-count:]]
    if hand.view and hand.view.open and hand.fields():
        shots[f"{name}-modal"] = [{"name": f"{hand.view.title} (a form)", "blocks": hand.view.blocks}]


def _slack(message: SlackMessage, blocks: list[Any] | None = None) -> dict[str, Any]:
    shown = list(message.blocks if blocks is None else blocks)
    lines = [message.text] * (not shown) + [f"📎 {file.name}" for file in message.files]
    shown += [{"type": "section", "text": {"type": "mrkdwn", "text": line}} for line in lines if line]
    return {"name": "icc-bot" if message.bot_id else person_of(message.user.removeprefix("U")), "blocks": shown}


def draw_slack(browser: Browser, shots: Shots, folder: Path) -> None:
    """Write the pictures of Slack."""
    with tempfile.TemporaryDirectory() as room:
        given = Path(room, "shots.json")
        given.write_text(json.dumps(shots), encoding="utf-8")
        command = ["node", str(TOOLS / "slack.cjs"), str(given)]
        made = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    page = context_of(browser).new_page()
    for name, pages in json.loads(made.stdout).items():
        for theme in THEMES:
            page.set_content(pages[theme])
            _take(page, folder / "slack", name, theme)


# Teams.


def teams_shots(folder: Path) -> Shots:
    """Play all talks in Teams."""
    shots: Shots = {}
    with teams_stage(folder, True) as stage:
        for name, steps in every_talk().items():
            hand = TeamsHand(*stage)
            played(name, steps, hand, lambda shot, hand=hand: _see_teams(hand, shot, shots))  # type: ignore[misc]
            said = [each for each in hand.said() if each.edits]
            if said and "progress" not in shots:
                shots["progress"] = [_teams(said[0], said[0].edits[0])]
            where = hand.root.conversation if hand.root else "General"
            shots[f"talk-{file_name(name)}"] = [_teams(each) for each in hand.teams.messages(where, hand.root)]
    return shots


def _see_teams(hand: TeamsHand, shot: str, shots: Shots) -> None:
    name, count = wanted(shot)
    shots[name] = [_teams(each) for each in hand.said()[-count:]]


def _teams(message: TeamsMessage, activity: dict[str, Any] | None = None) -> dict[str, Any]:
    shown = message.activity if activity is None else activity
    cards = [each["content"] for each in shown.get("attachments") or [] if "AdaptiveCard" in str(each.get("content"))]
    text = "" if cards else unescape(re.sub(r"</?at>", "", str(shown.get("text") or "")))
    name = "icc-bot" if message.from_bot else person_of(message.by)
    return {"name": name, "text": text, "card": cards[0] if cards else None}


def draw_teams(browser: Browser, shots: Shots, folder: Path) -> None:
    """Write the pictures of Teams."""
    page = context_of(browser).new_page()
    page.set_content('<!doctype html><meta charset="utf-8"><body></body>')
    page.add_script_tag(path=str(TOOLS / "node_modules/adaptivecards/dist/adaptivecards.js"))
    page.add_script_tag(path=str(TOOLS / "teams.js"))
    for name, messages in shots.items():
        for theme in THEMES:
            page.evaluate("([messages, theme]) => show(messages, theme)", [messages, theme])
            _take(page, folder / "teams", name, theme)


# The page.


def picture_page(browser: Browser, folder: Path) -> None:
    """Play all talks on the page, and write its pictures; a bot serves all talks about the same databases."""
    talks: dict[str, list[tuple[str, list[Step]]]] = {}
    for name, steps in every_talk().items():
        talks.setdefault(next(each.rest for each in steps if each.word == "connections"), []).append((name, steps))
    for databases, group in talks.items():
        with ExitStack() as stack:
            room = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            model = stack.enter_context(Ollama(script=lambda prompt: "No answer was prepared."))
            post = stack.enter_context(post_office())
            environment = {
                "ICC_BOT_HOME": str(room / "home"),
                "ICC_BOT_CONNECTIONS": str(write_connections(room, databases.split(", "))),
                "ICC_BOT_EMAIL": "ana@example.com",
                "OLLAMA_BASE_URL": model.url,
                "SQL_MODEL_NAME": "qwen2.5-coder:7b",
                "SMTP_URL": f"smtp://localhost:{post.port}?starttls=no",
                "EMAIL_FROM": SENDER,
            }
            command = ("-m", "bot", "web", "--no-browser", "--port", "0")
            address, _ = stack.enter_context(served(*command, **environment))
            for name, steps in group:
                _picture_talk(browser, address, ParitySite(room, model, post, True), folder, name, steps)


def _picture_talk(
    browser: Browser, address: Address, site: ParitySite, folder: Path, name: str, steps: list[Step]
) -> None:
    context = context_of(browser, viewport={"width": WIDTHS[-1], "height": 640})
    page = alive(context, address)

    def working() -> None:
        if not (folder / "page" / f"progress-{WIDTHS[0]}-light.png").exists():
            _take(page, folder / "page", "progress")

    def see(shot: str) -> None:
        title, count = wanted(shot)
        hidden = f".entries > :nth-last-child(n + {count + 1}) {{display: none}}"
        page.evaluate("css => document.head.append(Object.assign(document.createElement('style'), "
                      "{id: 'shot', textContent: css}))", hidden)  # fmt: skip
        _take(page, folder / "page", title)
        page.evaluate("document.getElementById('shot').remove()")

    if name == next(iter(TALKS)):
        _take(page, folder / "page", "home")
    played(name, steps, PageHand(page, site, working), see)
    _take(page, folder / "page", f"talk-{file_name(name)}")
    context.close()


# Pictures.


def _take(page: Page, folder: Path, name: str, theme: str = "") -> None:
    """Write a picture of each width; in both themes, where the page has them itself."""
    before = page.viewport_size
    for each in (theme,) if theme else THEMES:
        if not theme:
            page.emulate_media(color_scheme="dark" if each == "dark" else "light")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 200 if theme else 640})
            if not theme:  # the real page has a head that stays in sight
                page.evaluate("scrollTo(0, 0)")
                page.wait_for_timeout(100)
            page.screenshot(path=folder / f"{name}-{width}-{each}.png", full_page=True, animations="disabled")
    if before:
        page.set_viewport_size(before)


def main() -> None:
    """Write the pictures, and say in a sentence what cannot be drawn."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.card_pictures")
    options.add_argument("folder", type=Path)
    options.add_argument("--on", choices=["slack", "teams", "page"], action="append", help="this platform only")
    given = options.parse_args()
    on = given.on or ["slack", "teams", "page"]
    if "slack" in on and shutil.which("node") is None:
        on.remove("slack")
        print("Slack's cards are not drawn: there is no Node.js on this machine.")
    if set(on) & {"slack", "teams"} and not (TOOLS / "node_modules").is_dir():
        on = [each for each in on if each == "page"]
        print(f"The cards of Slack and Teams are not drawn, as the packages for that are not there. Run: {FETCH}")
    try:
        with chromium() as browser:
            for platform in on:
                _picture(browser, platform, given.folder)
    except pytest.skip.Exception as nothing:
        print(f"Nothing is drawn: there is {nothing}.")


def _picture(browser: Browser, platform: str, folder: Path) -> None:
    if platform == "page":
        picture_page(browser, folder)
        return
    shots, draw = (slack_shots, draw_slack) if platform == "slack" else (teams_shots, draw_teams)
    with tempfile.TemporaryDirectory() as room:
        seen = shots(Path(room))
    draw(browser, seen, folder)


if __name__ == "__main__":
    main()
