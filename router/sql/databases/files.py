"""Databases that are a file: where it is, and whether the operating system lets this process write it."""

import os
from pathlib import Path
from urllib.parse import unquote

from sqlalchemy.engine import make_url

from router.errors import JobFailed, SettingsError
from router.sql.dialect import Dialect

EFFECTIVE = os.access in os.supports_effective_ids
"""True if the operating system can be asked about the user this process acts as."""


def file_of(url: str, dialect: Dialect) -> Path:
    """Return the absolute path in a URL such as `sqlite:////folder/file`; raises SettingsError for one in memory."""
    name = make_url(url).database or ""
    if name in ("", ":memory:") or name.startswith(("file:", "md:")):
        scheme = dialect.backends[0]
        raise SettingsError([f"{dialect.label} needs a plain file here, as in {scheme}:////folder/file.{scheme}."])
    path = Path(name).expanduser()
    if not path.exists() and "%" in name:  # a '?' or a '#' in a file's name has to be written %3F or %23 in a URL
        path = Path(unquote(name)).expanduser()
    return path.resolve()


def require_file(path: Path) -> Path:
    """Return `path`, or raise JobFailed if there is no such file."""
    if not path.is_file():
        raise JobFailed(f"The database file {path.name} does not exist, or may not be seen.")
    return path


def is_writable(path: Path) -> bool:
    """Return whether this process may write there; nothing is opened for that."""
    return os.access(path, os.W_OK, effective_ids=EFFECTIVE)


def write_note(path: Path, dialect: Dialect) -> str | None:
    """Return a sentence for `doctor` if this process may write the file, None if it may not."""
    # Trying it would mean opening the file for writing, which may change it (a left-over journal is rolled back).
    if not is_writable(path):
        return None
    return (
        f"{dialect.label} has no users: this process may write the file {path.name}. "
        "Make the file read-only for it to have the first layer, too."
    )
