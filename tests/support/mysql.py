"""A real MariaDB server for the tests: the system's own package, on a free port of the loopback, in a temporary folder.

`pytest --mysql URL` names a MySQL or MariaDB that somebody has; its user must be allowed to make databases and users.
"""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymysql
import pytest
from pymysql.constants import CLIENT
from sqlalchemy.engine import URL, make_url

MISSING = "needs a MariaDB server: apt-get install mariadb-server (or pytest --mysql URL)"
PROGRAMS = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/usr/libexec"
SMALL = (
    "--no-defaults",
    "--skip-name-resolve",
    "--skip-log-bin",
    "--bind-address=127.0.0.1",
    "--innodb-buffer-pool-size=64M",
    "--innodb-log-file-size=16M",
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-doublewrite=0",
    "--performance-schema=0",
    "--max-connections=200",
)
ODD_SETTINGS = """
SET GLOBAL sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE';
SET GLOBAL sql_select_limit = 3; SET GLOBAL group_concat_max_len = 16; SET GLOBAL time_zone = '+05:45'
"""
"""Not what the guard's parser believes of SQL: sessions of the bot have settings of their own."""

MODE = "STRICT_ALL_TABLES,ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES"
"""Lets the scripts of the tests be the same for all databases; the code under test never sees it."""


@dataclass(frozen=True, slots=True)
class MysqlServer:
    """A running server, by the URL of a user who may do everything."""

    root: URL

    def connect(
        self, database: str = "", user: str = "", password: str = "", mode: str = MODE
    ) -> "pymysql.Connection[Any]":
        """Open a connection that commits each statement, and reads standard SQL unless it has another mode."""
        return pymysql.connect(
            host=self.root.host or "127.0.0.1",
            port=self.root.port or 3306,
            user=user or self.root.username,
            password=password if user else self.root.password or "",
            database=database or None,
            autocommit=True,
            charset="utf8mb4",
            sql_mode=mode,
            init_command="SET time_zone = '+00:00', sql_select_limit = 18446744073709551615",
            client_flag=CLIENT.MULTI_STATEMENTS,
        )


