"""The doctor's word on the audit trail, and the key in the settings."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.checks.doctor import check_audit
from bot.settings.environment import Settings, read_settings
from router.errors import SettingsError
from router.jobs.audit import Audit, AuditEntry
from router.jobs.audit_check import verify
from router.storage.clock import now


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("ICC_BOT_HOME", str(tmp_path))
    return read_settings()


def added(settings: Settings, lines: int) -> None:
    audit = Audit(settings.audit_trail, now, settings.audit_secret)
    for _ in range(lines):
        audit.add(AuditEntry("asked"))


def said(settings: Settings) -> list[str]:
    return [str(finding) for finding in check_audit(settings)]


def test_a_whole_trail(settings: Settings) -> None:
    """The head is printed, short enough to be noted; before the first line there is nothing to say."""
    assert said(settings) == []
    added(settings, 3)
    head = verify(settings.home / "audit.jsonl").head
    (line,) = said(settings)
    assert line.startswith(f"ok       audit: 3 lines, none changed, none missing; the head is 3-{head.mac[:12]}: note")
    assert f'"number": 3, "mac": "{head.mac[:12]}' in (settings.home / "audit.jsonl").read_text()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda path: path.write_bytes(b""), "audit.jsonl: lines 1 to 3 were missing at the end. Compare it"),
        (lambda path: path.unlink(), "audit.jsonl: the trail was removed. Compare it"),
        (lambda path: path.write_text(path.read_text().replace("asked", "shown")), "was changed at 3 lines from 1 on;"),
        (lambda path: path.with_suffix(".key").unlink(), "is missing; put it back from your backup"),
    ],
)
def test_a_changed_trail(change: Callable[[Path], object], expected: str, settings: Settings) -> None:
    """A line that was changed, or is missing, is a failure."""
    added(settings, 3)
    change(settings.home / "audit.jsonl")
    first, *_ = said(settings)
    assert first.startswith("FAILED")
    assert expected in first


def test_torn_lines(settings: Settings) -> None:
    """They are named where all is well, and where it is not."""
    trail = settings.home / "audit.jsonl"
    added(settings, 2)
    trail.write_text(trail.read_text() + '{"time": "20')
    (line,) = said(settings)
    assert line.startswith("ok       audit: 2 lines, none changed, none missing (1 torn as by a crash (line 3")
    trail.with_suffix(".head").unlink()
    lines = said(settings)
    assert "the head in audit.head was missing" in lines[0]
    assert "has 2 lines (1 torn as by a crash" in lines[1]


def test_the_key_in_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It seals the trail, lies nowhere in the folder and in no repr; a short one is refused, without its value."""
    monkeypatch.setenv("ICC_BOT_HOME", str(tmp_path))
    key = "k" * 15 + "ey-of-the-tests-here"
    monkeypatch.setenv("ICC_BOT_AUDIT_KEY", key)
    settings = read_settings()
    added(settings, 2)
    assert said(settings)[0].startswith("ok")
    assert key not in repr(settings)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["audit.head", "audit.jsonl"]
    monkeypatch.setenv("ICC_BOT_AUDIT_KEY", "short")
    with pytest.raises(SettingsError) as wrong:
        read_settings()
    assert wrong.value.problems == ("ICC_BOT_AUDIT_KEY must have at least 32 characters.",)
