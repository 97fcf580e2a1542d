"""The settings of a measurement: its home is the test's folder, its model the test's `server`."""

from pathlib import Path

import pytest

from bot.settings.environment import Settings, read_settings
from tests.platforms.ollama import Ollama


@pytest.fixture
def settings(tmp_path: Path, server: Ollama, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings that name the server."""
    monkeypatch.setenv("ICC_BOT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OLLAMA_BASE_URL", server.url)
    monkeypatch.chdir(tmp_path)
    return read_settings()
