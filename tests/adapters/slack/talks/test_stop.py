"""Ending what runs: by the progress message's button, by Slack's own, and by a word."""

from collections.abc import Callable, Iterator
from threading import Event

import pytest

from tests.adapters.slack.talks.site import REVENUE, SlackSite
from tests.platforms.ollama import Answer
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.world import Message


@pytest.fixture
def waiting(site: SlackSite) -> Iterator[Event]:
    """A model that does not answer what is asked slowly before the event is set."""
    event = Event()
    site.slow["slowly"] = Answer(REVENUE, waits=event)
    yield event
    event.set()
    site.slow.clear()


def by_button(site: SlackSite, root: Message) -> None:
    site.slack.press(site.shown(root, "Writing the SQL"), "Stop", user="UANA")


def by_slack(site: SlackSite, root: Message) -> None:
    site.slack.stop_session(root.channel, root, user="UANA")


def by_word(site: SlackSite, root: Message) -> None:
    site.slack.say(root.channel, "stop", user="UANA", thread=root)


def by_mention(site: SlackSite, root: Message) -> None:
    site.slack.say(root.channel, "stop", user="UANA", thread=root, mention=True)


@pytest.mark.parametrize("stop", [by_button, by_slack, by_word, by_mention])
def test_stop_ends_the_wait_for_the_model(
    site: SlackSite, waiting: Event, stop: Callable[[SlackSite, Message], None]
) -> None:
    """However it is said, Stop ends the wait; the question is offered again, and no progress is left."""
    root = site.ask("revenue by region, slowly?")
    site.shown(root, "Writing the SQL")
    stop(site, root)
    site.shown(root, "Put it in other words")
    assert not waiting.is_set()
    site.slack.wait(lambda: site.slack.statuses[-1].status == "active")
    said = [words_of(m.blocks) for m in site.slack.messages("C1", root) if m.bot_id and not m.ephemeral_to]
    assert not any("Writing the SQL" in words or "Stopping" in words for words in said), said
    assert sum("Stopped." in words for words in said) == 1


def test_stop_is_for_whoever_asked(site: SlackSite, waiting: Event) -> None:
    """Somebody else who presses Stop is told that they may not, alone, and the work goes on."""
    root = site.ask("revenue by region, slowly?")
    progress = site.shown(root, "Writing the SQL")
    site.slack.press(progress, "Stop", user="UBOB")
    site.told("UBOB", "Only the person who started")
    waiting.set()
    site.shown(root, "Run")


def test_stop_where_nothing_runs(site: SlackSite) -> None:
    """Slack's own Stop, pressed too late, is answered to that person alone."""
    root = site.ask("revenue by region?")
    site.shown(root, "Run")
    site.slack.wait(lambda: site.slack.statuses[-1].status == "suspended")
    site.slack.stop_session("C1", root, user="UANA")
    site.told("UANA", "Nothing is running")
