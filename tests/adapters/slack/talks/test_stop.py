"""Ending what runs: by the progress message's button, by Slack's own, and by a word."""

from collections.abc import Callable, Iterator
from threading import Event

import pytest

from tests.adapters.slack.talks.house import REVENUE, House
from tests.platforms.ollama import Answer
from tests.platforms.slack import Message, words_of


@pytest.fixture
def waiting(house: House) -> Iterator[Event]:
    """A model that does not answer what is asked slowly before the event is set."""
    event = Event()
    house.slow["slowly"] = Answer(REVENUE, waits=event)
    yield event
    event.set()
    house.slow.clear()


def by_button(house: House, root: Message) -> None:
    house.slack.press(house.shown(root, "Writing the SQL"), "Stop", user="UANA")


def by_slack(house: House, root: Message) -> None:
    house.slack.stop_session(root.channel, root, user="UANA")


def by_word(house: House, root: Message) -> None:
    house.slack.say(root.channel, "stop", user="UANA", thread=root)


def by_mention(house: House, root: Message) -> None:
    house.slack.say(root.channel, "stop", user="UANA", thread=root, mention=True)


@pytest.mark.parametrize("stop", [by_button, by_slack, by_word, by_mention])
def test_stop_ends_the_wait_for_the_model(house: House, waiting: Event, stop: Callable[[House, Message], None]) -> None:
    """However it is said, Stop ends the wait; the question is offered again, and no progress is left."""
    root = house.ask("revenue by region, slowly?")
    house.shown(root, "Writing the SQL")
    stop(house, root)
    house.shown(root, "Put it in other words")
    assert not waiting.is_set()
    house.slack.wait(lambda: house.slack.statuses[-1].status == "active")
    said = [words_of(m.blocks) for m in house.slack.messages("C1", root) if m.bot_id and not m.ephemeral_to]
    assert not any("Writing the SQL" in words or "Stopping" in words for words in said), said
    assert sum("Stopped." in words for words in said) == 1


def test_stop_is_for_whoever_asked(house: House, waiting: Event) -> None:
    """Somebody else who presses Stop is told that they may not, alone, and the work goes on."""
    root = house.ask("revenue by region, slowly?")
    progress = house.shown(root, "Writing the SQL")
    house.slack.press(progress, "Stop", user="UBOB")
    house.told("UBOB", "Only the person who started")
    waiting.set()
    house.shown(root, "Run")


def test_stop_where_nothing_runs(house: House) -> None:
    """Slack's own Stop, pressed too late, is answered to that person alone."""
    root = house.ask("revenue by region?")
    house.shown(root, "Run")
    house.slack.wait(lambda: house.slack.statuses[-1].status == "suspended")
    house.slack.stop_session("C1", root, user="UANA")
    house.told("UANA", "Nothing is running")
