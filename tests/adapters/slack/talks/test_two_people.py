"""More than one person in a thread."""

import re

import pytest

from tests.adapters.slack.talks.site import REVENUE, SlackSite, buttons_in, revealed
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.world import Message


def test_somebody_else_may_not_run(site: SlackSite, caplog: pytest.LogCaptureFixture) -> None:
    """Run, pressed by somebody else, is refused to them alone and logged; the question stands for its asker."""
    caplog.set_level("INFO", "icc_bot")
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run on")
    runs = site.runs()
    site.slack.press(asked, "Run", user="UBOB")
    assert "Ana started this conversation" in site.told("UBOB", "", after=asked).text
    assert f"slack:UBOB was refused in slack/T1/C1/{root.ts}" in caplog.text
    site.idle(root, turns=1)
    shown = [each.status for each in site.slack.statuses if each.thread == root.ts]
    assert ["processing", "suspended"] == shown
    assert site.runs() == runs
    site.slack.press(site.shown(root, "Run on"), "Run", user="UANA")
    site.shown(root, "CSV")
    assert site.runs() == runs + 1


def test_an_approver_runs_what_somebody_else_asked(site: SlackSite) -> None:
    """Whom connections.toml names by e-mail approves in somebody else's thread; the asker alone may not."""
    root = site.ask("revenue by region?", user="UOTTO")
    asked = site.shown(root, "Run on Payroll")
    assert "Waiting for <@UCARLA> to approve" in words_of(asked.blocks)
    site.slack.press(asked, "Run", user="UOTTO", blocks=revealed(asked))
    site.told("UOTTO", "You can't approve", after=asked)
    site.slack.press(site.shown(root, "Run on"), "Run", user="UCARLA")
    site.shown(root, "CSV")
    assert "Run on Payroll · <@UCARLA>" in words_of(asked.blocks)
    decided_by = [(entry["event"], entry["approver"]) for entry in site.trail(root) if entry.get("approver")]
    assert decided_by[:2] == [("refused", "slack:UOTTO"), ("approved", "slack:UCARLA")]


def test_a_card_stays_good_after_those_pressed_who_may_not(site: SlackSite) -> None:
    """An approver runs it by the very card that they saw first, whoever pressed meanwhile."""
    root = site.ask("revenue by region?", user="UOTTO")
    asked = site.shown(root, "Run on Payroll")
    before, runs = revealed(asked), site.runs()
    for user, words in (("UOTTO", "You can't approve"), ("UBOB", "Otto started this conversation")):
        site.slack.press(asked, "Run", user=user, blocks=before)
        site.told(user, words, after=asked)
    site.slack.press(asked, "Run", user="UCARLA", blocks=before)
    site.shown(root, "CSV")
    assert site.runs() == runs + 1


def test_two_clicks_at_once(site: SlackSite) -> None:
    """Of two people who press Run at once, one wins, the query runs once, and the other is told who decided."""
    root = site.ask("revenue by region?", user="UOTTO")
    asked = site.shown(root, "Run on Payroll")
    runs = site.runs()
    site.slack.press(asked, "Run", user="UCARLA")
    site.slack.press(asked, "Run", user="UCARLA")
    site.shown(root, "CSV")
    site.told("UCARLA", "answered that already", after=asked)
    assert site.runs() == runs + 1


def test_an_old_button_says_who_and_when(site: SlackSite) -> None:
    """A button that somebody still sees after the decision says who decided and when, and runs nothing."""
    root = site.ask("revenue by region?", user="UOTTO")
    asked = site.shown(root, "Run on Payroll")
    before = revealed(asked)
    site.slack.press(asked, "Run", user="UCARLA")
    table = site.shown(root, "CSV")
    runs = site.runs()
    site.slack.press(asked, "Run", user="UCARLA", blocks=before)
    told = site.told("UCARLA", "answered that already", after=table).text
    assert re.search(r"You answered that already, at \d\d:\d\d", told)
    site.slack.press(asked, "Run", user="UOTTO", blocks=before)
    told = site.told("UOTTO", "answered that already", after=table).text
    assert re.search(r"Carla answered that already, at \d\d:\d\d", told)
    assert site.runs() == runs


