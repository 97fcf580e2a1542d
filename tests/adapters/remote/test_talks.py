"""The golden talks with a bot whose jobs another process does: the same words."""

import re
from pathlib import Path

import pytest

from router.turn import Input
from tests.adapters.remote.talk import RemoteTalk
from tests.support.golden_talk import PlayInWords, in_words, servers
from tests.support.transcript import play, write

pytestmark = pytest.mark.usefixtures("told_often")

PLAYED = (
    "read_generated",
    "compare_second_query",
    "write_second_thoughts",
    "send_email",
    "repeat_query",
    "glossary_terms",
)
"""Talks that use each kind of job."""


class RemotePlay(PlayInWords):
    """Plays one file through the API."""

    kind = RemoteTalk

    def sent(self, given: Input) -> str:
        """Give the input to the bot and return its replies."""
        assert isinstance(self.talk, RemoteTalk)
        # Where a file lies on the bot's disk is nobody's business.
        return re.sub(r"fetched/[\w-]+\.", "results/….", self.talk.plainly(super().sent(given)))


@pytest.mark.parametrize("name", PLAYED)
def test_a_talk_through_the_api(name: str, tmp_path: Path) -> None:
    """People read the words that a bot says which does its jobs itself."""
    title, steps = in_words(name)
    with servers() as (server, post):
        player = RemotePlay(tmp_path, server, post)
        played = play(steps, player)
        player.talk.close()

    assert write(title, steps) == write(title, played)
