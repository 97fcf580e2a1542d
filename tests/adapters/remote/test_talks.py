"""The golden talks with a bot whose jobs another process does: the same words."""

import re
from pathlib import Path

import pytest

from router.turn import Input
from tests.adapters.remote.talk import RemoteTalk
from tests.platforms.ollama import Answer, Ollama
from tests.support.mail_servers import post_office
from tests.support.transcript import play, read, write
from tests.test_conversations import FOLDER, Play

pytestmark = pytest.mark.usefixtures("told_often")

PLAYED = (
    "read_generated",
    "read_strangers",
    "compare_second_query",
    "write_table",
    "send_email",
    "repeat_query",
    "glossary_typed",
    "understand_history",
)
"""Talks that use each kind of job."""


class RemotePlay(Play):
    """Plays one file through the API."""

    kind = RemoteTalk

    def sent(self, given: Input) -> str:
        """Give the input to the bot and return its replies."""
        assert isinstance(self.talk, RemoteTalk)
        # Where a file lies on the bot's disk is nobody's business.
        return re.sub(r"fetched/[\w-]+\.", "results/….", self.talk.plainly(super().sent(given)))


@pytest.mark.parametrize("name", PLAYED)
def test_a_talk_through_the_api(name: str, tmp_path: Path) -> None:
    """The talk goes as it is written down for a bot that does its jobs itself."""
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    title, steps = read(written)
    with Ollama(script=lambda prompt: Answer("no answer was prepared", status=500)) as server, post_office() as post:
        player = RemotePlay(tmp_path, server, post)
        played = write(title, play(steps, player))
        player.talk.close()

    assert written == played
