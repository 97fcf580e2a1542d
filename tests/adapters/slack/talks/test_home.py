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


def test_the_home_tab_links_to_what_was_asked_last(site: SlackSite) -> None:
    """A question that was answered stands in the Home tab, with a link to its thread."""
    root = site.ask("how did each region do, at last?")
    site.slack.press(site.shown(root, "Run"), "Run", user="UANA")
    site.shown(root, "CSV")
    seen = site.home("UANA", "at last")
    assert f"<https://slack.com/archives/C1/p{root.ts.replace('.', '')}|how did each region do, at last?>" in seen
    assert "2 rows" in seen


def test_somebody_without_any_database(site: SlackSite) -> None:
    """Whoever may read nothing is told so in the Home tab."""
    site.slack.user("UNEW", "Nora", "nora@example.com")
    assert "Shop" not in site.home("UNEW", "No database yet")


def test_the_messages_tab_welcomes_once(site: SlackSite) -> None:
    """The Messages tab suggests questions each time, and greets only the first time."""
    count = len(site.slack.prompts)
    for _ in range(2):
        site.slack.open_messages_tab("UBOB")
    site.slack.wait(lambda: len(site.slack.prompts) == count + 2)
    site.slack.wait_message("UBOB", "Hello! Ask me a question")
    assert site.slack.prompts[-1].prompts[0][1] == "Which region brings the most revenue?"
    greetings = [m for m in site.slack.messages("UBOB") if m.text.startswith("Hello! Ask me a question")]
    assert len(greetings) == 1


PROMPTS = json.loads((Path(__file__).parents[4] / "manifests/slack.json").read_text())["features"]["agent_view"]


@pytest.mark.parametrize("message", [prompt["message"] for prompt in PROMPTS["suggested_prompts"]])
def test_what_the_manifest_suggests_is_understood(site: SlackSite, message: str) -> None:
    """Each question that Slack shows before the bot suggests others has an answer that asks nothing back."""
    prompts = len(site.model.prompts)
    said = site.slack.dm("UANA", message)
    answer = site.shown(said, "").text
    assert not any(words in answer for words in ("did not understand", "not sure", "Is it:"))
    assert prompts == len(site.model.prompts)