@dataclass(frozen=True, slots=True)
class MysqlDatabase:
    """A fresh database: one user owns it, and others whose names begin like its own; another one may only SELECT."""

    server: MysqlServer
    name: str
    password: str

    @property
    def owner(self) -> str:
        """The user who may write here, and nowhere else."""
        return f"{self.name}_o"

    @property
    def reader(self) -> str:
        """The user who may only read here."""
        return f"{self.name}_r"

    def url(self, user: str, backend: str = "mysql", database: str = "") -> str:
        """Return an SQLAlchemy URL, password and all."""
        url = self.server.root.set(
            drivername=f"{backend}+pymysql", username=user, password=self.password, database=database or self.name
        )
        return url.render_as_string(hide_password=False)

    @property
    def owner_url(self) -> str:
        """The URL of the user who may write."""
        return self.url(self.owner)

    @property
    def reader_url(self) -> str:
        """The URL of the user who may only read."""
        return self.url(self.reader)

    def connect(self) -> "pymysql.Connection[Any]":
        """Open a connection of the owner that commits each statement."""
        return self.server.connect(self.name, self.owner, self.password)

    def connect_plainly(self) -> "pymysql.Connection[Any]":
        """Open a connection of the reader in the mode of the bot's own sessions."""
        return self.server.connect(self.name, self.reader, self.password, "")

    def run(self, script: str) -> None:
        """Run a script of several statements as the owner."""
        with closing(self.connect()) as connection:
            run(connection, script)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query of the owner."""
        with closing(self.connect()) as connection, connection.cursor() as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall())


def run(connection: "pymysql.Connection[Any]", script: str) -> None:
    """Run a script of several statements."""
    with connection.cursor() as cursor:
        cursor.execute(script)
        while cursor.nextset():
            pass


@pytest.fixture(scope="session")
def mysql_server(request: pytest.FixtureRequest) -> Iterator[MysqlServer]:
    """The server of `--mysql`, else a MariaDB that stops with the test session."""
    if given := request.config.getoption("--mysql"):
        yield MysqlServer(make_url(given))
        return
    if not installed():
        pytest.skip(MISSING)
    folder = Path(tempfile.mkdtemp(prefix="icc-bot-mariadb-"))
    try:
        _initialised(folder)
        server, process = _started(folder)
        with closing(server.connect()) as connection:
            run(connection, ODD_SETTINGS)
        yield server
        process.kill()  # nothing of it is kept
        process.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def mysql(mysql_server: MysqlServer) -> Iterator[MysqlDatabase]:
    """A fresh database for one test."""
    with fresh_mysql(mysql_server) as database:
        yield database


@contextmanager
def fresh_mysql(server: MysqlServer) -> Iterator[MysqlDatabase]:
    """Lend a fresh database that is dropped afterwards, with its users."""
    database = MysqlDatabase(server, f"test_{secrets.token_hex(6)}", secrets.token_hex(12))
    with closing(server.connect()) as connection:
        run(connection, f"CREATE DATABASE {database.name} CHARACTER SET utf8mb4")
        for user, right in ((database.owner, "ALL"), (database.reader, "SELECT")):
            run(connection, f"CREATE USER {user}@'%' IDENTIFIED BY '{database.password}'")
            names = database.name.replace("_", r"\_") + "%"
            run(connection, f"GRANT {right} ON `{names}`.* TO {user}@'%'")
        yield database
        for user in (database.owner, database.reader):
            with connection.cursor() as cursor:
                cursor.execute("SELECT id FROM information_schema.processlist WHERE user = %s", (user,))
                for (number,) in cursor.fetchall():
                    with suppress(pymysql.OperationalError):  # it went by itself
                        cursor.execute(f"KILL {number}")
            run(connection, f"DROP USER {user}@'%'")
        with connection.cursor() as cursor:
            cursor.execute("SET FOREIGN_KEY_CHECKS = 0")  # they may refer to one another
            cursor.execute(
                "SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE %s", (f"{database.name}%",)
            )
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP DATABASE `{name}`")


def installed() -> bool:
    """Return whether this machine has the programs of a MariaDB server."""
    return all(shutil.which(program, path=PROGRAMS) for program in ("mariadbd", "mariadb-install-db"))


def _initialised(folder: Path) -> None:
    """Make the server's files; tried again, as on a busy machine it fails now and then, and tells then why."""
    command = shutil.which("mariadb-install-db", path=PROGRAMS)
    assert command is not None
    user = ["--user=root"] if os.geteuid() == 0 else []
    for _ in range(2):
        shutil.rmtree(folder / "data", ignore_errors=True)
        made = subprocess.run(
            [
                command,
                "--no-defaults",
                f"--datadir={folder / 'data'}",
                *user,
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--innodb-log-file-size=16M",
                "--innodb-doublewrite=0",
            ],
            capture_output=True,
            text=True,
            cwd=folder,
        )
        if made.returncode == 0:
            return
    raise RuntimeError(f"mariadb-install-db failed:\n{made.stdout}\n{made.stderr}")


def _started(folder: Path) -> tuple[MysqlServer, "subprocess.Popen[bytes]"]:
    """Start the server; tried again if another program takes the free port first."""
    command = shutil.which("mariadbd", path=PROGRAMS)
    assert command is not None
    user = ["--user=root"] if os.geteuid() == 0 else []
    for _ in range(3):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        server = MysqlServer(URL.create("mysql+pymysql", "root", host="127.0.0.1", port=port))
        places = [
            f"--datadir={folder / 'data'}",
            f"--port={port}",
            f"--socket={folder / 's'}",
            f"--pid-file={folder / 'p'}",
        ]
        with (folder / "log").open("ab") as log:
            process = subprocess.Popen(
                [command, *SMALL, *places, *user], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder
            )
        while process.poll() is None:
            try:
                own = _socket_of(server) == str(folder / "s")
            except pymysql.OperationalError:
                own = False
            if own:
                return server, process
            time.sleep(0.05)
    raise RuntimeError((folder / "log").read_text())


def _socket_of(server: MysqlServer) -> str:
    """Return the path of a server's socket, by which it is told from another test's that took the port first."""
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT @@socket")
        ((path,),) = cursor.fetchall()
    return str(path)
