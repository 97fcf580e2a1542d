"""People are asked in their channel, also where nobody has spoken to the bot yet, and answer in the thread."""

from collections.abc import Iterator

import pytest

from router.humans import Channel, Reach
from tests.adapters.teams.talks.house import House
from tests.platforms.ollama import Answer
from tests.platforms.teams import Message, shown

ASKED = "I asked the data team in #data-help; they answer you here."
HELP = "data-help"


@pytest.fixture(autouse=True)
def _helped(house: House) -> Iterator[None]:
    """Have people be there, and a model that answers nothing to some questions."""
    channel = house.teams.world.conversations.get(f"19:{HELP}@thread.tacv2") or house.teams.channel(HELP)
    humans = house.bot.tools.humans
    humans.reach = Reach((Channel("teams", channel.id, "#data-help"),))
    house.slow["stuck"] = Answer("out of order", status=500)
    yield
    humans.reach = Reach()


def pleas(house: House, asked: Message) -> list[Message]:
    """Return what was said to people about this talk."""
    return [each for each in house.teams.messages(HELP, by="bot") if int(each.id) > int(asked.id)]


def test_people_see_the_question_and_where_it_was_asked(house: House) -> None:
    """As a post of their channel, once, with a link to the thread."""
    asked = house.ask("stuck: how many customers?")
    stuck = house.shown(asked, "Put it in other words")
    house.press(stuck, "Ask a human")
    house.shown(asked, ASKED)
    house.ask("ask a human", thread=asked)
    house.shown(asked, "about this already")

    (plea,) = pleas(house, asked)
    channel = asked.conversation.id.replace(":", "%3A").replace("@", "%40")
    link = f"https://teams.microsoft.com/l/message/{channel}/{asked.root}?tenantId={asked.conversation.tenant}"
    assert plea.root == plea.id
    assert "Ana (ana@example.com) asks for help with a question on Shop." in shown(plea)
    assert "stuck: how many customers?" in shown(plea)
    assert f"{link}&parentMessageId={asked.root}" in str(plea.card)


def test_who_answers_is_left_alone(house: House) -> None:
    """What people say to one another is no input; a press of theirs is refused, and their mention of the bot, too."""
    asked = house.ask("stuck: how many regions?")
    house.press(house.shown(asked, "Put it in other words"), "Ask a human")
    answered = house.shown(asked, ASKED)
    before = house.said(asked)
    house.teams.say("General", "It is in another table.", user="bob", thread=asked, mention=False)
    house.teams.say("General", "Thank you!", user="ana", thread=asked, mention=False, also=("bob",))
    refused = house.press(answered, "Ask it again", "bob")
    house.teams.wait_posted()

    assert "Ana started this conversation" in refused
    assert house.said(asked) == before


def test_in_ones_own_chat(house: House) -> None:
    """People are told to write to whoever asks: nobody else can open that chat."""
    asked = house.ask("stuck: how many orders?", where="ana")
    house.press(house.shown(asked, "Put it in other words"), "Ask a human")
    house.shown(asked, "I asked the data team in #data-help; they write to you.")

    (plea,) = pleas(house, asked)
    assert "which nobody else sees: write to them." in shown(plea)


def test_a_channel_that_the_bot_is_not_in(house: House) -> None:
    """The person is told that people do not know, and can try again."""
    channel = house.teams.conversation(HELP)
    house.teams.fail("send", "403", where=channel.id, code="BotNotInConversationRoster")
    asked = house.ask("stuck: how many shops?")
    house.press(house.shown(asked, "Put it in other words"), "Ask a human")
    house.shown(asked, "I could not write to the data team in #data-help.")
    before = len(pleas(house, asked))
    house.press(house.offered(asked, "Ask a human"), "Ask a human")
    house.shown(asked, ASKED)

    assert (before, len(pleas(house, asked))) == (0, 1)
