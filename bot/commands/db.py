"""`icc-bot db`: brings the bot's database up to this version, and moves a home's files onto a server."""

from collections.abc import Callable
from contextlib import closing
from itertools import chain
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from bot.settings.environment import Settings
from bot.wiring.state import THREADS_FILE, database_of
from router.errors import JobFailed, SettingsError
from router.jobs.results.shared import SharedResults
from router.language.wording import counted
from router.storage.clock import now
from router.storage.database import DATABASE_FILE, REVISION, Database
from router.storage.move import MovedRows, move_tables, move_threads, once
from router.storage.takeover import left_files

Say = Callable[[str], None]

STAYS = (
    "What belongs to a machine stays in its home: the audit trail with its key, the page's secret, the API's tokens, "
    "the log, and files that wait for people in Teams."
)


def upgrade(settings: Settings, say: Say) -> int:
    """Make or migrate the tables."""
    database = Database(settings.server, upgrade=True) if settings.server else database_of(settings)
    database.close()
    say(f"The bot's database is of this version ({REVISION}).")
    return 0


def move(settings: Settings, say: Say, home: Path | None) -> int:
    """Move a home onto the server that ICC_BOT_DATABASE_URL names; an attempt that was ended goes on."""
    if not settings.server:
        raise SettingsError(["ICC_BOT_DATABASE_URL names no server that a home could be moved to."])
    home = (home or settings.home).expanduser().absolute()
    if not (home / DATABASE_FILE).exists() and not left_files(home):
        raise JobFailed(f"There is no {DATABASE_FILE} in {home}: no bot has kept anything there. Nothing was moved.")
    with closing(Database(settings.server)) as database:
        try:
            left = False
            for each in chain(move_tables(home, database), move_threads(home, home / THREADS_FILE, database)):
                left = left or not each.before
                _tell(each, say)
            left = _move_results(settings, home, database, say) or left
        except SQLAlchemyError as error:
            raise JobFailed(
                f"The move was ended: the server's database failed ({type(error).__name__}). Run the command again to "
                "go on; start no bot on this home before."
            ) from error
    if not left:
        say("Nothing was left to move: an earlier attempt had moved all of it.")
    say(STAYS)
    say(
        f"Start every process with ICC_BOT_DATABASE_URL from now on. Once all is well, delete {DATABASE_FILE} and "
        f"{THREADS_FILE} in {home}: what people have the bot forget would live on there."
    )
    return 0


def _tell(moved: MovedRows, say: Say) -> None:
    if (moved.rows or moved.there) and not moved.before:
        there = f", {moved.there} were there already" if moved.there else ""
        say(f"{moved.name}: {counted(moved.rows, 'row')}{there}")


def _move_results(settings: Settings, home: Path, database: Database, say: Say) -> bool:
    """Copy the rows that are kept still; what was copied once is not again, since it may have been deleted there.

    Returns whether they had not been before.
    """
    folder = home / "results"
    with once(home, "results", database) as first:
        if not first or not folder.is_dir():
            return first
        names = [path.stem for path in sorted(folder.glob("*.sqlite"))]
        results = SharedResults(database, folder, settings.results_kept, now, looks_after=False)
        living = [name for name in names if results.lives(name)]
        shared = sum(results.share(name) for name in living)
    if names:
        say(f"results: {shared}, {len(living) - shared} were there already, {len(names) - len(living)} had expired")
    return True
