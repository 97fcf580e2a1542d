"""Tells which of the processes that share a folder still live: each holds a lock there, which the system takes back."""

import os
import secrets
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has none: there, whoever dies is missed after a while
    fcntl = None  # type: ignore[assignment]

SUFFIX = ".alive"


class ProcessLiveness:
    """One process under a name of its own, until `close` or its death; without a folder nobody can tell."""

    def __init__(self, folder: Path | None) -> None:
        self.name = secrets.token_hex(8)
        self._folder = folder if fcntl else None
        self._handle = -1
        if self._folder is None:
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = self._folder / f"{self.name}.new"
        self._handle = os.open(made, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._handle, fcntl.LOCK_EX)
        # Only now may others see it: a file without a lock is that of a dead process.
        made.rename(self._path(self.name))

    def dead(self) -> tuple[str, ...]:
        """Return the names of those that died without a word."""
        if self._folder is None:
            return ()
        names = (path.stem for path in self._folder.glob(f"*{SUFFIX}"))
        return tuple(name for name in names if name != self.name and self._is_dead(name))

    def forget(self, name: str) -> None:
        """Forget one that died."""
        if self._folder:
            self._path(name).unlink(missing_ok=True)

    def close(self) -> None:
        """Leave, so that nobody takes this process for dead."""
        if self._handle >= 0:
            self.forget(self.name)
            os.close(self._handle)
            self._handle = -1

    def _path(self, name: str) -> Path:
        assert self._folder
        return self._folder / f"{name}{SUFFIX}"

    def _is_dead(self, name: str) -> bool:
        try:
            handle = os.open(self._path(name), os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return False
        else:
            return True
        finally:
            os.close(handle)
