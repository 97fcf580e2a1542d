"""The bot as it is built at a start, with the life-times of the settings."""

from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot.models.choice import MODEL_AWAY
from bot.settings.environment import read_settings
from bot.wiring.bot import build_bot
from router.errors import AgentAway
from router.jobs.feedback import AnsweredQuestion, Feedback
from router.llm.call import ModelCall, Requester
from router.storage.clock import now
from router.storage.database import home_database
from router.text_to_sql.agents import QuestionParts
from tests.support.shop import write_connections

OLD = AnsweredQuestion("r1", "web///1", "os:ana", "shop", "Which regions?", "SELECT name FROM regions", "2 rows")


@pytest.mark.parametrize(("days", "kept"), [("7", []), ("90", [OLD])])
def test_an_answer_is_kept_as_long_as_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: str, kept: list[AnsweredQuestion]
) -> None:
    """An answer of sixty days ago that was never rated is kept only if the rows are kept for longer."""
    monkeypatch.setenv("ICC_BOT_RESULT_DAYS", days)
    monkeypatch.setenv("ICC_BOT_CONNECTIONS", str(write_connections(tmp_path, ["shop"])))
    settings = read_settings()
    with closing(home_database(settings.home)) as database:
        Feedback(database, lambda: now() - timedelta(days=60)).note(OLD)
    with build_bot(settings) as bot:
        assert bot.services.feedback.asked("os:ana", 5) == kept


@pytest.mark.parametrize(
    ("changes", "remedy"),
    [
        (
            {"SQL_MODEL_NAME": "qwen2.5-coder:7b", "OLLAMA_BASE_URL": "http://127.0.0.1:9", "SQL_MODEL_TIMEOUT": "1"},
            "with `ollama serve`",
        ),
        ({"SQL_MODEL_NAME": "mistralai:large"}, "pip install langchain-mistralai"),
        ({"SQL_MODEL_NAME": "openai:gpt-4.1", "OPENAI_API_KEY": ""}, "See MODEL_API_KEY"),
    ],
)
def test_who_is_told_what_to_mend_about_the_model(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    changes: dict[str, str],
    remedy: str,
) -> None:
    """Without details, the asker reads one plain sentence, and the log has the remedy; with details they read it."""
    for name, value in {**changes, "ICC_BOT_CONNECTIONS": str(write_connections(tmp_path, ["shop"]))}.items():
        monkeypatch.setenv(name, value)
    told = []
    for details in (True, False):
        caplog.clear()
        with build_bot(read_settings(), details=details) as bot, pytest.raises(AgentAway) as failed:
            bot.services.sql_model().answer(ModelCall("s", "u", Requester("ana"), "sql"))
        told.append(str(failed.value))
        with build_bot(read_settings(), details=details) as bot, pytest.raises(AgentAway) as failed:
            bot.services.sql_model().fill(QuestionParts, ModelCall("s", "u", Requester("ana"), "sql"))
        assert told[-1] == str(failed.value)

    assert remedy in told[0]
    assert MODEL_AWAY == told[1]
    assert remedy in caplog.text
