"""Texts and pictures of messages: there for a day, each for its own channel, whole at once."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from adapters.rendering.attachment import Attached
from adapters.teams.files import Files

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
