"""The app's two tabs."""

import json
from pathlib import Path

import pytest

from tests.adapters.slack.talks.site import SlackSite


def test_the_home_tab_shows_what_one_may_ask(site: SlackSite) -> None:
    """The Home tab has the connections that this person may read, and their examples; nothing of the others."""
    seen = site.home("UANA", "Shop")
    assert "Which region brings the most revenue?" in seen
    assert "Vault" not in seen
    assert "Payroll" not in seen


def test_examples_are_asked_by_pressing_them(site: SlackSite) -> None:
    """A press on Home asks in direct messages, once however fast it is pressed twice, and Home says so."""
    site.home("UANA", "Shop")
    before = site.slack.say("C2", "good morning", user="UANA")
    for _ in range(2):
        home = site.slack.home("UANA")
        assert home is not None
        site.slack.press(home, EXAMPLE, user="UANA")
    root = site.slack.wait_message("UANA", f"asks: {EXAMPLE}", after=before)
    site.slack.wait_message("UANA", "Run on Shop", thread=root)
    site.slack.wait(lambda: "under Messages" in str(site.slack.home("UANA")))
    asked = [each for each in site.slack.messages("UANA") if each.text.endswith(f"asks: {EXAMPLE}")]
    assert [root.ts] == [each.ts for each in asked if each.ts > before.ts]


def test_what_waits_for_an_approval(site: SlackSite) -> None:
    """A person who approves finds on Home what waits for them, with a link to its thread; others do not."""
    root = site.ask("SELECT id, total FROM orders", user="UOTTO")
    site.shown(root, "Run on Payroll")
    seen = site.home("UCARLA", "Waiting for your approval")
    assert f"https://acme.slack.com/archives/C1/p{root.ts.replace('.', '')}|" in seen
    assert "Waiting for your approval" not in site.home("UANA", "Shop")


EXAMPLE = "Which region brings the most revenue?"
PROMPTS = json.loads((Path(__file__).parents[4] / "manifests/slack.json").read_text())["features"]["agent_view"]


@pytest.mark.parametrize("message", [prompt["message"] for prompt in PROMPTS["suggested_prompts"]])
def test_what_the_manifest_suggests_is_understood(site: SlackSite, message: str) -> None:
    """Each question that Slack shows before the bot suggests others has an answer that asks nothing back."""
    asked = [each for each in site.model.prompts if each]  # the empty ones only warm the model
    said = site.slack.dm("UANA", message)
    answer = site.shown(said, "").text
    assert not any(words in answer for words in ("did not understand", "not sure", "Is it:"))
    assert asked == [each for each in site.model.prompts if each]
