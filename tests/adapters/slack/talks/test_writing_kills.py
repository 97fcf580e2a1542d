"""The real program in Slack, killed while it writes and e-mails."""

from pathlib import Path

import pytest

from tests.adapters.slack.talks.scene import SlackScene, slack_place
from tests.support.writing_kills import kill


@pytest.mark.parametrize(
    "kills", [pytest.param(3, marks=pytest.mark.thorough), pytest.param(100, marks=pytest.mark.bench)]
)
def test_kills_while_rows_are_written_and_e_mails_are_sent(tmp_path: Path, kills: int) -> None:
    """Every writing is there once or not at all, no e-mail is sent twice, and the thread says what the ledger says."""
    with slack_place(tmp_path / "site") as (place, slack):
        slack.retries = (0.0, 1.0, 2.0)  # Slack repeats what nobody took after minutes
        ends = kill(lambda: SlackScene(place, slack=slack), kills, seed=kills)
        print(dict(ends))
    assert kills == ends["kills"]
