"""Files that people change by hand while the bot runs: how a change is seen, and how one is made."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

Sign = tuple[int, int, int]
"""What tells that a file is another one than before: its time, its size, its number on the disk."""


def sign_of(path: Path) -> Sign | None:
    """Return the sign of a file, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def put(path: Path, content: bytes) -> None:
    """Put a file in the place of another one: whoever reads sees all of it or nothing of it."""
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
