"""What is built at start, with the life-times of the settings."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.settings import read_settings
from bot.wiring import built, now
from router.jobs.feedback import Answered, Feedback
from tests.shop import write_connections

OLD = Answered("r1", "web///1", "os:ana", "shop", "Which regions?", "SELECT name FROM regions", "2 rows")


@pytest.mark.parametrize(("days", "kept"), [("7", []), ("90", [OLD])])
def test_an_answer_is_kept_as_long_as_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: str, kept: list[Answered]
) -> None:
    """What was answered sixty days ago, and never rated, is kept only where the rows are kept for longer."""
    monkeypatch.setenv("ICC_BOT_RESULT_DAYS", days)
    monkeypatch.setenv("ICC_BOT_CONNECTIONS", str(write_connections(tmp_path, ["shop"])))
    settings = read_settings()
    before = Feedback(settings.home / "feedback.sqlite", lambda: now() - timedelta(days=60))
    before.note(OLD)
    before.close()
    with built(settings) as bot:
        assert bot.tools.feedback.asked("os:ana", 5) == kept
