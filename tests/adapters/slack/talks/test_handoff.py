"""People are asked in their channel, answer in the thread, and are left alone there."""

from collections.abc import Iterator

import pytest

from router.notifier import Channel, Responders
from tests.adapters.slack.talks.site import SlackSite
from tests.platforms.ollama import Answer
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.world import Message

ASKED = "I asked the data team"


@pytest.fixture(autouse=True)
def _helped(site: SlackSite) -> Iterator[None]:
    """Have people be there, and a model that answers nothing to some questions."""
    humans = site.running.bot.services.humans
    humans.reach = Responders((Channel("slack", "C2", "#data-help"),))
    site.slow["stuck"] = Answer("out of order", status=500)
    yield
    humans.reach = Responders()
    del site.slow["stuck"]


def help_requests(site: SlackSite, root: Message, channel: str = "C2") -> list[Message]:
    """Return what was said to people about this talk."""
    posted = [m for m in site.slack.messages(channel) if m.bot_id and m.ts > root.ts]
    return [m for m in posted if "asks for help" in words_of(m.blocks)]


def test_who_answers_is_left_alone(site: SlackSite) -> None:
    """What people write in the thread, or to one another, is no input; the bot's name makes it one."""
    root = site.ask("stuck: how many regions?")
    site.slack.press(site.shown(root, "Put it in other words"), "Ask a human", user="UANA")
    answered = site.shown(root, ASKED)
    (help_request,) = help_requests(site, root)
    site.slack.say("C1", "It is in another table. Ask for the shops?", user="UBOB", thread=root)
    to_bob = Message("C1", site.slack.world.ts(), "UANA", "<@UBOB> thank you, which one?", [], "T1", root.ts)
    site.slack.tell_said(site.slack.world.channels["C1"], to_bob)
    site.slack.say("C2", "I look at it", user="UBOB", thread=help_request)
    site.slack.wait_delivered()
    site.slack.press(answered, "Ask it again", user="UBOB")
    refused = site.told("UBOB", "Ana started this conversation", after=answered)
    site.slack.say("C1", "revenue by region?", user="UANA", thread=root)
    site.shown(root, "Run on")

    alone = [m for m in site.slack.messages("C1", root) if m.ephemeral_to == "UBOB"]
    assert [m.ts for m in alone] == [refused.ts]
    assert not [m for m in site.slack.messages("C2", help_request) if m.bot_id and m.ts != help_request.ts]
