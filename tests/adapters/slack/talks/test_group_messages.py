"""Group direct messages: conversations of several people, as channels are."""

import pytest

from tests.adapters.slack.talks.site import SlackSite
from tests.platforms.slack.world import Message


@pytest.fixture(name="group")
def _group(site: SlackSite) -> str:
    """Return a group direct message of Ana, Bob and the bot, on the list of channels where it answers."""
    if "C2" in site.slack.world.channels and "GROUP" not in site.slack.world.channels:
        site.slack.channel("GROUP", "mpdm-ana--bob--askdata-1", kind="mpim").members |= {"UANA", "UBOB"}
    return "GROUP"


def bots(site: SlackSite, root: Message) -> list[Message]:
    """Return what the bot says for all to see in a thread."""
    return [each for each in site.slack.messages(root.channel, root) if each.bot_id and not each.ephemeral_to]


def test_a_question_in_a_group(site: SlackSite, group: str) -> None:
    """A mention begins a thread; in it the asker goes on without one, and who else talks there is not answered."""
    site.slack.say(group, "lunch?", user="UBOB")
    root = site.ask("revenue by region, for us all?", channel=group)
    asked = site.shown(root, "Run on Shop")
    site.slack.press(asked, "Run on Shop", user="UANA")
    table = site.shown(root, "CSV")
    site.idle(root, turns=2)
    site.slack.say(group, "nice, thanks Ana", user="UBOB", thread=root)
    site.slack.say(group, "only the north", user="UANA", thread=root)
    site.slack.wait_message(group, "Run on Shop", thread=root, after=table)
    assert [] == [each for each in site.slack.messages(group) if each.bot_id and not each.thread]


def test_a_word_alone_runs_nothing_in_a_group(site: SlackSite, group: str) -> None:
    """Where others read along, a word without the bot's name approves nothing, as in channels."""
    root = site.ask("revenue by region, in a group?", channel=group)
    asked = site.shown(root, "Run on Shop")
    said = site.slack.say(group, "ok", user="UANA", thread=root)
    assert "press the button, or write my name" in site.told("UANA", "", after=said).text
    assert asked.ts == bots(site, root)[-1].ts
