"""`icc-bot db`: brings the bot's database up to this version, and moves a home's files onto a server."""

from contextlib import closing
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from bot.command_line import Say
from bot.settings.environment import Settings
from bot.wiring.state import THREADS_FILE, database_of
from router.errors import JobFailed, SettingsError
from router.jobs.results.shared import SharedResults
from router.language.wording import counted
from router.storage.clock import now
from router.storage.database import DATABASE_FILE, REVISION, Database
from router.storage.move import closed_home, move_tables, require_empty
from router.storage.threads import SqliteStore

NOT_MOVED_HINT = (
    "What belongs to a machine stays in its home: the audit trail with its key, the page's secret, the API's tokens, "
    "the log, and files that wait for people in Teams."
)


def upgrade(settings: Settings, say: Say) -> int:
    """Make or migrate the tables."""
    database = Database(settings.server, upgrade=True) if settings.server else database_of(settings)
    database.close()
    say(f"The bot's database is of this version ({REVISION}).")
    return 0


def move(settings: Settings, say: Say, home: Path | None = None) -> int:
    """Move a home onto the server that ICC_BOT_DATABASE_URL names; an attempt that was ended may be made again."""
    if not settings.server:
        raise SettingsError(["ICC_BOT_DATABASE_URL names no server that a home could be moved to."])
    home = (home or settings.home).expanduser().absolute()
    if not (home / DATABASE_FILE).exists():
        raise JobFailed(f"There is no {DATABASE_FILE} in {home}: no bot has kept anything there. Nothing was moved.")
    with (
        closing(Database(settings.server)) as database,
        closed_home(home) as file,
        closing(SqliteStore(home / THREADS_FILE)) as threads,
    ):
        try:
            require_empty(database)
            _move_results(settings, home, database, say)  # as often as needed; the tables are moved once, and last
            moved = move_tables(file, threads, database)
        except SQLAlchemyError as error:
            raise JobFailed(
                f"The move was ended: the server's database failed ({type(error).__name__}). Run the command again; "
                "start no bot on that database before."
            ) from error
    for name, rows in moved.items():
        if rows:
            say(f"{name}: {counted(rows, 'row')}")
    say(NOT_MOVED_HINT)
    say(
        f"Start every process with ICC_BOT_DATABASE_URL from now on. Once all is well, delete {DATABASE_FILE} and "
        f"{THREADS_FILE} in {home}: what people have the bot forget would live on there."
    )
    return 0


def _move_results(settings: Settings, home: Path, database: Database, say: Say) -> None:
    """Copy the rows that are kept still."""
    folder = home / "results"
    names = [path.stem for path in sorted(folder.glob("*.sqlite"))]
    if names:
        results = SharedResults(database, folder, settings.results_kept, now, looks_after=False)
        living = [name for name in names if results.is_alive(name)]
        shared = sum(map(results.share, living))
        there = f", {len(living) - shared} were there already" if shared < len(living) else ""
        say(f"results: {shared}{there}, {len(names) - len(living)} had expired")
