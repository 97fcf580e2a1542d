"""Texts and pictures that are handed over as files: kept in a folder, each under whom it is of and its hash."""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock

from adapters.attached import Attached


class Shelf:
    """What is kept in one folder; any thread may put there what another one takes away."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, Lock()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def keep(self, file: Attached, of: str = "") -> Path:
        """Return the path of a file's content, as young as now; what is only in memory is written, whole at once."""
        if isinstance(file.content, Path):
            return file.content
        content = file.content.encode() if isinstance(file.content, str) else file.content
        path = self._folder / (_begin(of) + hashlib.sha256(content).hexdigest())
        with self._lock:
            half = path.with_suffix(".half")
            half.write_bytes(content)
            os.replace(half, path)
        return path

    def sweep(self, stays: Callable[[Path], bool]) -> None:
        """Delete what does not stay."""
        for path in self._folder.iterdir():
            with self._lock, suppress(FileNotFoundError):
                if not stays(path):
                    path.unlink()

    def forget(self, of: str) -> None:
        """Delete what is of this."""
        begin = _begin(of)
        self.sweep(lambda path: not path.name.startswith(begin))


def _begin(of: str) -> str:
    return hashlib.sha256(of.encode()).hexdigest()[:32] + "-"
