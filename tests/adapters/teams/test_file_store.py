"""Texts that are handed over as files: there for whoever draws, while what is old goes."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from adapters.rendering.attachment import Attached
from adapters.teams.file_offers import FileStore


def test_many_at_once(tmp_path: Path) -> None:
    """What one thread deletes is not missed by another, and what is kept meanwhile is whole."""
    store = FileStore(tmp_path)
    for number in range(300):
        old = tmp_path / f"old{number}"
        old.touch()
        os.utime(old, (1, 1))

    def keep(number: int) -> str:
        path = store.keep(Attached("query.sql", f"SELECT {number % 3}"))
        store.sweep(lambda each: each.stat().st_mtime > 1)
        return path.read_text()

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(keep, range(24)))
    assert found == [f"SELECT {number % 3}" for number in range(24)]
    assert len(list(tmp_path.iterdir())) == 3


def test_each_for_itself(tmp_path: Path) -> None:
    """The same text of two chats is kept for each, and what is forgotten of one stays for the other."""
    store, text = FileStore(tmp_path), Attached("query.sql", "SELECT 1")
    ana, bob = store.keep(text, "a:ana"), store.keep(text, "a:bob")
    store.forget("a:ana")
    assert (ana.exists(), bob.read_text()) == (False, "SELECT 1")
