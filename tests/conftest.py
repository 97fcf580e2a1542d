"""A clean environment for every test, and no network but loopback."""

import gc
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from tests.examples import examples

# No example may fail for the time it took: the machine may have other things to do.
settings.register_profile(
    "ours", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=examples(100)
)
settings.load_profile("ours")

pytest_plugins = ["tests.fixtures_postgres", "tests.fixtures_mysql"]

if sys.dont_write_bytecode:
    # Whoever wants no bytecode beside the sources has it here: each of the many programs that are started would
    # otherwise compile every library anew, which costs more than whatever it is started for.
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(Path(__file__).parents[1] / ".pytest_cache/bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

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


WORKERS = 2
"""Processes for each core: a test waits for a server more than it reckons."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Spread the whole suite over processes, and neither a few tests, nor measurements, nor those of the model."""
    whole = config.args == config.getini("testpaths") and config.option.markexpr.startswith("not ")
    return WORKERS * (os.cpu_count() or 1) if whole else 0


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
    """Look for no garbage among thousands of tests: they live until the end."""
    gc.disable()
    yield
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update` writes the talks in tests/conversations anew; the others name servers that somebody has."""
    parser.addoption(
        "--update", action="store_true", help="rewrite tests/conversations/*.txt from what the bot says now"
    )
    for name, label in (("oracle", "an Oracle"), ("mssql", "an SQL Server"), ("mysql", "a MySQL or MariaDB")):
        parser.addoption(
            f"--{name}", metavar="URL", help=f"{label} to run what holds for any server on; see CONTRIBUTING.md"
        )
