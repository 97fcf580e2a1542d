"""People are asked in their channel, also where nobody has spoken to the bot yet, and answer in the thread."""

from collections.abc import Iterator

import pytest

from router.notifier import Channel, Responders
from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.ollama import Answer
from tests.platforms.teams.looking import shown
from tests.platforms.teams.world import Message

ASKED = "I asked the data team in #data-help; they answer you here."
HELP = "data-help"


@pytest.fixture(autouse=True)
def _helped(site: TeamsSite) -> Iterator[None]:
    """Have people be there, and a model that answers nothing to some questions."""
    channel = site.teams.world.conversations.get(f"19:{HELP}@thread.tacv2") or site.teams.channel(HELP)
    humans = site.bot.services.humans
    humans.reach = Responders((Channel("teams", channel.id, "#data-help"),))
    site.slow["stuck"] = Answer("out of order", status=500)
    yield
    humans.reach = Responders()


def help_requests(site: TeamsSite, asked: Message) -> list[Message]:
    """Return what was said to people about this talk."""
    return [each for each in site.teams.messages(HELP, by="bot") if int(each.id) > int(asked.id)]


def test_people_see_the_question_and_where_it_was_asked(site: TeamsSite) -> None:
    """As a post of their channel, once, with a link to the thread."""
    asked = site.ask("stuck: how many customers?")
    stuck = site.shown(asked, "Put it in other words")
    site.press(stuck, "Ask a human")
    site.shown(asked, ASKED)
    site.ask("ask a human", thread=asked)
    site.shown(asked, "about this already")

    (help_request,) = help_requests(site, asked)
    channel = asked.conversation.id.replace(":", "%3A").replace("@", "%40")
    link = f"https://teams.microsoft.com/l/message/{channel}/{asked.root}?tenantId={asked.conversation.tenant}"
    assert help_request.root == help_request.id
    assert "Ana (ana@example.com) asks for help with a question on Shop." in shown(help_request)
    assert "stuck: how many customers?" in shown(help_request)
    assert f"{link}&parentMessageId={asked.root}" in str(help_request.card)
