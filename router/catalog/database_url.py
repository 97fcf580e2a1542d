"""The URL of a connection: looked up, checked and made complete. No message of this file repeats a URL."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from router.sql.dialect import Dialect, by_backend, known_backends


class WrongUrl(ValueError):
    """A problem with a URL and its remedy, as the end of a sentence that begins with the key's name."""


def resolve_url(value: str, environ: Mapping[str, str], folder: Path) -> tuple[URL, Dialect]:
    """Return the complete URL and its dialect; relative files start at `folder`. Raises WrongUrl."""
    url = _parse(_look_up(value, environ))
    dialect = by_backend(url.get_backend_name())
    if dialect is None:
        raise WrongUrl(
            f'is for "{url.get_backend_name()}", a database the bot does not know; it knows {known_backends()}.'
        )
    _require_driver(url, dialect)
    if dialect.is_file:
        return _file_url(url, dialect, folder), dialect
    return url.set(drivername=f"{dialect.backends[0]}+{dialect.driver}"), dialect


def holds_password(value: str) -> bool:
    """Return whether the text is a URL with a password in it, rather than the name of an environment variable."""
    if value.startswith("env:"):
        return False
    url = _parse(value)
    return bool(url.password) or any(key.lower() in {"password", "passwd", "pwd"} for key in url.query)


def same_user(one: URL, other: URL) -> bool:
    """Return whether both URLs log in as the same user of the same server; never so for files, which know no users."""
    known = by_backend(one.get_backend_name())
    if known and known.is_file:
        return False
    return (one.username, one.host, one.port, one.database) == (other.username, other.host, other.port, other.database)


def _look_up(value: str, environ: Mapping[str, str]) -> str:
    if not value.startswith("env:"):
        return value
    name = value.removeprefix("env:").strip()
    if not environ.get(name):
        raise WrongUrl(
            f"is to come from the environment variable {name}, which is not set; set it, or correct its name."
        )
    return environ[name]


def _parse(text: str) -> URL:
    try:
        return make_url(text)
    except (ArgumentError, ValueError):
        pass  # the error's own text may repeat the URL
    raise WrongUrl('is not a database URL; write "postgresql://user:password@host/database", or "env:NAME".')


def _require_driver(url: URL, dialect: Dialect) -> None:
    _, plus, driver = url.drivername.partition("+")
    known = {dialect.driver, "pysqlite"} if dialect.name == "sqlite" else {dialect.driver}
    if plus and driver not in known:
        right = f"{dialect.backends[0]}+{dialect.driver}"
        raise WrongUrl(f'names the driver {driver}; the bot uses {dialect.driver}, so begin it with "{right}://".')
    if find_spec(dialect.driver) is None:
        raise WrongUrl(
            f"needs the driver {dialect.driver} for {dialect.label}, which is not installed; "
            f'run: pip install "{dialect.install}".'
        )


def _file_url(url: URL, dialect: Dialect, folder: Path) -> URL:
    name = url.database or ""
    if name in {"", ":memory:"} or name.startswith("file:"):
        raise WrongUrl(f'names no file; write "{dialect.backends[0]}:///folder/file.db".')
    path = folder / Path(name).expanduser()  # whether it is there is asked whenever it is opened
    return url.set(drivername=dialect.backends[0], database=str(path.resolve()))
