"""People are asked in their channel, answer in the thread, and are left alone there."""

from collections.abc import Iterator

import pytest

from router.humans import Channel, Reach
from tests.adapters.slack.talks.house import House
from tests.platforms.ollama import Answer
from tests.platforms.slack import Message, words_of

ASKED = "I asked the data team"


@pytest.fixture(autouse=True)
def _helped(house: House) -> Iterator[None]:
    """Have people be there, and a model that answers nothing to some questions."""
    humans = house.running.bot.tools.humans
    humans.reach = Reach((Channel("slack", "C2", "#data-help"),))
    house.slow["stuck"] = Answer("out of order", status=500)
    yield
    humans.reach = Reach()
    del house.slow["stuck"]


def pleas(house: House, root: Message, channel: str = "C2") -> list[Message]:
    """Return what was said to people about this talk."""
    posted = [m for m in house.slack.messages(channel) if m.bot_id and m.ts > root.ts]
    return [m for m in posted if "asks for help" in words_of(m.blocks)]


def test_people_see_the_question_and_where_it_was_asked(house: House) -> None:
    """Once, at the top of their channel, with a link to the thread, however often the press is delivered."""
    root = house.ask("stuck: how many customers?")
    stuck = house.shown(root, "Put it in other words")
    press = house.slack.press(stuck, "Ask a human", user="UANA")
    house.shown(root, ASKED)
    house.slack.redeliver(press)
    house.slack.say("C1", "ask a human", user="UANA", thread=root)
    house.shown(root, "about this already")

    (plea,) = pleas(house, root)
    said = words_of(plea.blocks)
    assert not plea.thread
    assert "Ana (ana@example.com) asks for help with a question on Shop." in said
    assert "stuck: how many customers?" in said
    link = f"https://{house.slack.world.teams['T1'].name.lower()}.slack.com/archives/C1/p{root.ts.replace('.', '')}"
    assert f"<{link}|Open the conversation>" in str(plea.blocks)


def test_who_answers_is_left_alone(house: House) -> None:
    """What people write in the thread, or to one another, is no input; the bot's name makes it one."""
    root = house.ask("stuck: how many regions?")
    house.slack.press(house.shown(root, "Put it in other words"), "Ask a human", user="UANA")
    answered = house.shown(root, ASKED)
    (plea,) = pleas(house, root)
    house.slack.say("C1", "It is in another table. Ask for the shops?", user="UBOB", thread=root)
    to_bob = Message("C1", house.slack.world.ts(), "UANA", "<@UBOB> thank you, which one?", [], "T1", root.ts)
    house.slack.tell_said(house.slack.world.channels["C1"], to_bob)
    house.slack.say("C2", "I look at it", user="UBOB", thread=plea)
    house.slack.wait_delivered()
    house.slack.press(answered, "Ask it again", user="UBOB")
    refused = house.told("UBOB", "Ana started this conversation", after=answered)
    house.slack.say("C1", "revenue by region?", user="UANA", thread=root)
    house.shown(root, "Run this on")

    alone = [m for m in house.slack.messages("C1", root) if m.ephemeral_to == "UBOB"]
    assert [m.ts for m in alone] == [refused.ts]
    assert not [m for m in house.slack.messages("C2", plea) if m.bot_id and m.ts != plea.ts]


def test_a_channel_that_the_bot_is_not_in(house: House) -> None:
    """The person is told that people do not know, and can try again."""
    house.running.bot.tools.humans.reach = Reach((Channel("slack", "COUTSIDE", "#data-help"),))
    house.explained.add("not_in_channel")
    root = house.ask("stuck: how many orders?")
    house.slack.press(house.shown(root, "Put it in other words"), "Ask a human", user="UANA")
    failed = house.shown(root, "I could not write to the data team in #data-help.")

    assert "Ask a human" in words_of(failed.blocks)


def test_two_tries_that_fail(house: House) -> None:
    """People are asked unasked, and the person is told so."""
    root = house.ask("stuck: how many shops?")
    house.slack.press(house.shown(root, "Put it in other words"), "Ask it again", user="UANA")
    house.shown(root, f"This did not work out, so {ASKED}")

    assert len(pleas(house, root)) == 1
