"""Where conversations can be written to, as the file remembers it."""

import pytest

from adapters.teams.conversations import Reference, References
from router.storage.database import Database

TEAM = "19:general@thread.tacv2"


@pytest.fixture
def references(database: Database) -> References:
    """Two channels of a team with a thread each, a channel of another team, and Ana's own chat."""
    made = References(database)
    for conversation, team in (
        (TEAM, TEAM),
        (f"{TEAM};messageid=1", TEAM),
        ("19:sales@thread.tacv2;messageid=2", TEAM),
        ("19:sales@thread.tacv22;messageid=3", "19:other"),
    ):
        made.keep(Reference("https://smba.example.com/", conversation, "t1", team=team), "teams:ana")
    made.keep(Reference("https://smba.example.com/", "a:ana", "t1"), "teams:ana", personal=True)
    return made


def test_the_channels_of_a_team(references: References) -> None:
    """A team's channels are those that were heard, without their threads; a chat has no team."""
    assert {TEAM, "19:sales@thread.tacv2"} == references.channels(TEAM)
    assert set() == references.channels("")


def test_a_channel_is_forgotten_with_its_threads(references: References) -> None:
    """Nothing of a channel is left; one whose name only begins alike is."""
    references.forget("19:sales@thread.tacv2")
    assert {TEAM} == references.channels(TEAM)
    assert {"19:sales@thread.tacv22"} == references.channels("19:other")


def test_a_channel_that_takes_nothing_any_more(references: References) -> None:
    """Neither do its threads, until it is heard again; the beginning of one thread may be gone by itself."""
    one, other = f"{TEAM};messageid=1", f"{TEAM};messageid=2"
    references.bury(one)
    assert references.of(other) is not None
    references.bury(TEAM)
    assert (references.of(TEAM), references.of(other)) == (None, None)
    assert TEAM in references.channels(TEAM)
    references.keep(Reference("https://smba.example.com/", one, "t1", team=TEAM))
    assert references.of(other) is not None
