"""What is repeated into another channel: where the bot is, and where these rows may be seen."""

from dataclasses import replace

import pytest

from router.catalog.connection import Channels, Connections
from router.schedules.listing import ScheduleList
from router.schedules.schedule import ScheduleState
from tests.router.schedules.test_repeating import HOUR, SQL, due, only, repeated
from tests.support.talk import ANA, KEY, Talk

INTO = "every monday at 8 into #sales"


@pytest.fixture(autouse=True)
def _others_read(talk: Talk) -> None:
    """Others read the thread, and the platform has channels."""
    talk.shared = True
    talk.notifier.channels = {"sales": "CSALES", "CSALES": "CSALES", "CQUIET": "CQUIET"}


def renew(talk: Talk, channels: Channels | None = None, private: bool = False) -> None:
    """Change who may see rows where."""
    channels, now = channels or Channels(), talk.services.connections
    now.renew(Connections([replace(each, private=private) for each in now.values()], channels=channels))


def asked(talk: Talk) -> str:
    """Run a query, and return what is said where it is to be repeated into the channel."""
    talk.say(SQL)
    talk.press("yes")
    return talk.say(INTO)


def test_rows_go_into_the_channel(talk: Talk) -> None:
    """The card says where they go; each time they are a message of their own there, and not in the thread."""
    assert "post the rows in #CSALES, where everybody sees them" in asked(talk)
    assert "This is repeated every Monday at 08:00" in talk.press("yes")
    due(talk, 7 * 24 * HOUR)
    (news,) = talk.notifier.news
    assert ("CSALES", "") == (news.channel, news.reply.to)
    (listed,) = ScheduleList(talk.services).of(ANA)
    assert "· in #CSALES ·" in listed.about


def test_by_the_form(talk: Talk) -> None:
    """Another channel is chosen, and which one; without it, or where the bot is not in it, the field says so."""
    talk.say(SQL)
    talk.press("yes")
    assert "Another channel" in talk.press("repeat")
    values = {"every": "day", "at": "08:00", "to": "channel"}
    assert "Pick the channel" in talk.fill(**values)
    assert "I'm not in that channel." in talk.fill(**values, channel="CAWAY")
    assert "post the rows in #CSALES" in talk.fill(**values, channel="CSALES")


@pytest.mark.parametrize(
    ("channels", "why"),
    [
        (Channels(allowed=frozenset({f"test:{KEY.channel}"})), "I don't answer in that channel"),
        (Channels(private=frozenset({"test:CSALES"})), "so these rows can't go there"),
    ],
)
def test_a_channel_with_rules_of_its_own(talk: Talk, channels: Channels, why: str) -> None:
    """The rules of the channel that rows go to are asked at the form, and again at each run."""
    renew(talk, channels)
    assert why in asked(talk)
    talk.press("cancel")
    renew(talk)
    talk.say("repeat this every hour into #sales")
    talk.press("yes")
    renew(talk, channels)
    (told,) = due(talk)
    assert why in told
    assert "Nothing was run." in told
    assert "" == talk.notifier.news[-1].channel
    assert ScheduleState.PAUSED == only(talk).standing


def test_private_rows_go_to_no_channel(talk: Talk) -> None:
    """Rows of a private database are not offered for one, and go to none once they are private."""
    repeated(talk, "repeat this every hour into #sales")
    renew(talk, private=True)
    (told,) = due(talk)
    assert "Rows of Shop are for the one who asks alone" in told
    assert ScheduleState.PAUSED == only(talk).standing
    said = talk.say(INTO)
    assert "These rows can't go to another channel." in said
    assert "send the rows to you alone" in said
