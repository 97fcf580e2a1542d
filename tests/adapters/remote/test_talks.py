"""The golden talks with a bot whose jobs another process does: the same words, but for listed differences."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from router.turn import Input
from tests.adapters.remote.talk import RemoteTalk
from tests.platforms.ollama import Answer, Ollama
from tests.post_office import post_office
from tests.test_conversations import FILES, Play
from tests.transcript import play, read, write


@dataclass(frozen=True)
class Difference:
    """What reads otherwise through the API, and why."""

    reason: str
    here: str
    there: str


AWAY = Difference(
    "That tables are to be read anew, the API is told by the next look at them: it still runs what they allow.",
    "The database of Shop (shop) does not answer as it should, so its tables could not be read. Nothing was changed. "
    "Try again, or tell whoever runs this bot.",
    "The database file shop.sqlite does not exist, or may not be seen.",
)

DIFFERENCES = {
    "compare_failures": (AWAY,),
    "send_email_second_thoughts": (
        Difference(
            "That tables are to be read anew, the API is told by the next look at them: it still runs what they allow.",
            "The database of Backup (backup) does not answer as it should, so its tables could not be read. Nothing "
            "was changed. Try again, or tell whoever runs this bot.\n\nShows all columns of places two.",
            "The database file backup.sqlite does not exist, or may not be seen.\n\nShows all columns of places two.",
        ),
    ),
}
"""By the name of the talk."""


UNKNOWN = "The values of a database stay in the process that reads them, so nothing is asked about them."
HERE_ONLY = {"read_values": UNKNOWN, "compare_values": UNKNOWN}
"""Talks that go otherwise from their beginning, and why."""


class RemotePlay(Play):
    """Plays one file through the API."""

    kind = RemoteTalk

    def sent(self, given: Input) -> str:
        """Give the input to the bot and return its replies."""
        assert isinstance(self.talk, RemoteTalk)
        # Where a file lies on the bot's disk is nobody's business.
        return re.sub(r"fetched/[\w-]+\.", "results/….", self.talk.plainly(super().sent(given)))


@pytest.mark.parametrize("file", [each for each in FILES if each.stem not in HERE_ONLY], ids=lambda file: file.stem)
def test_a_talk_through_the_api(file: Path, tmp_path: Path) -> None:
    """The talk goes as it is written down for a bot that does its jobs itself."""
    written = file.read_text(encoding="utf-8")
    for difference in DIFFERENCES.get(file.stem, ()):
        assert difference.here in written, difference
        written = written.replace(difference.here, difference.there)
    title, steps = read(written)
    with Ollama(script=lambda prompt: Answer("no answer was prepared", status=500)) as server, post_office() as post:
        player = RemotePlay(tmp_path, server, post)
        played = write(title, play(steps, player))
        player.talk.close()

    assert written == played
