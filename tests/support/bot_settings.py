"""Settings of a bot that a test runs in its own process."""

from collections.abc import Mapping

import pytest

from bot.settings.environment import Settings, read_settings


def settings_of(environment: Mapping[str, str]) -> Settings:
    """Return the settings that this environment gives; it is gone afterwards, so that no later bot finds it."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        return read_settings()
