"""The log of a command, and the lock of its home."""

import json
import logging
from pathlib import Path

import pytest

from bot.commands.service import JsonLines, alone
from bot.settings.environment import read_settings
from router.errors import SettingsError
from router.observing.talk import present_work, work_on


def line(message: str, *values: object, error: bool = False) -> dict[str, str]:
    """Return what a line of JSON says."""
    exception = None
    if error:
        try:
            raise ValueError("a\nb")
        except ValueError as raised:
            exception = (type(raised), raised, raised.__traceback__)
    record = logging.LogRecord("icc_bot", logging.WARNING, __file__, 1, message, values, exception)
    text = JsonLines().format(record)
    assert "\n" not in text
    found: dict[str, str] = json.loads(text)
    return found


def test_lines_of_json() -> None:
    """One line each, also with a trace of an error; the talk stands only if there is one."""
    found = line('%s was "late"', "ä", error=True)
    assert ('ä was "late"', "WARNING", "icc_bot") == (found["message"], found["level"], found["logger"])
    assert "ValueError: a\nb" in found["error"]
    assert not {"talk", "trace"} & set(found)


def test_the_talk_and_its_trace() -> None:
    """Each input has a trace of its own; what is done within another talk does not mix with it."""
    with work_on("slack/T1/C1/1") as first:
        assert ("slack/T1/C1/1", first.trace) == (line("x")["talk"], line("x")["trace"])
        with work_on("slack/T1/C1/2") as second:
            assert "slack/T1/C1/2" == line("x")["talk"]
        assert first == present_work()
    assert len({first.trace, second.trace}) == 2
    assert all(len(each.trace) == 32 and int(each.trace, 16) for each in (first, second))


def test_a_second_process_over_one_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused in a sentence, until the first one ends; another queue, and a shared server, are no matter."""
    monkeypatch.setenv("ICC_BOT_HOME", str(tmp_path))
    settings = read_settings()
    with alone(settings, ["slack"]):
        with pytest.raises(SettingsError, match="`icc-bot slack` is at work over"), alone(settings, ["slack"]):
            pass
        monkeypatch.setenv("ICC_BOT_DATABASE_URL", "postgresql://bot@db.example/bot")
        with alone(settings, ["web"]), alone(read_settings(), ["slack"]):
            pass
    with alone(settings, ["slack", "web"]):
        pass
