"""The bot's one database, which several threads and processes may share."""

from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import (
    Column,
    Engine,
    MetaData,
    String,
    Table,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql.dml import Insert

from router.errors import JobFailed
from router.storage.server import SERVER, ServerConnections, server_engine, write_alone
from router.storage.tables import METADATA, oldest_beside

DATABASE_FILE = "icc-bot.sqlite"
"""Its name in the bot's home."""

BUSY_MILLISECONDS = 10_000
"""Milliseconds that a writer waits for another process that writes."""


class Database:
    """The tables of `router.storage.tables`; raises SQLAlchemyError if they cannot be read or written."""

    def __init__(self, url: str, *, upgrade: bool = False) -> None:
        """Open it, made if there is none; raises JobFailed.

        A file of an earlier version is brought up. On a server, where others may still work with the earlier one, that
        is done if an `upgrade` is asked for, and refused otherwise.
        """
        self.engine = open_engine(url)
        file = _file(self.engine.url)
        self.folder = file.parent if file else None
        """The folder of the file; None if it may be used from several machines."""
        if file:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.touch(mode=0o600)
        self.server = ServerConnections(self.engine)
        """The way to its connections, which waits if it is on a server that is away."""
        self._one_writer: AbstractContextManager[object] = Lock() if file else nullcontext()
        """Held by the one who writes into a file: the next one goes on at once, while SQLite's own wait sleeps."""
        self._closed = False
        try:
            bring_up(self, upgrade=upgrade or file is not None)
        except SQLAlchemyError as error:
            self.close()
            where = "" if file else " on the server that ICC_BOT_DATABASE_URL names"
            raise JobFailed(
                f"The bot's database{where} cannot be read or written ({type(error).__name__}), so nothing was begun. "
                "Tell your administrator."
            ) from error
        except BaseException:
            self.close()
            raise

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[Connection]:
        """Commit what is done in the block, or nothing of it; all others who write wait.

        What is committed outlives a kill of the process; if it is `durable`, a failure of the power too.
        """
        with self.writing(durable=durable) as connection:
            if connection.dialect.name == SERVER:
                write_alone(connection)
            yield connection

    @contextmanager
    def writing(self, *, durable: bool = False) -> Iterator[Connection]:
        """Commit what is done in the block, or nothing of it; on a server, those who write other rows go on meanwhile.

        It is for what depends on nothing that was read in the block.
        """
        with self._one_writer, self._lent() as connection, connection.execution_options(durable=durable).begin():
            yield connection

    @contextmanager
    def reading(self, *, wait: bool = True) -> Iterator[Connection]:
        """Lend a connection for queries alone, which wait for nobody who writes; `wait`: for a server that is away."""
        with self._lent(reading=True, wait=wait) as connection:
            yield connection

    def close(self) -> None:
        """Close it; a connection that is in use is closed after that."""
        self._closed = True
        self.engine.dispose()

    @contextmanager
    def _lent(self, *, reading: bool = False, wait: bool = True) -> Iterator[Connection]:
        with self.server.lent(reading=reading, wait=wait) as connection:
            try:
                yield connection
            finally:
                if self._closed:  # the pool that it goes back to is nobody's any more
                    connection.invalidate()


def open_engine(url: str) -> Engine:
    """Open a database without a look at its tables."""
    given = make_url(url)
    file = _file(given)
    if given.get_backend_name() == SERVER:
        return server_engine(given)
    # Values may be secrets, and an error's text is logged.
    engine = create_engine(given, hide_parameters=True, **({"max_overflow": -1} if file else {}))
    if file:
        event.listen(engine, "connect", _connected)
        event.listen(engine, "begin", _begun)
    return engine


def home_database(home: Path) -> Database:
    """Open the database of a home, made if there is none."""
    return Database(f"sqlite:///{home / DATABASE_FILE}")


def upsert(connection: Connection, table: Table, values: dict[str, Any], key: Collection[str] = ()) -> None:
    """Keep a row in the place of the one with the same key, which is the primary key unless another one is named."""
    connection.execute(_upsert(connection.dialect.name, table, tuple(values), tuple(key)), values)


def insert_new(connection: Connection, table: Table, values: dict[str, Any]) -> bool:
    """Keep a row unless one with the same key is there; return whether it was kept."""
    return connection.execute(_insert_new(connection.dialect.name, table), values).rowcount > 0


@lru_cache
def _upsert(dialect: str, table: Table, names: tuple[str, ...], key: tuple[str, ...]) -> Insert:
    keys = key or tuple(column.name for column in table.primary_key)
    statement = _insert(dialect)(table)
    changed = {name: statement.excluded[name] for name in names if name not in keys}
    if not changed:
        return statement.on_conflict_do_nothing(index_elements=keys)  # type: ignore[no-any-return]
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)  # type: ignore[no-any-return]


