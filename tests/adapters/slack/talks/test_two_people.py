"""More than one person in a thread."""

from dataclasses import replace

import pytest

from tests.adapters.slack.talks.site import SlackSite, buttons_in, revealed
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
    """An approver runs it by the very card that they saw first, no matter who pressed meanwhile."""
    root = site.ask("revenue by region?", user="UOTTO")
    asked = site.shown(root, "Run on Payroll")
    before, runs = revealed(asked), site.runs()
    for user, words in (("UOTTO", "You can't approve"), ("UBOB", "Otto started this conversation")):
        site.slack.press(asked, "Run", user=user, blocks=before)
        site.told(user, words, after=asked)
    site.slack.press(asked, "Run", user="UCARLA", blocks=before)
    site.shown(root, "CSV")
    assert site.runs() == runs + 1


def test_a_double_click(site: SlackSite) -> None:
    """Run that is pressed twice at once runs the query once, and nobody is told anything of it."""
    root = site.ask("revenue by region?", user="UOTTO")
    asked = site.shown(root, "Run on Payroll")
    runs = site.runs()
    site.slack.press(asked, "Run", user="UCARLA")
    site.slack.press(asked, "Run", user="UCARLA")
    site.shown(root, "CSV")
    assert site.runs() == runs + 1
    assert not [each for each in site.slack.messages("C1", root) if "answered that already" in words_of(each.blocks)]


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


def test_a_card_that_stands_twice(site: SlackSite) -> None:
    """A post came twice, as the reply to the first one was lost: either copy is pressed once, and the other one closes.

    A press without the right leaves both; a later press of the other copy shows who decided.
    """
    for first in (0, 1):
        root = site.ask("revenue by region?")
        known = site.shown(root, "Run on Shop")
        copy = replace(known, ts=site.slack.world.ts(), edits=[], metadata={})
        site.slack.world.channels[known.channel].messages[copy.ts] = copy
        copies, before, runs = (known, copy), revealed(known), site.runs()
        site.slack.press(copy, "Run", user="UBOB", blocks=before)
        site.told("UBOB", "Ana started this conversation", after=copy)
        site.slack.press(copies[first], "Run", user="UANA", blocks=before)
        site.shown(root, "CSV")
        late = copies[1 - first]
        seen = site.slack.world.ts()
        site.slack.press(late, "Run", user="UBOB", blocks=before)
        site.told("UBOB", "Ana answered that already", after=replace(known, ts=seen))
        site.slack.wait(lambda copies=copies: not [each for each in copies if "Run on Shop" in buttons_in(each)])
        assert site.runs() == runs + 1
