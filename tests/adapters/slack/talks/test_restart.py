"""Talks that go on with another process."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from tests.adapters.slack.talks.site import REVENUE, SlackSite, buttons_in, founded
from tests.platforms.ollama import Answer
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.world import Message
from tests.support.slack_bot import environment

INTERRUPTED = "I was interrupted while I was at this step"
SLOW = "SELECT SUM(a.n * b.n + c.n * d.n + e.n) AS s FROM numbers a, numbers b, numbers c, numbers d, numbers e"


def test_every_question_that_waits_is_answered_after_a_restart(tmp_path: Path) -> None:
    """Buttons, menus, forms and questions of one process are taken by the next."""
    with founded(tmp_path / "site") as company:
        slack = company.slack
        with company.at_work() as site:
            approval, edit = site.ask("revenue by region?"), site.ask("revenue by region, edited?")
            paged, menu, need = (
                site.ask("SELECT id FROM measurements", user="ULARS"),
                site.ask("How many stools?", user="UMIA"),
                site.ask("hello"),
            )
            slack.press(site.shown(edit, "Run on"), "Edit", user="UANA")
            view = slack.wait_view()
            slack.press(site.shown(paged, "Run on"), "Run", user="ULARS")
            site.shown(paged, "CSV")
            site.shown(menu, "Which database is it about?")
            slack.press(site.shown(need, "Write it for me"), "Write it for me", user="UANA")
            site.shown(need, "What would you like to know?")
            site.shown(approval, "Run on")
            site.require_sound(0, 0, 0)
        # What Slack tells of the bot's own messages while the socket closes is acknowledged by nobody.
        acks = len(slack.acks)
        with company.at_work() as site:
            slack.press(site.shown(approval, "Run on"), "Run", user="UANA")
            site.shown(approval, "CSV")
            assert slack.submit(view, {"sql": "SELECT name FROM regions"}) is None
            site.shown(edit, "Run on")
            slack.press(site.shown(paged, "CSV"), "Next", user="ULARS")
            site.shown(paged, "rows 101 to 200")
            slack.choose(site.shown(menu, "Which database is it about?"), "Choose", "Archive", user="UMIA")
            site.shown(menu, "Which schema is it about?")
            slack.say("C1", "revenue by region, at last?", user="UANA", thread=need)
            site.shown(need, "Run on")
            site.require_sound(0, 0, acks)


def test_an_approval_that_comes_too_late(tmp_path: Path) -> None:
    """SQL that waited longer than it may is shown again in place of being run."""
    with founded(tmp_path / "site") as company, company.at_work(ICC_BOT_APPROVAL_HOURS="0.000000001") as site:
        root = site.ask("revenue by region?")
        asked = site.shown(root, "Run on")
        site.idle(root, turns=1)
        site.slack.press(asked, "Run", user="UANA")
        site.told("UANA", "waited too long", after=asked)
        assert site.runs() == 0
        again = site.shown(root, "This is where we are")
        assert "Run on Shop" in buttons_in(again)


def alive(town_environment: dict[str, str]) -> subprocess.Popen[str]:
    """Start the real program, and return it once it is at work."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("ICC_", "SLACK_", "PORT"))}
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "slack"], env=clean | town_environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    while "at work" not in (line := process.stdout.readline()):
        assert line, "the program ended"
    return process


def said(site: SlackSite, root: Message, words: str) -> int:
    """Return how many messages of the thread show these words."""
    return sum(words in words_of(m.blocks) for m in site.slack.messages("C1", root) if m.bot_id)


@pytest.mark.thorough
def test_a_kill_is_owned_up_to(tmp_path: Path) -> None:
    """After kill -9, SQL that was being written is written again; a query is not run again, and that is said."""
    with founded(tmp_path / "site") as company:
        slack, event = company.slack, Event()
        company.slow["slowly"] = Answer(REVENUE, waits=event)
        process = alive(environment(company.folder, slack, company.model, "socket"))
        try:
            slack.wait_socket()
            questions = ("revenue by region, slowly?", SLOW)
            writing, running = (slack.say("C1", words, "UANA", mention=True) for words in questions)
            slack.press(slack.wait_message("C1", "Run on", thread=running), "Run", user="UANA")
            slack.wait_message("C1", "Running the query", thread=running)
            slack.wait_message("C1", "Writing the SQL", thread=writing)
            # The query itself is begun by another thread than the one that says so.
            slack.wait(lambda: "started" in (company.folder / "home" / "audit.jsonl").read_text())
        finally:
            process.send_signal(signal.SIGKILL)
            process.communicate()
        event.set()
        company.slow.clear()
        for _ in range(2):
            with company.at_work() as site:
                site.shown(running, INTERRUPTED)
                site.shown(writing, "Run on Shop")
                for root in (writing, running):
                    site.idle(root, turns=1)
                slack.wait_delivered()
        assert said(site, writing, INTERRUPTED) == 0
        assert said(site, running, INTERRUPTED) == 1
        for root in (writing, running):
            assert said(site, root, "Running the query…") + said(site, root, "Writing the SQL…") == 0
        assert [entry["event"] for entry in site.trail(running)].count("started") == 1
        assert [entry["event"] for entry in site.trail(running)].count("interrupted") == 1
        with company.at_work() as site:
            slack.press(site.shown(writing, "Run on Shop"), "Run on Shop", user="UANA")
            site.shown(writing, "CSV")
