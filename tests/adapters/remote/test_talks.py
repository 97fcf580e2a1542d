"""The golden talks with a bot whose jobs another process does: the same words, but for listed differences."""

import re
from pathlib import Path

import pytest

from router.turn import Input
from tests.adapters.remote.talk import RemoteTalk
from tests.platforms.ollama import Answer, Ollama
from tests.support.mail_servers import post_office
from tests.support.transcript import play, read, write
from tests.test_conversations import FILES, Play

UNKNOWN = "The values of a database stay in the process that reads them, so nothing is asked about them."
NEW_TABLE = "A table that a job has just made is known at once only to the process that made it."
HERE_ONLY = {"read_values": UNKNOWN, "compare_values": UNKNOWN, "typed_databases": NEW_TABLE}
"""Talks that go otherwise from their beginning, and why."""

pytestmark = pytest.mark.usefixtures("told_often")

EVERY_DAY = {
    "read_generated",
    "read_strangers",
    "compare_second_query",
    "write_table",
    "send_email",
    "repeat_query",
    "glossary_typed",
    "understand_history",
}
"""Talks that use each kind of job; CI plays all."""
PLAYED = [
    pytest.param(file, id=file.stem, marks=() if file.stem in EVERY_DAY else pytest.mark.thorough)
    for file in FILES
    if file.stem not in HERE_ONLY
]


class RemotePlay(Play):
    """Plays one file through the API."""

    kind = RemoteTalk

    def sent(self, given: Input) -> str:
        """Give the input to the bot and return its replies."""
        assert isinstance(self.talk, RemoteTalk)
        # Where a file lies on the bot's disk is nobody's business.
        return re.sub(r"fetched/[\w-]+\.", "results/….", self.talk.plainly(super().sent(given)))


@pytest.mark.parametrize("file", PLAYED)
def test_a_talk_through_the_api(file: Path, tmp_path: Path) -> None:
    """The talk goes as it is written down for a bot that does its jobs itself."""
    # How many rows each reading covers is not asked of a database that another process opens.
    written = re.sub(r"\? Of \d+ rows of .* covers? \d+\. \[", "? [", file.read_text(encoding="utf-8"))
    title, steps = read(written)
    with Ollama(script=lambda prompt: Answer("no answer was prepared", status=500)) as server, post_office() as post:
        player = RemotePlay(tmp_path, server, post)
        played = write(title, play(steps, player))
        player.talk.close()

    assert written == played
