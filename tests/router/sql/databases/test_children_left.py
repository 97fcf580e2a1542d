"""Children that cannot be started."""

import errno
import os
import socket
import tempfile
from pathlib import Path
from typing import Any

import pytest

from router.errors import JobFailed
from router.sql.databases.child import Child


@pytest.mark.parametrize(("place", "name"), [(socket, "socketpair"), (os, "pipe")])
def test_too_many_open_files(place: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A child that lacks a file is told so, wherever it lacked it; nothing of it is left, and the next one starts."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = len(os.listdir("/proc/self/fd"))

    def failing(*_: Any) -> Any:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with monkeypatch.context() as patched:
        patched.setattr(place, name, failing)  # the system's own word; no limit makes it come at one certain file
        with pytest.raises(JobFailed, match="Too many open files"):
            Child("sqlite")
    assert (before, []) == (len(os.listdir("/proc/self/fd")), list(tmp_path.iterdir()))
    Child("sqlite").end()
