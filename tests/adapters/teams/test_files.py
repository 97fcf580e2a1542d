"""Texts and pictures of messages: there for a day, each for its own channel, whole at once."""

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

from adapters.rendering.attachment import Attached
from adapters.teams.files import FILE_LIFETIME, Files

TEXT = Attached("query.sql", "SELECT 1")
SECRET = b"s" * 32


def test_many_at_once(tmp_path: Path) -> None:
    """What one thread deletes is not missed by another, and what is kept meanwhile is whole."""
    files = Files(tmp_path, SECRET, "")
    for number in range(300):
        old = tmp_path / f"old{number}"
        old.touch()
        os.utime(old, (1, 1))

    def keep(number: int) -> str:
        path = files.keep(Attached("query.sql", f"SELECT {number % 3}"), "a:ana")
        files.expire()
        return path.read_text()

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(keep, range(24)))
    assert found == [f"SELECT {number % 3}" for number in range(24)]
    assert len(list(tmp_path.iterdir())) == 3
    assert tmp_path.stat().st_mode & 0o077 == 0


def test_each_channel_for_itself(tmp_path: Path) -> None:
    """The same text of two chats is kept for each, and what is forgotten of one stays for the other."""
    files = Files(tmp_path / "files", SECRET, "")
    ana, bob = files.keep(TEXT, "a:ana"), files.keep(TEXT, "a:bob")
    files.forget("a:ana")
    assert (ana.exists(), bob.read_text()) == (False, "SELECT 1")


def test_a_day(tmp_path: Path) -> None:
    """After a day a text is deleted; a file of the bot's disk is left alone."""
    now, rows = [datetime.now(UTC)], tmp_path / "rows.csv"
    rows.write_text("n")
    files = Files(tmp_path / "files", SECRET, "https://bot.example", lambda: now[0])
    text = files.keep(TEXT, "a:ana")
    assert files.keep(Attached("rows.csv", rows), "a:ana") == rows
    for passed, there in ((FILE_LIFETIME - timedelta(seconds=5), True), (timedelta(seconds=10), False)):
        now[0] += passed
        files.expire()
        assert (text.exists(), rows.exists()) == (there, True)
