"""A clean environment for every test, and no network but loopback."""

import gc
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from router.storage.database import Database
from tests.support.hypothesis_examples import PROFILE, examples
from tests.support.new_home import new_database

# No example may fail for the time it took: the machine may have other things to do.
settings.register_profile(
    "ours",
    settings(),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=examples(100),
    derandomize=PROFILE == "few",
)
settings.load_profile("ours")

pytest_plugins = ["tests.support.postgres", "tests.support.mysql", "tests.support.event_loop", "tests.support.samples"]

if sys.dont_write_bytecode:
    # The bytecode lies here, not beside the sources: each of the many programs that are started would
    # otherwise compile every library again, which costs more than whatever it is started for.
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(Path(__file__).parents[1] / ".pytest_cache/bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

IN_MEMORY = Path("/dev/shm")
ROOM_MIN_BYTES = 6 * 2**30


def pytest_configure() -> None:
    """Keep the tests' files in memory, where there is room: else SQLite waits for the disk at each commit."""
    if "PYTEST_DEBUG_TEMPROOT" not in os.environ and IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK):
        disk = os.statvfs(IN_MEMORY)
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if min(disk.f_bavail * disk.f_frsize, free) >= ROOM_MIN_BYTES:
            os.environ["PYTEST_DEBUG_TEMPROOT"] = str(IN_MEMORY)


LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")
OURS = (
    "ICC_BOT_",
    "OLLAMA_",
    "OPENAI_",
    "LANGCHAIN_",
    "LANGSMITH_",
    "SQL_MODEL_",
    "MODEL_",
    "SLACK_",
    "TEAMS_",
    "SMTP_",
    "EMAIL_",
    "API_",
    "BASE_URL",
    "Microsoft",
    "PORT",
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """The database of a bot whose home is the test's folder."""
    with closing(new_database(tmp_path)) as opened:
        yield opened


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of the developer's machine reaches a test; state goes to a folder of the test's own."""
    for name in list(os.environ):
        if name.startswith(OURS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("ICC_BOT_HOME", str(tmp_path / "home"))


@pytest.fixture(autouse=True, scope="session")
def only_loopback() -> Iterator[None]:
    """A test that leaves the machine fails."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and not str(address[0]).startswith(LOOPBACK):
            raise RuntimeError(f"a test wanted to reach {address}")
        connect(self, address)

    socket.socket.connect = guarded  # type: ignore[method-assign, assignment]
    yield
    socket.socket.connect = connect  # type: ignore[method-assign]


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Spread the whole suite over processes, and neither a few tests, nor measurements, nor those of the model.

    One more than there are cores, as tests wait for servers too; each of them takes 20 seconds to read all tests.
    """
    whole = config.args == config.getini("testpaths") and config.option.markexpr not in ("model", "bench")
    return (os.cpu_count() or 1) + 1 if whole else 0


BROWSER = "tests/adapters/web/browser/"
FIRST = (
    BROWSER,
    "tests/adapters/test_parity.py",
    "tests/bot/",
    "tests/adapters/api/",
    "tests/adapters/slack/talks/",
    "tests/adapters/teams/talks/",
    "tests/adapters/remote/",
    "tests/router/sql/writing/",
    "tests/test_kills.py",
    "tests/test_conversations.py",
    "tests/router/sql/databases/",
)
"""Where files are that take long: begun last, one of them would leave the other processes without work."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long; xdist would begin with the files that have most tests, which are quick ones."""
    items.sort(key=lambda item: next((n for n, path in enumerate(FIRST) if item.nodeid.startswith(path)), len(FIRST)))


class Shares(LoadFileScheduling):
    """A file is one process's, and so is the browser; the golden talks are shared by platforms."""

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        if file.startswith(BROWSER):
            return BROWSER
        return f"{file}::{test.partition('[')[0]}" if file == "tests/adapters/test_parity.py" else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Shares:
    """Spread the tests so that each process starts few servers and browsers."""
    return Shares(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage among thousands of tests, then or later: they live until the end."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    """Let what is left at the end be cleared, as libraries expect."""
    gc.unfreeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update` writes the talks in tests/conversations again; the others name servers that somebody has."""
    parser.addoption(
        "--update", action="store_true", help="rewrite tests/conversations/*.txt from what the bot says now"
    )
    for name, label in (("oracle", "an Oracle"), ("mssql", "an SQL Server"), ("mysql", "a MySQL or MariaDB")):
        parser.addoption(
            f"--{name}", metavar="URL", help=f"{label} to run what holds for any server on; see CONTRIBUTING.md"
        )


@pytest.fixture
def told_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have jobs tell how far they are after each batch, as on a slow machine: no talk may depend on that."""
    monkeypatch.setattr("router.jobs.progress.REPORT_PAUSE_SECONDS", -1.0)
