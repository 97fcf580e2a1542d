"""More than one person in a thread."""

import re

import pytest

from tests.adapters.slack.talks.house import REVENUE, House
from tests.platforms.slack import Message, words_of


def test_somebody_else_may_not_run(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """Run, pressed by somebody else, is refused to them alone and logged; the question stands for its asker."""
    caplog.set_level("INFO", "icc_bot")
    root = house.ask("revenue by region?")
    asked = house.shown(root, "Run this on")
    runs = house.runs()
    house.slack.press(asked, "Run", user="UBOB")
    assert "Ana started this conversation" in house.told("UBOB", "", after=asked).text
    assert f"slack:UBOB was refused in slack/T1/C1/{root.ts}" in caplog.text
    assert house.runs() == runs
    house.slack.press(house.shown(root, "Run this on"), "Run", user="UANA")
    house.shown(root, "CSV")
    assert house.runs() == runs + 1


def test_an_approver_runs_what_somebody_else_asked(house: House) -> None:
    """Whom connections.toml names by e-mail approves in somebody else's thread; the asker alone may not."""
    root = house.ask("revenue by region?", user="UOTTO")
    asked = house.shown(root, "Run this on Payroll")
    assert "carla@example.com" in words_of(asked.blocks)
    house.slack.press(asked, "Run", user="UOTTO")
    house.told("UOTTO", "You may not approve", after=asked)
    house.slack.press(house.shown(root, "Run this on"), "Run", user="UCARLA")
    house.shown(root, "CSV")
    decided = house.shown(root, "You asked")
    assert "Run · <@UCARLA>" in words_of(decided.blocks)
    decided_by = [(entry["event"], entry["approver"]) for entry in house.trail(root) if entry.get("approver")]
    assert decided_by[:2] == [("refused", "slack:UOTTO"), ("approved", "slack:UCARLA")]


def test_two_clicks_at_once(house: House) -> None:
    """Of two people who press Run at once, one wins, the query runs once, and the other is told who decided."""
    root = house.ask("revenue by region?", user="UOTTO")
    asked = house.shown(root, "Run this on Payroll")
    runs = house.runs()
    house.slack.press(asked, "Run", user="UCARLA")
    house.slack.press(asked, "Run", user="UCARLA")
    house.shown(root, "CSV")
    house.told("UCARLA", "answered that already", after=asked)
    assert house.runs() == runs + 1


def test_an_old_button_says_who_and_when(house: House) -> None:
    """A button that somebody still sees after the decision says who decided and when, and runs nothing."""
    root = house.ask("revenue by region?", user="UOTTO")
    asked = house.shown(root, "Run this on Payroll")
    before = asked.blocks
    house.slack.press(asked, "Run", user="UCARLA")
    table = house.shown(root, "CSV")
    runs = house.runs()
    house.slack.press(asked, "Run", user="UCARLA", blocks=before)
    told = house.told("UCARLA", "answered that already", after=table).text
    assert re.search(r"You answered that already, at \d\d:\d\d", told)
    house.slack.press(asked, "Run", user="UOTTO", blocks=before)
    told = house.told("UOTTO", "answered that already", after=table).text
    assert re.search(r"Carla answered that already, at \d\d:\d\d", told)
    assert house.runs() == runs


def test_an_approver_who_only_looks_into_the_channel(house: House) -> None:
    """Whom Slack cannot tell anything in a channel, as they have not joined it, is told in a direct message."""
    house.explained.add("user_not_in_channel")
    root = house.ask("revenue by region?", user="UANA", channel="C2")
    house.slack.press(house.shown(root, "Run this on"), "Run", user="UCARLA")
    told = house.slack.wait_message("UCARLA", "Ana started this conversation")
    assert "I cannot write" not in told.text


def test_the_sql_stays_readable_after_the_decision(house: House) -> None:
    """The decided message shows the SQL as it ran, and nothing to press."""
    root = house.ask("revenue by region?")
    house.slack.press(house.shown(root, "Run this on"), "Run", user="UANA")
    house.shown(root, "CSV")
    decided = house.shown(root, "You asked")
    assert "".join(REVENUE.split()) in "".join(words_of(decided.blocks).split())
    assert "actions" not in [block["type"] for block in decided.blocks]


def test_chatter_is_not_answered(house: House) -> None:
    """What bystanders write in the thread, to each other or to nobody, is not answered."""
    root = house.ask("revenue by region?")
    house.shown(root, "Run this on")
    house.slack.wait(lambda: house.slack.statuses[-1].status == "suspended")
    count, calls = len(house.slack.messages("C1", root)), len(house.slack.asked("chat.postMessage"))
    for words in ("yes", "stop", "How much is that in euros?", "SELECT 1"):
        house.slack.say("C1", words, user="UBOB", thread=root)
    to_bob = Message("C1", house.slack.world.ts(), "UANA", "<@UBOB> what do you think?", [], "T1", root.ts)
    house.slack.tell_said(house.slack.world.channels["C1"], to_bob)
    house.slack.wait_delivered()
    after = house.ask("revenue by region, please?", user="UBOB")
    house.shown(after, "Run this on")
    assert len(house.slack.messages("C1", root)) == count + 4
    assert len(house.slack.asked("chat.postMessage")) == calls + 1


def test_somebody_elses_mention_in_the_thread(house: House) -> None:
    """Who mentions the bot in somebody else's thread is told, alone, whose talk it is."""
    root = house.ask("revenue by region?")
    asked = house.shown(root, "Run this on")
    house.slack.say("C1", "and the customers?", user="UBOB", thread=root, mention=True)
    assert "Ana started this conversation" in house.told("UBOB", "", after=asked).text
    house.slack.press(house.shown(root, "Run this on"), "Run", user="UANA")
    house.shown(root, "CSV")


def test_somebody_of_another_workspace(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """A person of another workspace, in a shared channel, is refused, alone, and it is noted."""
    house.slack.team("T2", "Partner")
    house.slack.user("UEVE", "Eve", "ana@example.com", team="T2")
    house.slack.world.channels["C2"].members.add("UEVE")
    root = house.slack.say("C2", "revenue by region?", user="UEVE", mention=True)
    told = house.told("UEVE", "workspace", after=root)
    assert "people of this workspace only" in told.text
    assert "slack:UEVE was refused" in caplog.text
    assert [m for m in house.slack.messages("C2", root) if m.bot_id and not m.ephemeral_to] == []