def test_an_approver_who_only_looks_into_the_channel(site: SlackSite) -> None:
    """Whom Slack cannot tell anything in a channel, as they have not joined it, is told in a direct message."""
    site.explained.add("user_not_in_channel")
    root = site.ask("revenue by region?", user="UANA", channel="C2")
    site.slack.press(site.shown(root, "Run on"), "Run", user="UCARLA")
    told = site.slack.wait_message("UCARLA", "Ana started this conversation")
    assert "I cannot write" not in told.text


def test_the_sql_stays_readable_after_the_decision(site: SlackSite) -> None:
    """The decided message shows the SQL as it ran; what can be pressed is about its rows, or nothing."""
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run on")
    site.slack.press(asked, "Run", user="UANA")
    assert site.shown(root, "CSV").ts == asked.ts
    assert "".join(REVENUE.split()) in "".join(words_of(asked.blocks).split())
    assert ["Chart", "CSV", "Excel"] == buttons_in(asked)
    root = site.ask("revenue by region?", user="UOTTO")
    decided = site.shown(root, "Run on Payroll")
    site.slack.press(decided, "Run", user="UCARLA")
    site.shown(root, "CSV")
    assert "".join(REVENUE.split()) in "".join(words_of(decided.blocks).split())
    assert "actions" not in [block["type"] for block in decided.blocks]


def test_chatter_is_not_answered(site: SlackSite) -> None:
    """What bystanders write in the thread, to each other or to nobody, is not answered."""
    root = site.ask("revenue by region?")
    site.shown(root, "Run on")
    site.slack.wait(lambda: site.slack.statuses[-1].status == "suspended")
    count, calls = len(site.slack.messages("C1", root)), len(site.slack.asked("chat.postMessage"))
    for words in ("yes", "stop", "How much is that in euros?", "SELECT 1"):
        site.slack.say("C1", words, user="UBOB", thread=root)
    to_bob = Message("C1", site.slack.world.ts(), "UANA", "<@UBOB> what do you think?", [], "T1", root.ts)
    site.slack.tell_said(site.slack.world.channels["C1"], to_bob)
    site.slack.wait_delivered()
    after = site.ask("revenue by region, please?", user="UBOB")
    site.shown(after, "Run on")
    assert len(site.slack.messages("C1", root)) == count + 4
    assert len(site.slack.asked("chat.postMessage")) == calls + 1


def test_somebody_elses_mention_in_the_thread(site: SlackSite) -> None:
    """Who mentions the bot in somebody else's thread is told, alone, whose talk it is."""
    root = site.ask("revenue by region?")
    asked = site.shown(root, "Run on")
    site.slack.say("C1", "and the customers?", user="UBOB", thread=root, mention=True)
    assert "Ana started this conversation" in site.told("UBOB", "", after=asked).text
    site.slack.press(site.shown(root, "Run on"), "Run", user="UANA")
    site.shown(root, "CSV")


def test_somebody_of_another_workspace(site: SlackSite, caplog: pytest.LogCaptureFixture) -> None:
    """A person of another workspace, in a shared channel, is refused, alone, and it is noted."""
    site.slack.team("T2", "Partner")
    site.slack.user("UEVE", "Eve", "ana@example.com", team="T2")
    site.slack.world.channels["C2"].members.add("UEVE")
    root = site.slack.say("C2", "revenue by region?", user="UEVE", mention=True)
    told = site.told("UEVE", "workspace", after=root)
    assert "people of this workspace only" in told.text
    assert "slack:UEVE was refused" in caplog.text
    assert [m for m in site.slack.messages("C2", root) if m.bot_id and not m.ephemeral_to] == []
