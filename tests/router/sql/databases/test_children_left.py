"""Children that cannot be started, and folders that a killed bot left behind."""

import errno
import os
import platform
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from router.sql.databases.child import FOLDER_PREFIX, Child, ChildDied, clear_folders


@pytest.mark.parametrize(("place", "name"), [(socket, "socketpair"), (socket.socket, "dup"), (os, "pipe")])
def test_too_many_open_files(place: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A child that lacks a file is ChildDied, wherever it lacked it; nothing of it is left, and the next one starts."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = len(os.listdir("/proc/self/fd"))

    def failing(*_: Any) -> Any:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with monkeypatch.context() as patched:
        patched.setattr(place, name, failing)  # the system's own word; no limit makes it come at one certain file
        with pytest.raises(ChildDied, match="Too many open files"):
            Child("sqlite")
    assert (before, []) == (len(os.listdir("/proc/self/fd")), list(tmp_path.iterdir()))
    Child("sqlite").end()


def test_folders_of_a_killed_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a process that is gone are deleted; those of a running one, and of other machines, stay."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    here = f"{FOLDER_PREFIX}{platform.node()}-"
    names = [
        f"{here}{gone.pid}-abc",
        f"{here}{os.getpid()}-abc",
        f"{FOLDER_PREFIX}elsewhere-{gone.pid}-abc",
        f"{FOLDER_PREFIX}old",
    ]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "rows").write_text("x")
    clear_folders()
    assert set(names[1:]) == {path.name for path in tmp_path.iterdir()}