@lru_cache
def _insert_new(dialect: str, table: Table) -> Insert:
    statement = _insert(dialect)(table).on_conflict_do_nothing()
    return statement.execution_options(preserve_rowcount=True)  # type: ignore[no-any-return]


def _insert(dialect: str) -> Any:
    if dialect == "sqlite":
        return sqlite_insert
    from sqlalchemy.dialects.postgresql import insert  # heavy if no server is used

    return insert


def _file(url: URL) -> Path | None:
    """Return the file that a database is; None if it is on a server."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def _connected(link: Any, _record: Any) -> None:
    """Have SQLite begin transactions when we do, keep readers from waiting, and wait for other processes."""
    link.isolation_level = None
    link.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    link.execute("PRAGMA journal_mode=WAL")


def _begun(connection: Connection) -> None:
    """Begin a transaction at once: one that read first, and wrote then, could be too late for it."""
    options = connection.get_execution_options()
    if not options.get("reading"):
        connection.exec_driver_sql(f"PRAGMA synchronous={'FULL' if options.get('durable') else 'NORMAL'}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")


# Brings a database to the tables of this version: made again if it is empty, migrated by Alembic if it is older.


REVISIONS = ("0001",)
"""Every migration, the oldest first."""

REVISION = REVISIONS[-1]
"""The newest migration: what a database has whose tables are as they are declared."""

OLDEST_BESIDE = "0001"
"""The migration of the oldest version whose processes may go on beside this one: what came since only adds."""

# Alembic's own table, which it reads and writes itself where it runs.
_version = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))


def bring_up(database: Database, *, upgrade: bool) -> None:
    """Make or migrate the tables; of several processes that start at once, one does it. Raises JobFailed."""
    with database.reading() as connection:
        if _revision(connection) == REVISION:
            return
    with database.transaction() as connection:
        found = _revision(connection)
        if found is None:
            METADATA.create_all(connection, checkfirst=False)
            _version.create(connection)
            connection.execute(insert(_version).values(version_num=REVISION))
            create_task_tables(connection)
        elif found not in ("", *REVISIONS):
            if connection.execute(select(oldest_beside.c.revision)).scalar() not in REVISIONS:
                raise JobFailed(LATER_VERSION)
            return
        elif found == REVISION:
            return
        elif not upgrade:
            raise JobFailed(EARLIER_VERSION)
        else:
            migrate(connection)
        connection.execute(delete(oldest_beside))
        connection.execute(insert(oldest_beside).values(revision=OLDEST_BESIDE))


def create_task_tables(connection: Connection) -> None:
    """Make the tables of the queue of tasks, which is there on a server alone: Procrastinate's, and two indexes."""
    if connection.dialect.name != SERVER:
        return
    from procrastinate.schema import SchemaManager

    link: Any = connection.connection.driver_connection
    link.execute(SchemaManager.get_schema())  # SQLAlchemy would take its % for parameters
    for name, of in (("lock", "lock"), ("person", "(args->>'person')")):
        connection.execute(
            text(f"CREATE INDEX tasks_waiting_by_{name} ON procrastinate_jobs ({of}) WHERE status = 'todo'")
        )


EARLIER_VERSION = (
    "The bot's database is of an earlier version. Nothing was changed. Stop every process of that version, then run "
    "`icc-bot db upgrade`."
)
LATER_VERSION = (
    "A later version of the bot has used this database, and this version cannot read it. Nothing was changed. Start "
    "the later version."
)


def migrate(connection: Connection) -> None:
    """Run the migrations that a database lacks."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, REVISION)


def _revision(connection: Connection) -> str | None:
    """Return the newest migration that a database has, "" if it has none; None if it has no tables yet."""
    if not inspect(connection).has_table(_version.name):
        return None
    return connection.execute(select(_version.c.version_num)).scalar() or ""
