"""`icc-bot db backup` and `restore`: a copy of a home at one moment, and a home made of it."""

import json
import shutil
from importlib.metadata import version
from pathlib import Path

from bot.command_line import Say
from bot.settings.environment import Settings
from bot.wiring.state import was_started
from router.errors import JobFailed
from router.jobs.audit import copy_trail
from router.language.wording import counted
from router.storage.backup import copy_databases
from router.storage.clock import now

MARK = "backup.json"
"""The file that says when a backup was made; it is written last, so that half a backup has none."""

SKIPPED_FOLDERS = frozenset({"log", "cache", "samples", "fetched", "results"})
"""Folders that are made again, belong to running processes, or are copied by rules of their own."""

RESULTS = "results"

NOT_IN_IT = (
    "Not in it: connections.toml, glossary.toml and intents.toml beside it, and .env, which you keep yourself; the "
    "log, models and sample databases."
)


def backup(settings: Settings, say: Say, folder: Path) -> int:
    """Copy the home into a folder, while the bot is at work or not."""
    home, folder = settings.home, folder.expanduser().absolute()
    if not was_started(settings) or not home.is_dir():
        raise JobFailed(f"No bot has kept anything in {home}. Nothing was copied.")
    _require_empty(folder, "Nothing was copied. Name another folder.")
    if folder.is_relative_to(home):
        raise JobFailed(f"{folder} lies in the home that is to be copied. Nothing was copied. Name another folder.")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        databases = sorted(home.glob("*.sqlite"))
        if databases:
            copy_databases(databases, folder)
        # After the databases: whatever these name is there by now.
        results = _copy_results(home / RESULTS, folder / RESULTS)
        _copy_others(home, folder)
        head = copy_trail(settings.audit_trail, folder, settings.audit_secret)
        ended = head.short if head else "its beginning"
        mark = {"at": now().isoformat(timespec="seconds"), "version": version("icc-bot"), "audit": ended}
        (folder / MARK).write_text(json.dumps(mark) + "\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise JobFailed(f"The backup failed ({error}). Delete {folder}, and try again.") from error
    copied = ", ".join([*(path.name for path in databases), counted(results, "result")])
    say(f"Copied to {folder}: {copied}, the audit trail up to {ended}, and what belongs to the home.")
    if settings.server:
        say("Talks, jobs and rows lie on the server that ICC_BOT_DATABASE_URL names: copy these by pg_dump.")
    if settings.audit_secret:
        say("The key of the audit trail is none of it: keep what ICC_BOT_AUDIT_KEY is.")
    else:
        say("The key of the audit trail is in it, and so are tokens: keep it where only you can read it.")
    say(NOT_IN_IT)
    return 0


def restore(settings: Settings, say: Say, folder: Path) -> int:
    """Make the home of a backup; the home must be empty."""
    home, folder = settings.home, folder.expanduser().absolute()
    try:
        mark = json.loads((folder / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise JobFailed(f"{folder} is no whole backup: it has no {MARK}. Nothing was restored.") from error
    _require_empty(home, "Nothing was restored. Move what is in it elsewhere, or name another ICC_BOT_HOME.")
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copytree(folder, home, dirs_exist_ok=True, ignore=shutil.ignore_patterns(MARK))
        home.chmod(0o700)
    except OSError as error:
        raise JobFailed(f"The backup was restored in part only ({error}). Empty {home}, and try again.") from error
    say(f"{home} is as it was at {mark['at']}, with an audit trail up to {mark['audit']}.")
    say("What the bot did after that, it does not know: look at a later audit trail before you approve anything again.")
    return 0


def _require_empty(folder: Path, then: str) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise JobFailed(f"{folder} is not empty. {then}")


def _copy_results(source: Path, to: Path) -> int:
    """Copy the rows that are whole, and return of how many results; they have no other life-time in the copy."""
    to.mkdir(mode=0o700)
    copied = 0
    for path in sorted(source.glob("*.sqlite")):
        try:
            shutil.copy2(path, to)
            copied += 1
        except FileNotFoundError:
            continue  # it has expired by now
    return copied


def _copy_others(home: Path, folder: Path) -> None:
    """Copy the files of the home that are no database, no trail and no folder of those that are left out."""
    for path in sorted(home.iterdir()):
        if (
            path.name in SKIPPED_FOLDERS
            or ".sqlite" in path.name
            or path.name.startswith("audit.")
            or path.suffix == ".lock"
        ):
            continue
        if path.is_dir():
            shutil.copytree(path, folder / path.name)
        elif path.is_file():
            shutil.copy2(path, folder)
