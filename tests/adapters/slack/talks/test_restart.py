"""Talks that go on with another process."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event

from tests.adapters.slack.talks.house import REVENUE, House, founded
from tests.platforms.ollama import Answer
from tests.platforms.slack import Message, words_of
from tests.slack_bot import environment

SLOW = "SELECT SUM(a.n * b.n + c.n * d.n + e.n) AS s FROM numbers a, numbers b, numbers c, numbers d, numbers e"


def test_every_question_that_waits_is_answered_after_a_restart(tmp_path: Path) -> None:
    """Buttons, menus, forms and questions of one process are taken by the next."""
    with founded(tmp_path / "house") as town:
        slack = town.slack
        with town.at_work() as house:
            approval, edit = house.ask("revenue by region?"), house.ask("revenue by region, edited?")
            paged, menu, need = (
                house.ask("SELECT id FROM measurements", user="ULARS"),
                house.ask("How many stools?", user="UMIA"),
                house.ask("hello"),
            )
            slack.press(house.shown(edit, "Run this on"), "Edit", user="UANA")
            view = slack.wait_view()
            slack.press(house.shown(paged, "Run this on"), "Run", user="ULARS")
            house.shown(paged, "CSV")
            house.shown(menu, "Which database is it about?")
            slack.press(house.shown(need, "Write it for me"), "Write it for me", user="UANA")
            house.shown(need, "What would you like to know?")
            house.shown(approval, "Run this on")
            slack.wait_delivered()
        with town.at_work() as house:
            slack.press(house.shown(approval, "Run this on"), "Run", user="UANA")
            house.shown(approval, "CSV")
            assert slack.submit(view, {"sql": "SELECT name FROM regions"}) is None
            house.shown(edit, "Run this on")
            slack.press(house.shown(paged, "CSV"), "Next", user="ULARS")
            house.shown(paged, "rows 101 to 200")
            slack.choose(house.shown(menu, "Which database is it about?"), "Choose", "Archive", user="UMIA")
            house.shown(menu, "Which schema is it about?")
            slack.say("C1", "revenue by region, at last?", user="UANA", thread=need)
            house.shown(need, "Run this on")
            house.demand_sound(0, 0, 0)


def test_an_approval_that_comes_too_late(tmp_path: Path) -> None:
    """SQL that waited longer than it may is shown again in place of being run."""
    with founded(tmp_path / "house") as town, town.at_work(ICC_BOT_APPROVAL_HOURS="0.000000001") as house:
        root = house.ask("revenue by region?")
        asked = house.shown(root, "Run this on")
        house.idle(root, turns=1)
        house.slack.press(asked, "Run", user="UANA")
        house.told("UANA", "waited too long", after=asked)
        assert house.runs() == 0
        assert "Run this on" in words_of(house.shown(root, "You asked").blocks)


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


def said(house: House, root: Message, words: str) -> int:
    """Return how many messages of the thread show these words."""
    return sum(words in words_of(m.blocks) for m in house.slack.messages("C1", root) if m.bot_id)


def test_a_kill_is_owned_up_to(tmp_path: Path) -> None:
    """After kill -9, the next process says by itself, once, what was interrupted; nothing runs twice."""
    with founded(tmp_path / "house") as town:
        slack, event = town.slack, Event()
        town.slow["slowly"] = Answer(REVENUE, waits=event)
        process = alive(environment(town.folder, slack, town.model, "socket"))
        try:
            slack.wait_socket()
            writing, running = (slack.say("C1", words, "UANA", mention=True) for words in ("revenue, slowly?", SLOW))
            slack.press(slack.wait_message("C1", "Run this on", thread=running), "Run", user="UANA")
            slack.wait_message("C1", "Running the query", thread=running)
            slack.wait_message("C1", "Writing the SQL", thread=writing)
            # The query itself is begun by another thread than the one that says so.
            slack.wait(lambda: "started" in (town.folder / "home" / "audit.jsonl").read_text())
        finally:
            process.send_signal(signal.SIGKILL)
            process.communicate()
        event.set()
        town.slow.clear()
        prompts = len(town.model.history)
        for _ in range(2):
            with town.at_work() as house:
                for root in (writing, running):
                    house.shown(root, "I was interrupted at this step")
                    house.idle(root, turns=1)
                slack.wait_delivered()
        assert len(town.model.history) == prompts
        for root in (writing, running):
            assert said(house, root, "I was interrupted at this step") == 1
            assert said(house, root, "Running the query…") + said(house, root, "Writing the SQL…") == 0
        assert [entry["event"] for entry in house.trail(running)].count("started") == 1
        assert [entry["event"] for entry in house.trail(running)].count("interrupted") == 1
        with town.at_work() as house:
            slack.press(house.shown(writing, "Put it in other words"), "Ask it again", user="UANA")
            house.shown(writing, "Run this on")
