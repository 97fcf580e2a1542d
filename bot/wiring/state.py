"""Opens what the bot keeps: in its home, or on the server that ICC_BOT_DATABASE_URL names."""

from bot.settings.environment import Settings
from router.errors import JobFailed
from router.jobs.results.store import Results
from router.memory.thread import ThreadKey, key_from
from router.storage.clock import Clock
from router.storage.database import DATABASE_FILE, Database, home_database
from router.storage.threads import KeptThreads, SqliteStore, TableStore

THREADS_FILE = "threads.sqlite"
"""The name of the file of threads in the bot's home."""


def database_of(settings: Settings) -> Database:
    """Open the bot's database, made if there is none; raises JobFailed."""
    return Database(settings.server) if settings.server else home_database(settings.home)


def threads_of(settings: Settings, database: Database) -> KeptThreads:
    """Open the talks; they are on the server where the database is."""
    return TableStore(database) if settings.server else SqliteStore(settings.home / THREADS_FILE)


def results_of(settings: Settings, database: Database, clock: Clock) -> Results:
    """Open the rows that were read; they are on the server where the database is."""
    folder = settings.home / "results"
    if not settings.server:
        return Results(folder, settings.results_kept, clock)
    from router.jobs.results.shared import SharedResults

    return SharedResults(database, folder, settings.results_kept, clock)


def was_started(settings: Settings) -> bool:
    """Return whether a bot was ever started with these settings: commands that only look make no database."""
    return bool(settings.server) or (settings.home / DATABASE_FILE).exists()


def talk_named(thread: str) -> ThreadKey:
    """Return the key of a talk; raises JobFailed if the text is none."""
    try:
        return key_from(thread)
    except ValueError:
        raise JobFailed(
            f'"{thread}" names no talk: it is PLATFORM/TEAM/CHANNEL/THREAD, as `icc-bot jobs show`, the log and the '
            "audit trail have it."
        ) from None
