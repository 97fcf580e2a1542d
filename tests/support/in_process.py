"""A command that ends by itself, run in the test's own process: what it prints and its status are the program's."""

import io
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from bot.__main__ import main


def run_here(folder: Path, environment: Mapping[str, str], *argv: str, said: str = "") -> CompletedProcess[str]:
    """Return what `icc-bot` prints in this folder, and its status, with these settings besides those there are."""
    out, errors = io.StringIO(), io.StringIO()
    with _place(folder, environment, said), redirect_stdout(out), redirect_stderr(errors):
        try:
            main(argv)
        except SystemExit as ended:
            return CompletedProcess(argv, int(str(ended.code)), out.getvalue(), errors.getvalue())
    raise AssertionError("the command did not end")


@contextmanager
def _place(folder: Path, environment: Mapping[str, str], said: str) -> Iterator[None]:
    """Be where the program is started; afterwards folder, environment, input and mask are what they were."""
    mask = os.umask(0o077)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(
            sys, "stdin", io.TextIOWrapper(io.BytesIO(said.encode(errors="surrogateescape")), encoding="utf-8")
        )
        for name, value in environment.items():
            patch.setenv(name, value)
        try:
            yield
        finally:
            os.umask(mask)
