"""Opening the page in the person's browser, without telling the token to other accounts."""

import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from threading import Thread

_LEAD = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={}"><title>Opening…</title>'


def open_browser(address: str, file: Path) -> None:
    """Have the browser open the file, which leads to the address; nobody else can read it.

    What a program is started with can be seen by every account of a machine, so the address itself is no argument.
    """
    file.touch(0o600)
    file.chmod(0o600)
    file.write_text(_LEAD.replace("{}", escape(address)), encoding="utf-8")
    Thread(target=webbrowser.open, args=(file.absolute().as_uri(),), daemon=True, name="browser").start()


@contextmanager
def removed(file: Path) -> Iterator[None]:
    """Remove the file at the end of the block, where there is one."""
    try:
        yield
    finally:
        file.unlink(missing_ok=True)
